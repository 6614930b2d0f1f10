import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import type { Check } from "../../state/change.ts";
import type { DomainTool } from "../../state/domain.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens } from "../support/kitchen.ts";

const database = await testDatabase();
let titles: readonly unknown[] = [];
beforeAll(async () => {
  await seedKitchens(database);
  titles = await readTitles();
});

const FORBIDDING: Check = {
  name: "nothing",
  types: ["task"],
  actions: ["create", "update", "delete"],
  run: () => [{ kind: "breach", rule: "nothing changes", reason: "Not now", overridable: false }],
};

/** Makes a tool that sends statements one after the other. */
function sqlTool(effect: "read" | "write", statements: readonly string[]): DomainTool {
  return defineTool({
    name: "send",
    subdomain: "tasks",
    description: "Sends statements.",
    parameters: z.strictObject({}),
    effect,
    ...(effect === "write" && { writes: ["task"] }),
    run: async (_, { tx }) => {
      for (const statement of statements) await tx.query(statement);
      return "Sent";
    },
  });
}

function send(effect: "read" | "write", statements: readonly string[]) {
  const tools = [sqlTool(effect, statements)];
  return openKitchen(database, { userId: "demo", tools, checks: [FORBIDDING] }).call("send", {});
}

async function readTitles(): Promise<readonly unknown[]> {
  const { rows } = await database.owner.query("select title from tasks order by title, id");
  return rows.map(({ title }) => title);
}

const CHANGE = "update tasks set title = 'Changed'";

/** Statements with the words that the error repeats. */
const LEAVING: readonly (readonly [sql: string, words: string])[] = [
  ["commit", "commit"],
  ["COMMIT AND CHAIN", "commit and chain"],
  ["end transaction", "end transaction"],
  ["rollback", "rollback"],
  ["rollback work and chain", "rollback work and chain"],
  ["abort", "abort"],
  ["begin", "begin"],
  ["start transaction read write", "start transaction read write"],
  ["prepare transaction 'x'", "prepare transaction"],
  [" \n-- first\n/* a /* b */ commit */ ; commit", "commit"],
  ["rollback -- to\n/* to */", "rollback"],
  ["set role concierge_admin", "set role concierge_admin"],
  ['set local "role" = concierge_admin', "set local role"],
  ["set session authorization default", "set session authorization default"],
  ["set transaction read write", "set transaction read write"],
  ["set local transaction_read_only = off", "set local transaction_read_only"],
  ["set local concierge.user_id = 'neighbour'", "set local concierge"],
  ["set statement_timeout = 0", "set statement_timeout"],
  ["reset role", "reset role"],
  ["discard all", "discard all"],
];

describe("guardStatements()", () => {
  afterEach(async () => {
    expect(await readTitles()).toEqual(titles);
    // No connection works as another role from now on.
    const roles = await Promise.all(
      Array.from({ length: 10 }, () => database.pool.query("select current_user as role")),
    );
    expect(new Set(roles.map(({ rows }) => rows[0]?.role))).toEqual(new Set(["concierge_app"]));
  });

  test.each(LEAVING)("refuses %j in a tool, and nothing is stored", async (sql, words) => {
    const sent = send("write", [CHANGE, sql]);

    await expect(sent).rejects.toMatchObject({ name: "StatementRefusedError", code: "2D000" });
    await expect(sent).rejects.toThrow(`Cannot send "${words}" from a tool`);
    await expect(send("read", [sql])).rejects.toThrow(`Cannot send "${words}" from a tool`);
  });

  test.each([
    ["several statements", `${CHANGE}; commit`, "42601"],
    ["a block that commits", "do $$ begin commit; end $$", "2D000"],
    ["a block that commits by a text", "do $$ begin execute 'commit'; end $$", "0A000"],
    ["a procedure that commits", "call pg_temp.end_it()", "2D000"],
    ["a prepared commit", "prepare done as commit", "42601"],
  ])("leaves %s to PostgreSQL, which refuses it", async (_, sql, code) => {
    const procedure = `create procedure pg_temp.end_it() language plpgsql as $$ begin commit; end $$`;

    await expect(send("write", [procedure, CHANGE, sql])).rejects.toMatchObject({ code });
  });

  test("lets savepoints and settings of the transaction through", async () => {
    const outcome = await send("write", [
      "savepoint first",
      CHANGE,
      "rollback work to savepoint first",
      "release first",
      "/* until the end */ set local statement_timeout = '5s'",
      "set constraints all deferred",
    ]);

    expect(outcome).toMatchObject({ text: "Sent", writes: [] });
  });
});
