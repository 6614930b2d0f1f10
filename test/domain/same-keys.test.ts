import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { toWrites } from "../../domain/apply-changes.ts";
import { loadLinks } from "../../domain/changes/load-links.ts";
import type { NetRow } from "../../domain/changes/net-rows.ts";
import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";

/** Rows of three types, all numbered from 1. */
const PLANT: EntityType = {
  type: "plant",
  table: "plants",
  words: { one: "plant", many: "plants" },
  rights: ["read", "delete"],
  key: { column: "id", kind: "integer" },
  version: "content",
  columns: [{ name: "name", kind: "text", nullable: false }],
  summary: ["name"],
  orderBy: ["id"],
  label: ({ name }) => (typeof name === "string" ? name : ""),
};
const POT: EntityType = {
  ...PLANT,
  type: "pot",
  table: "pots",
  words: { one: "pot", many: "pots" },
  columns: [...PLANT.columns, { name: "home_id", kind: "integer", references: "plant" }],
};
const TASK: EntityType = {
  ...PLANT,
  type: "task",
  table: "plant_tasks",
  words: { one: "task", many: "tasks" },
  columns: [...PLANT.columns, { name: "home_id", kind: "integer", references: "pot" }],
};
const entityTypes = [PLANT, POT, TASK];

const database = await testDatabase();
await database.owner.query(`
  create table plants (id int primary key, user_id text not null, name text not null);
  create table pots (id int primary key, user_id text not null, name text not null,
    home_id int references plants on delete cascade);
  create table plant_tasks (id int primary key, user_id text not null, name text not null,
    home_id int references pots on delete cascade);
  select concierge_protect('plants'), concierge_protect('pots'), concierge_protect('plant_tasks');
  grant all on plants, pots, plant_tasks to concierge_app, concierge_admin`);
await database.userData.seed("ann", randomUUID(), async (tx) => {
  await tx.query(`
    insert into plants values (1, 'ann', 'Fern'), (2, 'ann', 'Fig');
    insert into pots values (1, 'ann', 'Red pot', 1), (2, 'ann', 'Blue pot', 1);
    insert into plant_tasks values (1, 'ann', 'Water', 1), (2, 'ann', 'Turn', 2)`);
});

function describeChange(type: string, values: JsonObject): Change {
  return {
    action: "update",
    type,
    id: "1",
    ref: null,
    label: "",
    before: values,
    after: values,
    version: null,
    changed: ["name"],
    cause: "named",
  };
}

test("loadLinks() follows each change from its own type, where rows of others have the same key", async () => {
  const changes = [
    describeChange("plant", { name: "Fern" }),
    describeChange("pot", { name: "Red pot", home_id: 2 }),
    describeChange("task", { name: "Water", home_id: 2 }),
  ];
  const paths = ["home_id", "pot<home_id", "task<home_id"];

  const found = await database.userData.read("ann", async (tx) => {
    const links = await loadLinks(tx, { changes, paths, entityTypes });
    return changes.map((change) =>
      paths.map((path) => links(change, path).map(({ name }) => name)),
    );
  });

  expect(found).toEqual([
    [[], ["Red pot", "Blue pot"], []],
    [["Fig"], [], ["Water"]],
    [["Blue pot"], [], []],
  ]);
});

test("applyChanges() takes a row that a cascade deletes for no named one, where a named row has its key", async () => {
  const kitchen = openKitchen(database, { userId: "ann", entityTypes });
  for (const { words } of entityTypes) {
    await kitchen.call(`read_${words.many}`, { refs: [], where: [], anyOf: [] });
  }

  const { writes } = await kitchen.call("delete_rows", { refs: ["plant_1"], all: null });

  expect(writes.map(({ type, row, follows }) => [type, row.id, follows])).toEqual([
    ["plant", "1", false],
    ["pot", "1", true],
    ["pot", "2", true],
    ["task", "1", true],
    ["task", "2", true],
  ]);
});

test("toWrites() gives each row its own version and draft, where rows of others have the same key", () => {
  const net = [PLANT, POT].map(({ table }, index): NetRow => ({
    table,
    key: "1",
    before: null,
    after: { row_version: index + 3 },
    isChanged: true,
    follows: false,
  }));
  const drafts = new Map([[rowKey("pot", "1"), "gen_pot_1"]]);

  const writes = toWrites(
    [describeChange("plant", {}), describeChange("pot", {})],
    { net, drafts },
    entityTypes,
  );

  expect(writes.map(({ row, draft }) => [row.rowVersion, draft])).toEqual([
    [3, null],
    [4, "gen_pot_1"],
  ]);
});
