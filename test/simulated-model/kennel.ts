import { join } from "node:path";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import { show } from "../shop/entity-types.ts";

const NAME: Column = { name: "name", kind: "text", nullable: false, set: "always" };

/** A type whose rows are called by their first text. */
function describeType(
  type: string,
  [first, ...columns]: readonly [Column, ...Column[]],
): EntityType {
  const [table, names] = [`${type}s`, [first, ...columns].map(({ name }) => name)];
  const label = [first, ...columns].find(({ kind }) => kind === "text") ?? first;
  return {
    type,
    table,
    words: { one: type, many: table },
    rights: ["read", "create", "update", "delete"],
    columns: [first, ...columns],
    summary: names,
    orderBy: [label.name],
    label: (values) => show(values[label.name]),
  };
}

const TYPES = [
  describeType("dog", [
    NAME,
    { name: "weight", kind: "number", set: "always" },
    { name: "vaccinated", kind: "boolean", nullable: false, hasDefault: true, set: "always" },
    { name: "born", kind: "date", set: "always" },
  ]),
  describeType("cat", [NAME, { name: "age", kind: "integer", set: "always" }]),
  describeType("client", [NAME, { name: "phone", kind: "text", set: "always" }]),
  describeType("book", [
    { name: "title", kind: "text", nullable: false, set: "always" },
    { name: "pages", kind: "integer", set: "always" },
  ]),
  describeType("cage", [
    { name: "occupied", kind: "boolean", nullable: false, hasDefault: true, set: "always" },
    { name: "no", kind: "integer", set: "always" },
    { name: "marking", kind: "text", nullable: false, set: "always" },
    { name: "room", kind: "text", set: "always" },
  ]),
];

/** A kennel without words of its own: numbers, a flag and a date that no message speaks of by itself. */
export const kennelDomain: Domain = {
  ...NO_DOMAIN,
  name: "kennel",
  entityTypes: TYPES,
  subdomains: TYPES.map(({ type, table }) => ({ name: table, type, about: `the ${table}` })),
  migrations: join(import.meta.dirname, "kennel"),
  demo: [
    {
      userId: "visitor",
      seed: async (tx) => {
        await tx.query(
          "insert into dogs (name, weight) values ('Rex', 30), ('Bello', 12), ('Karl-Heinz', 8), ('Mausi', 4)",
        );
        await tx.query("insert into cats (name, age) values ('Mausi', 3), ('Minka', 7)");
        await tx.query(
          "insert into clients (name) values ('Müller & Söhne'), ('Dr. Müller'), ('O''Brien'), ('Karl-Heinz Meier'), ('St. Mary''s'), ('J. R. Smith')",
        );
        await tx.query(
          "insert into books (title, pages) values ('Emma', 470), ('1984', 320), ('Catch-22', 450), ('Fahrenheit 451', 190), ('The 39 Steps', 120), ('Kim', 370)",
        );
        await tx.query(
          "insert into cages (no, marking, room) values (1, 'Cage 1', 'Attic'), (3, 'Cage 10', 'Attic'), (4, 'Cage 12', 'Attic'), (5, 'Cage 3', 'Attic'), (6, 'Cage 3', 'Cellar')",
        );
      },
    },
  ],
};
