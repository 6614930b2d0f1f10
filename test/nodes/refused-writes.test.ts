import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { mealsDomain } from "../../meals/index.ts";
import { createReplyNode } from "../../nodes/reply.ts";
import { describeFault } from "../../nodes/steps/tool-refusal.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { Check } from "../../state/change.ts";
import { testDatabase } from "../support/database.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { call, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const database = await testDatabase();
const play = stepPlayer(database);
const WRITE = makeStep({ description: "Write", stepType: "write", subdomain: "tasks" });

/** Renames a task, and refuses to leave it without a name. */
const renameTask = defineTool({
  name: "rename_task",
  subdomain: "tasks",
  description: "Rename a task.",
  parameters: z.strictObject({
    task: z.string().describe("its ref"),
    title: z.string().describe("the new one"),
  }),
  effect: "write",
  writes: ["task"],
  run: async ({ task, title }, tool) => {
    if (title === "") tool.refuse(`A task needs a name, ${task} too`);
    if (title === "long") tool.refuse("no ".repeat(10_000));
    await tool.update(task, { title });
    return null;
  },
});

const KEPT: Check = {
  name: "kept",
  types: ["task"],
  actions: ["delete"],
  run: () => [{ kind: "breach", rule: "kept", reason: "Tasks stay", overridable: false }],
};

const rename = (task: string, title: string) => call("rename_task", { task, title });

async function write(script: StepScript, check = KEPT) {
  const { state, services } = await play([WRITE], {
    scripts: { Write: [call("read_tasks", {}), ...script] },
    domain: { ...mealsDomain, tools: [renameTask], checks: [check] },
  });
  const [result] = state.stepResults;
  if (result === undefined) throw new Error("Cannot find the step's result");
  return { state, services, result, last: result.calls.at(-1) };
}

test.each([
  [
    "42703",
    'record "new" has no field "updated_at"',
    'error 42703: record "new" has no field "updated_at"',
  ],
  ["22P02", 'invalid input syntax for type integer: "Ann"', "error 22P02"],
])(
  "describeFault() shows what the database says unless it may be data: %s",
  (code, message, cause) => {
    expect(describeFault(Object.assign(new Error(message), { code }))).toBe(cause);
  },
);

describe("a step whose write was refused and that its model calls complete", () => {
  test("is failed, and Reply sees the row and the reason under Already Shown", async () => {
    const { state, result } = await write([rename("task_1", ""), complete("Renamed")]);

    const outcome = /^Renamed\. Not done: (.+): A task needs a name, \1 too$/u.exec(result.outcome);
    expect(result.status).toBe("failed");
    expect(outcome).not.toBeNull();
    const services = testServices({ scripts: { reply: ["It has no name."] } });
    await createReplyNode(services)(state, recordedIO());
    const prompt = services.models.reply.requests[0]?.messages.map(({ text }) => text).join("\n");
    expect(prompt?.split(`## ${HEADINGS.receipts}`)[1]).toMatch(/^[^#]*A task needs a name/u);
  });

  test("is done where a later call has put it right", async () => {
    const { result } = await write([
      rename("task_1", ""),
      rename("task_1", "Bake"),
      complete("Renamed"),
    ]);

    expect(result).toMatchObject({ status: "done", outcome: "Renamed" });
  });

  test("reads the beginning of a refusal that is longer than an answer may be", async () => {
    const { result } = await write([rename("task_1", "long"), complete("Renamed")]);

    expect(result.calls[1]?.text).toMatch(/^(?:no ){1300,}.{0,3}…$/u);
  });

  test("is partial where only another row was written", async () => {
    const { result } = await write([
      rename("task_1", ""),
      rename("task_2", "Bake"),
      complete("Renamed"),
    ]);

    expect(result.status).toBe("partial");
    expect(result.outcome).toContain("A task needs a name");
  });

  test("shows the person nothing of a call that was malformed", async () => {
    const { result } = await write([call("rename_task", { task: 5 }), complete("Renamed")]);

    expect(result).toMatchObject({
      status: "failed",
      outcome: "Renamed. Not done: rename task: it could not be done",
    });
  });
});

test.each([
  [
    "throws",
    () => {
      throw new TypeError("no title");
    },
    "TypeError: no title",
  ],
  [
    "names a row by its ref",
    () => [{ kind: "warning" as const, rule: "kept", reason: "task_1 stays" }],
    "it names a row by a ref",
  ],
])("a check that %s refuses the write, and is in the log", async (_, run, cause) => {
  const script = [call("delete_rows", { refs: ["task_1"], all: null }), complete("Deleted")];
  const { state, services } = await write(script, { ...KEPT, run });

  expect(state.effects).toEqual([]);
  expect(services.logged).toEqual([expect.stringContaining('The check "kept" failed: ')]);
  expect(services.logged[0]).toContain(cause);
});

describe("the text for the model of a write", () => {
  test("that breaks what nobody may override does not promise a question", async () => {
    const { last } = await write([
      call("delete_rows", { refs: ["task_1"], all: null }),
      call("fail_step", { reason: "Tasks stay" }),
    ]);

    expect(last?.text).toBe(
      "Not done, it breaks what holds: Tasks stay (kept). Put it right, or end the step with block_step: nobody can override this.",
    );
  });

  test("that changes nothing says so", async () => {
    const { last } = await write([
      rename("task_1", "Bake"),
      rename("task_1", "Bake "),
      call("update_tasks", { refs: ["task_1"], set: { title: "Bake " } }),
      complete("Renamed"),
    ]);

    expect(last).toMatchObject({ ok: true, count: 0, text: "It changed nothing." });
  });

  test("that is too long names the column and the length", async () => {
    await database.owner.query("alter table tasks alter column title type varchar(40)");

    const { last } = await write([
      call("create_tasks", { rows: [{ title: "Bake ".repeat(20) }], drafts: [] }),
      call("fail_step", { reason: "It is too long" }),
    ]);

    expect(last?.failures).toMatchObject([{ reason: "“title” is longer than 40 characters" }]);
  });
});

test.each([
  [
    "with rights that it lacks",
    "insert into audit values ('changed'); return new;",
    'The database refused a row of "tasks": error 42501: permission denied for table audit',
  ],
  [
    "by leaving it out",
    "return null;",
    'The database refused a row of "tasks": a trigger or a policy has left it out',
  ],
])(
  "a row of the person's that a trigger refuses %s is refused by the database, and logged once",
  async (_, body, line) => {
    await database.owner
      .query(`create table audit (what text); revoke all on audit from public, concierge_app;
    create function refuse() returns trigger language plpgsql as $$ begin ${body} end $$;
    create trigger refuse before update on tasks for each row execute function refuse()`);
    try {
      const set = { done: true };
      const { services, last } = await write([
        call("update_tasks", { refs: ["task_1", "task_2"], set }),
        call("fail_step", { reason: "It is refused" }),
      ]);

      expect(last?.failures.map(({ reason }) => reason)).toEqual([
        "the database refused it",
        "the database refused it",
      ]);
      expect(services.logged).toEqual([line]);
    } finally {
      await database.owner.query("drop table audit; drop function refuse cascade");
    }
  },
);
