import { describe, expect, test } from "vitest";
import type { Json } from "../../state/json.ts";
import type { ModelRequest } from "../../state/model.ts";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/fresh-kitchen.ts";
import { call } from "../support/step-script.ts";
import { repliesIn, testThread, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** A model that plans one write step for every message, and makes the same call in it. */
function writing(tool: string, args: Json): Behaviour {
  return {
    understand: (request) => ({ json: understandAnswer(readAnswer(request)) }),
    think: () => ({
      json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "recipes" })] }),
    }),
    act: () => call(tool, args),
  };
}

/** Reads a plain yes or no as the answer to what is pending. */
function readAnswer({ messages }: ModelRequest) {
  const said = /## Message[^]*?<message>\s*([^]*?)\s*<\/message>/u.exec(
    messages.map(({ text }) => text).join("\n"),
  )?.[1];
  if (said === "yes") return { answersPending: "accept" as const };
  if (said === "no") return { answersPending: "reject" as const };
  return {};
}

function recipes({ run }: TestThread): Promise<string[]> {
  return namesIn(database, { table: "recipes", userId: run.userId });
}

const DELETE_ALL = { table: "recipes", refs: [], where: [], all: true };

describe("a deletion that nobody named", () => {
  test("is not carried out: the person is asked, and nothing is stored", async () => {
    const thread = await testThread(database, { behaviour: writing("db_delete", DELETE_ALL) });

    const events = await thread.send("thanks");

    expect(await recipes(thread)).toHaveLength(9);
    expect(repliesIn(events).at(-1)).toMatch(
      /^This deletes 9 recipes: Lemon Butter Cod, .* and 1 more; 65 ingredients go with it; 5 planned meals change with it; 2 cooking log entries change with it\. .* Do it\?$/u,
    );
    expect((await thread.state()).pending).toMatchObject({
      kind: "confirmation",
      id: "confirm_1_1",
    });
    expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
      rules: ["delete recipe: more than 3", "delete recipe: not named"],
    });
  });

  test("is carried out on yes, without asking a model what to do", async () => {
    const thread = await testThread(database, { behaviour: writing("db_delete", DELETE_ALL) });
    await thread.send("thanks");
    const before = thread.requests.length;

    const events = await thread.send("yes");

    expect(await recipes(thread)).toEqual([]);
    expect(thread.requests.length - before).toBe(1);
    expect(repliesIn(events).at(-1)).toContain("- deleted: Cod Tacos");
    expect(events.find(({ type }) => type === "confirmation-end")).toMatchObject({
      id: "confirm_1_1",
      answer: "accepted",
    });
    expect((await thread.state()).pending).toBeNull();
  });

  test("is not carried out where a row has changed since it was listed", async () => {
    const thread = await testThread(database, { behaviour: writing("db_delete", DELETE_ALL) });
    await thread.send("thanks");
    await database.owner.query(
      "update recipes set servings = 7 where user_id = $1 and name = 'Cod Tacos'",
      [thread.run.userId],
    );

    const events = await thread.send("yes");

    expect(await recipes(thread)).toHaveLength(9);
    expect(repliesIn(events).at(-1)).toContain("Cod Tacos");
    expect((await thread.state()).pending).toMatchObject({
      kind: "confirmation",
      id: "confirm_2_1",
    });
  });

  test("waits for one more message, and is dropped with the second", async () => {
    const thread = await testThread(database, {
      behaviour: { ...writing("db_delete", DELETE_ALL), think: () => null },
    });
    const asking = await testThread(database, { behaviour: writing("db_delete", DELETE_ALL) });
    await asking.send("thanks");
    expect(thread.requests).toEqual([]);
    await asking.send("hm");
    expect((await asking.state()).pending).toMatchObject({ kind: "confirmation" });
  });
});

test("a deletion of what the person has named needs no question", async () => {
  const where = [{ column: "name", op: "=", value: "Cod Tacos" }];
  const thread = await testThread(database, {
    behaviour: writing("db_delete", { table: "recipes", refs: [], where, all: null }),
  });

  await thread.send("please delete the cod tacos");

  expect(await recipes(thread)).toHaveLength(8);
});
