import { describe, expect, test } from "vitest";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { openTestApp, readProblem } from "../support/server-parts.ts";

const { database, parts, ask } = await openTestApp();

/** A thread that somebody else has. */
async function foreignThread(threadId: string): Promise<string> {
  await asUser(database.pool, { userId: "eve" }, (tx) => claimThread(tx, { threadId }));
  return threadId;
}

const NOT_FOUND = [404, "thread_not_found", undefined];

test.each<[string, string, unknown?]>([
  ["GET", "/threads/{id}"],
  ["PATCH", "/threads/{id}", { metadata: { a: 1 } }],
  ["DELETE", "/threads/{id}"],
  ["POST", "/threads/{id}/copy"],
  ["GET", "/threads/{id}/state"],
  ["POST", "/threads/{id}/state", { values: { pending: null } }],
  ["GET", "/threads/{id}/history"],
  ["GET", "/threads/{id}/runs"],
  ["POST", "/threads/{id}/runs/wait", { assistant_id: "concierge", input: "Hello" }],
])("%s %s: another's thread looks like none", async (method, path, body) => {
  const foreign = await foreignThread("eve-1");
  expect(await readProblem(await ask(method, path.replace("{id}", foreign), body))).toEqual(
    NOT_FOUND,
  );
  expect(await readProblem(await ask(method, path.replace("{id}", "none"), body))).toEqual(
    NOT_FOUND,
  );
});

describe("POST /threads", () => {
  test("keeps the id that is given, and does not give away another's", async () => {
    const [foreign, own] = [await foreignThread("eve-2"), { thread_id: "own-2" }];
    const taken = [409, "thread_exists", "/thread_id"];
    expect((await ask("POST", "/threads", own)).status).toBe(200);
    expect(await readProblem(await ask("POST", "/threads", own))).toEqual(taken);
    const again = await ask("POST", "/threads", { ...own, if_exists: "do_nothing" });
    expect(await again.json()).toMatchObject(own);
    expect(await readProblem(await ask("POST", "/threads", { thread_id: foreign }))).toEqual(taken);
    expect(
      await readProblem(
        await ask("POST", "/threads", { thread_id: foreign, if_exists: "do_nothing" }),
      ),
    ).toEqual(taken);
  });

  test.each<[object, [number, string, string | undefined]]>([
    [{ thread_id: "a b" }, [422, "invalid_request", "/thread_id"]],
    [{ thread_id: ".." }, [422, "invalid_request", "/thread_id"]],
    [{ if_exists: "x" }, [422, "invalid_request", "/if_exists"]],
    [{ supersteps: [{ updates: [] }] }, [422, "not_supported", "/supersteps"]],
    [{ ttl: { ttl: 5 } }, [422, "not_supported", "/ttl"]],
  ])("refuses %j", async (body, expected) => {
    expect(await readProblem(await ask("POST", "/threads", body))).toEqual(expected);
  });
});

test("POST /threads/search finds a page in order, and says how many there are", async () => {
  for (const n of [1, 2, 3]) {
    await ask("POST", "/threads", { thread_id: `found-${n}`, metadata: { of: "search", n } });
  }
  const response = await ask("POST", "/threads/search", {
    metadata: { of: "search" },
    sort_by: "thread_id",
    sort_order: "asc",
    limit: 2,
    select: ["thread_id", "metadata"],
  });
  expect(await response.json()).toEqual([
    { thread_id: "found-1", metadata: { of: "search", n: 1 } },
    { thread_id: "found-2", metadata: { of: "search", n: 2 } },
  ]);
  expect(response.headers.get("x-pagination-total")).toBe("3");
  expect(response.headers.get("x-pagination-next")).toBe("2");
});

test.each<[string, object, [number, string, string | undefined]]>([
  ["/threads/search", { offset: -1 }, [422, "invalid_request", "/offset"]],
  ["/threads/search", { sort_by: "title" }, [422, "invalid_request", "/sort_by"]],
  ["/threads/search", { status: "x" }, [422, "invalid_request", "/status"]],
  ["/threads/search", { values: { turn: 1 } }, [422, "not_supported", "/values"]],
  ["/threads/search", { extract: { a: "b" } }, [422, "not_supported", "/extract"]],
  ["/threads/count", { values: { turn: 1 } }, [422, "not_supported", "/values"]],
])("%s refuses %j", async (path, body, expected) => {
  expect(await readProblem(await ask("POST", path, body))).toEqual(expected);
});

describe("a thread before its first turn", () => {
  test("has an empty state, and no history", async () => {
    await ask("POST", "/threads", { thread_id: "new-1" });
    const state = await ask("GET", "/threads/new-1/state");
    expect(await state.json()).toEqual({
      values: {},
      next: [],
      tasks: [],
      metadata: {},
      created_at: null,
      checkpoint: null,
      parent_checkpoint: null,
      interrupts: [],
    });
    expect(await (await ask("GET", "/threads/new-1/history")).json()).toEqual([]);
    expect(await (await ask("POST", "/threads/new-1/history", {})).json()).toEqual([]);
  });

  test.each<[string, string, object | undefined, [number, string, string | undefined]]>([
    ["POST", "state", { values: { pending: null } }, [409, "state_missing", undefined]],
    ["POST", "state", { values: { turn: 5 } }, [422, "invalid_request", "/values/turn"]],
    ["POST", "state", { values: { messages: [] } }, [422, "invalid_request", "/values/messages"]],
    [
      "POST",
      "state",
      { values: { constraints: [{ text: "", kind: "hard" }] } },
      [422, "invalid_request", "/values/constraints/0/text"],
    ],
    ["POST", "state", { values: {}, as_node: "act" }, [422, "not_supported", "/as_node"]],
    ["POST", "state", { values: {}, checkpoint_id: "x" }, [422, "not_supported", "/checkpoint_id"]],
    ["GET", "state/x", undefined, [404, "checkpoint_not_found", undefined]],
    [
      "POST",
      "state/checkpoint",
      { checkpoint: { checkpoint_ns: "act:1", checkpoint_id: "x" } },
      [404, "checkpoint_not_found", undefined],
    ],
    ["GET", "history?limit=0", undefined, [422, "invalid_request", "/limit"]],
    ["POST", "history", { limit: 1_001 }, [422, "invalid_request", "/limit"]],
  ])("%s %s %j is refused", async (method, path, body, expected) => {
    await ask("POST", "/threads", { thread_id: "new-2", if_exists: "do_nothing" });
    expect(await readProblem(await ask(method, `/threads/new-2/${path}`, body))).toEqual(expected);
  });
});

test("a thread of a newer program is found, and its state is not guessed at", async () => {
  await ask("POST", "/threads", { thread_id: "newer-1", metadata: { of: "newer" } });
  const config = { configurable: { thread_id: "newer-1" } };
  await parts.graph.updateState(config, { schemaVersion: 99, turn: 3 }, "finish");
  const refused = [409, "state_version", undefined];
  expect(await readProblem(await ask("GET", "/threads/newer-1/state"))).toEqual(refused);
  expect(await readProblem(await ask("GET", "/threads/newer-1/history"))).toEqual(refused);
  expect(
    await readProblem(await ask("POST", "/threads/newer-1/state", { values: { pending: null } })),
  ).toEqual(refused);
  expect(await (await ask("GET", "/threads/newer-1")).json()).toMatchObject({ values: null });
  const found = await ask("POST", "/threads/search", { metadata: { of: "newer" } });
  expect(await found.json()).toMatchObject([{ thread_id: "newer-1", values: null }]);
});

test("nothing unforeseen has happened", () => {
  expect(parts.noted.errors).toEqual([]);
});
