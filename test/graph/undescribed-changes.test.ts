import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { DomainTool } from "../../state/domain.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, calls, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const database = await testDatabase();
await database.owner.query(`
  alter table tasks add column hits int not null default 0;
  create table points (
    id uuid primary key default gen_random_uuid(),
    user_id text not null, row_version int not null default 1,
    updated_at timestamptz not null default now(), amount int not null);
  select concierge_protect('points');
  grant select, insert, update, delete on points to concierge_app, concierge_admin;
  create table task_remarks (
    id uuid primary key default gen_random_uuid(),
    task_id uuid not null references tasks on delete cascade);
  create table ideas (
    id uuid primary key default gen_random_uuid(),
    task_id uuid references tasks on delete set null);
  select concierge_watch_rows('task_remarks', 'id'), concierge_watch_rows('ideas', 'id');
  grant select, insert, update, delete on task_remarks, ideas to concierge_admin`);

/** Makes a tool of the tasks that runs a statement for each of its lines. */
function sqlTool(name: string, ...statements: readonly string[]): DomainTool {
  return defineTool({
    name,
    subdomain: "tasks",
    description: "Counts.",
    parameters: z.strictObject({}),
    effect: "write",
    writes: ["task"],
    run: async (_, { tx }) => {
      for (const statement of statements) await tx.query(statement);
      return "Counted";
    },
  });
}

const TOOLS = [
  sqlTool(
    "book_points",
    "insert into points (amount) select n from generate_series(1, 5) n",
    "update points set amount = 0 where amount = 1",
  ),
  sqlTool(
    "swap_points",
    "delete from points where amount > 2",
    "insert into points (amount) values (9)",
  ),
  sqlTool("bump_hits", "update tasks set hits = hits + 1 where title = 'Emma'"),
  sqlTool("read_emma", "update tasks set hits = hits + 1, done = true where title = 'Emma'"),
  sqlTool("touch_tasks", "update tasks set hits = hits", "update points set amount = amount"),
];

const COUNT = makeStep({ description: "Count", stepType: "write", subdomain: "tasks" });
const END = { resultSummary: "Counted", noteForNextStep: null, refs: [] };

/** The values that no entity type describes, in order. */
async function readValues(userId: string): Promise<unknown> {
  const { rows } = await database.owner.query(
    `select array(select amount from points where user_id = $1 order by amount) as points,
            array(select hits from tasks where user_id = $1 order by title, hits) as hits`,
    [userId],
  );
  return rows[0];
}

/** A person with a task and three points, who asks for what the script does, and takes it back. */
async function count(script: StepScript) {
  const models = scriptTurns([[COUNT], "undo"], { act: script, reply: ["Done."] });
  const domain = { ...mealsDomain, tools: [...mealsDomain.tools, ...TOOLS] };
  const person = await testAssistant({ database, domain, models });
  await database.owner.query("insert into tasks (user_id, title) values ($1, 'Emma')", [
    person.userId,
  ]);
  await database.owner.query(
    "insert into points (user_id, amount) select $1, n from generate_series(2, 4) n",
    [person.userId],
  );
  const before = await readValues(person.userId);
  const done = await person.send("count Emma");
  const between = await readValues(person.userId);
  const undone = await person.send("undo");
  const isBack = JSON.stringify(await readValues(person.userId)) === JSON.stringify(before);
  return { done, undone, isChanged: JSON.stringify(between) !== JSON.stringify(before), isBack };
}

test.each([
  ["bump_hits", "1 entry", "Changed: 1 entry by bump hits"],
  ["book_points", "5 entries", "Changed: 5 entries by book points"],
  ["swap_points", "3 entries", "Changed: 3 entries by swap points"],
])(
  "rows that %s changes and no entity type describes are counted, and so is their undo",
  async (tool, rows, reply) => {
    const { done, undone, isChanged, isBack } = await count([
      calls([tool, {}], ["complete_step", END]),
    ]);

    expect(done.state.stepResults[0]?.status).toBe("done");
    expect(done.reply).toBe(reply);
    expect(isChanged).toBe(true);
    expect(undone.reply).toBe(`Undone: ${rows} of other data`);
    expect(isBack).toBe(true);
  },
);

test("rows that no entity type describes are counted where the model ends the step by itself", async () => {
  const { done } = await count([call("bump_hits", {}), complete("Counted")]);

  expect(done.reply).toBe("Changed: 1 entry by bump hits\n\nDone.");
});

test("a changed row that is named is not counted a second time", async () => {
  const { done, undone } = await count([calls(["read_emma", {}], ["complete_step", END])]);

  expect(done.reply).toBe("Changed: Emma (done: false → true)");
  expect(undone.reply).toBe("Undone: Emma (as it was before)");
});

test("rows of which only version and time differ are not counted", async () => {
  const { done } = await count([call("touch_tasks", {}), complete("Counted")]);

  expect(done.reply).toContain("Nothing was changed.");
});

test("rows of a table that no entity type describes are named before they go with a deleted row, and after", async () => {
  const remove = call("delete_rows", { refs: [], all: "task" });
  const models = scriptTurns([[COUNT], "yes", "yes"], { act: [remove], reply: [] });
  const person = await testAssistant({ database, models });
  const { owner } = database;
  await owner.query(
    `with task as (insert into tasks (user_id, title) values ($1, 'Emma') returning id),
    idea as (insert into ideas (task_id) select id from task)
    insert into task_remarks (task_id) select id from task, generate_series(1, 3)`,
    [person.userId],
  );
  const asked = await person.send("delete all tasks");
  expect(asked.reply).toContain(
    "Emma; 3 entries of task remarks go with it; 1 entry of ideas changes with it. You can undo it",
  );
  // A "yes" covers the rows that were counted.
  await owner.query("insert into task_remarks (task_id) select id from tasks where user_id = $1", [
    person.userId,
  ]);
  expect((await person.send("yes")).reply).toContain("7 entries of task remarks go with it");
  expect((await person.send("yes")).reply).toContain(
    "Emma\nNote: 7 entries of task remarks went with it.\nNote: 1 entry of ideas changed with it.",
  );
});
