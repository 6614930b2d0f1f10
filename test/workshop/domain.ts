import { join } from "node:path";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";

const column = (
  name: string,
  kind: Column["kind"],
  options: Partial<Omit<Column, "name" | "kind">> = {},
): Column => ({ name, kind, set: "always", ...options });

const text = (values: JsonObject, name: string): string => {
  const value = values[name];
  return typeof value === "string" ? value : "";
};

const TOOL: EntityType = {
  type: "tool",
  refPrefix: "tool",
  table: "tools",
  words: { one: "tool", many: "tools" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("name", "text", { nullable: false }),
    column("kind", "choice", {
      nullable: false,
      values: ["cutting", "drilling", "garden", "measuring", "sanding"],
    }),
    column("power", "choice", { nullable: false, values: ["battery", "mains", "hand"] }),
  ],
  summary: ["name", "kind", "power"],
  orderBy: ["created_at"],
  label: (values) => text(values, "name"),
  facts: (values) => `${text(values, "kind")}, ${text(values, "power")}`,
};

const PROJECT: EntityType = {
  type: "project",
  refPrefix: "project",
  table: "projects",
  words: { one: "project", many: "projects" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("name", "text", { nullable: false }),
    column("hours", "number"),
    column("instructions", "text"),
  ],
  lists: [
    {
      kind: "inline",
      name: "materials",
      table: "project_materials",
      foreignKey: "project_id",
      orderBy: "position",
      columns: [
        column("name", "text", { nullable: false }),
        column("quantity", "number"),
        column("unit", "text"),
      ],
    },
  ],
  summary: ["name", "hours"],
  orderBy: ["created_at"],
  label: (values) => text(values, "name"),
  facts: () => "",
};

const LOAN: EntityType = {
  type: "loan",
  refPrefix: "loan",
  table: "loans",
  words: { one: "loan", many: "loans" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("tool_id", "text", { nullable: false, references: "tool" }),
    column("day", "date", { nullable: false }),
    column("borrower", "text", { nullable: false }),
  ],
  summary: ["tool_id", "day", "borrower"],
  orderBy: ["day"],
  label: (values) => `loan on ${text(values, "day")}`,
  facts: (values) => text(values, "borrower"),
};

/** A shed of tools that neighbours lend each other: a domain that knows nothing of food. */
export const workshopDomain: Domain = {
  name: "workshop",
  persona: "the keeper of a neighbourhood's tool shed",
  activity: "tool lending",
  rules: ["One tool goes to one person a day."],
  entityTypes: [TOOL, PROJECT, LOAN],
  subdomains: [
    {
      name: "tools",
      type: "tool",
      about: "what is in the shed",
      guidance: { analyze: "Viable: fit for the work that was named." },
    },
    {
      name: "projects",
      type: "project",
      about: "things to build, with materials",
      guidance: { generate: "Give name, hours, materials, instructions." },
    },
    {
      name: "loans",
      type: "loan",
      reads: ["tool"],
      about: "who has which tool on which day",
      guidance: { write: "One row a tool and day." },
    },
  ],
  tools: [],
  checks: [],
  loadProfile: async () => ({ text: "", facts: {} }),
  loadSnapshot: async (db) => {
    const { rows } = await db.query("select count(*)::int as tools from tools");
    return `${String(rows[0]?.["tools"])} tools in the shed.`;
  },
  formatQuick: () => null,
  emptyText: (table) => `There is nothing in ${table}.`,
  migrations: join(import.meta.dirname, "migrations"),
  demo: [{ userId: "keeper", seed: seedShed }],
};

const SHED = [
  ["cordless drill", "drilling", "battery"],
  ["hammer drill", "drilling", "mains"],
  ["hand saw", "cutting", "hand"],
  ["jigsaw", "cutting", "mains"],
  ["strimmer", "garden", "battery"],
  ["belt sander", "sanding", "mains"],
  ["spirit level", "measuring", "hand"],
] as const;

async function seedShed(tx: Queryable): Promise<void> {
  await tx.query("delete from loans");
  await tx.query("delete from projects");
  await tx.query("delete from tools");
  for (const [name, kind, power] of SHED) {
    await tx.query("insert into tools (name, kind, power) values ($1, $2, $3)", [
      name,
      kind,
      power,
    ]);
  }
  // The belt sander is out already on the Saturday of the demo's week.
  await tx.query(
    `insert into loans (tool_id, day, borrower)
     select id, '2026-01-17', 'Mara' from tools where name = 'belt sander'`,
  );
}
