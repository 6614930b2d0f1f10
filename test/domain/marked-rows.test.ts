import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { defineDomain } from "../../domain/define-domain.ts";
import { defineTool } from "../../domain/define-tool.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import { verifyDomain } from "../../domain/verify-domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import { silentLog } from "../../state/log.ts";
import { testAssistant } from "../support/conversation.ts";
import { ownedDatabase } from "../support/owned-database.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, complete, stepScripts } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const NAME: Column = { name: "name", kind: "text", nullable: false };
const DELETED: Column = { name: "deleted_at", kind: "timestamp", label: "deleted" };

const BIKE: EntityType = {
  type: "bike",
  table: "bikes",
  words: { one: "bike", many: "bikes" },
  columns: [NAME, { ...DELETED, volatile: true }],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => (typeof name === "string" ? name : ""),
};

/** A clock that moves on. */
const clock = { seconds: 0 };

const DISCARD_BIKE = defineTool({
  name: "discard_bike",
  subdomain: "bikes",
  description: "Marks a bike as deleted.",
  parameters: z.strictObject({ bike: z.string().describe("its ref") }),
  effect: "write",
  confirm: "always",
  writes: ["bike"],
  run: async ({ bike }, tool) => {
    clock.seconds += 1;
    const now = new Date(Date.UTC(2026, 0, 12, 10, 0, clock.seconds));
    await tool.update(bike, { deleted_at: now.toISOString() });
    return null;
  },
});

/** As the page protects a table that is there already: its owner, no superuser, goes on as before. */
const TABLE = `create table bikes (
    id uuid primary key default gen_random_uuid(), user_id text not null, name text not null,
    row_version int not null default 1, updated_at timestamptz not null default now(),
    deleted_at timestamptz);
  create policy others on bikes to current_user using (true) with check (true);
  select concierge_protect('bikes');`;

const migrations = await mkdtemp(join(tmpdir(), "concierge-marked-"));
afterAll(() => rm(migrations, { recursive: true, force: true }));
const guide = await readFile("docs/own-domain.md", "utf8");
const [policy = ""] = /create policy not_deleted [^`]+/u.exec(guide) ?? [];
await writeFile(join(migrations, "0001_bikes.sql"), `${TABLE} ${policy};`);
const domain = defineDomain({
  ...NO_DOMAIN,
  name: "bikes",
  entityTypes: [BIKE],
  subdomains: [{ name: "bikes", type: "bike", about: "bikes" }],
  tools: [DISCARD_BIKE],
  migrations,
});
const database = await ownedDatabase({}, [domainFolder(domain)]);
const owner = new Client({ connectionString: database.urlFor(database.name) });
await owner.connect();
afterAll(() => owner.end());

const LOOKS = ["Look first", "Look after it", "Look after the undo", "Look at last"];
const [FIRST = [], SECOND = [], THIRD = [], LAST = []] = LOOKS.map((description) => [
  makeStep({ description, subdomain: "bikes" }),
]);
const DISCARD = makeStep({
  description: "Discard the city bike",
  stepType: "write",
  subdomain: "bikes",
  writes: [{ action: "update", type: "bike", refs: ["bike_1"] }],
});
const READ = [call("read_bikes", {}), complete("Looked")];

test("the documented policy hides rows that are marked as deleted from the program alone, and an undo unmarks them", async () => {
  await verifyDomain(domain, database.pool);
  const models = scriptTurns([FIRST, [DISCARD], "yes", SECOND, "undo", THIRD, LAST], {
    act: stepScripts({
      ...Object.fromEntries(LOOKS.map((look) => [look, READ])),
      [DISCARD.description]: [call("discard_bike", { bike: "bike_1" }), complete("Discarded")],
    }),
    reply: Array.from({ length: 6 }, () => "Here you are."),
  });
  const thread = await testAssistant({ database, domain, models });
  await owner.query(
    "insert into concierge.bikes (user_id, name) values ($1, 'city'), ($1, 'race')",
    [thread.userId],
  );
  const send = async (text: string) => {
    const { state } = await thread.send(text);
    return state.stepResults.flatMap(({ calls }) => calls.map(({ summary }) => summary));
  };

  expect(await send("show the bikes")).toEqual(["Found 2 bikes"]);
  await thread.send("discard the city bike");
  const { reply } = await thread.send("yes");
  expect(reply.split("\n")[0]).toBe("Changed: city (deleted: none → Mon 12 Jan 2026, 11:00)");
  expect(await send("show the bikes")).toEqual(["Found 1 bike"]);
  const { rows } = await owner.query(
    "select name from concierge.bikes where deleted_at is not null",
  );
  expect(rows).toEqual([{ name: "city" }]);
  expect(await send("undo")).toEqual(["Updated 1 bike"]);
  expect(await send("show the bikes")).toEqual(["Found 2 bikes"]);

  await owner.query("update concierge.bikes set deleted_at = now() where name = 'race'");
  const { state } = await thread.send("show the bikes");
  expect(state.registry.entries.map(({ label, action }) => [label, action])).toEqual([
    ["city", "updated"],
    ["race", "deleted"],
  ]);
});

test("a yes to a value that differs each time asks again and says so, and the log names the column", async () => {
  const warnings: string[] = [];
  const thread = await testAssistant({
    database,
    domain: { ...domain, entityTypes: [{ ...BIKE, columns: [NAME, DELETED] }] },
    models: scriptTurns([FIRST, [DISCARD], "yes"], {
      act: stepScripts({
        "Look first": READ,
        [DISCARD.description]: [call("discard_bike", { bike: "bike_1" }), complete("Discarded")],
      }),
      reply: Array.from({ length: 3 }, () => "Here you are."),
    }),
    log: { ...silentLog, warn: (line) => void warnings.push(line) },
  });
  await owner.query("insert into concierge.bikes (user_id, name) values ($1, 'city')", [
    thread.userId,
  ]);

  await thread.send("show the bikes");
  await thread.send("discard the city bike");
  const { reply } = await thread.send("yes");

  expect(reply).toBe(
    "Since I asked, the new values have changed. This changes 1 bike: city (deleted: none → Mon 12 Jan 2026, 11:00). You can undo it for 30 days. Do it?",
  );
  expect(warnings).toEqual([
    'The tool "discard_bike" asks again after a "yes", since it writes other values each time; write volatile: true at those that the clock or chance computes: "deleted_at" of type "bike"',
  ]);
});
