import { join } from "node:path";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { show } from "../shop/entity-types.ts";

const OWN = { version: "content", rights: ["read", "create", "update", "delete"] } as const;

const CATEGORY: EntityType = {
  ...OWN,
  type: "category",
  table: "categories",
  words: { one: "category", many: "categories" },
  key: { column: "CategoryId", kind: "integer" },
  columns: [
    { name: "CategoryId", kind: "integer", nullable: false, hasDefault: true, label: "number" },
    { name: "Name", kind: "text", nullable: false, set: "always", label: "name" },
  ],
  summary: ["CategoryId", "Name"],
  orderBy: ["CategoryId"],
  label: ({ Name }) => show(Name),
};

const ACTOR: EntityType = {
  ...OWN,
  type: "actor",
  table: "actors",
  words: { one: "actor", many: "actors" },
  key: { column: "actor_id", kind: "integer" },
  columns: [
    { name: "first_name", kind: "text", nullable: false, set: "always" },
    { name: "last_name", kind: "text", nullable: false, set: "always", label: "family name" },
  ],
  summary: ["first_name", "last_name"],
  orderBy: ["actor_id"],
  label: ({ first_name, last_name }) => `${show(first_name)} ${show(last_name)}`,
};

const FILM: EntityType = {
  ...OWN,
  type: "film",
  table: "films",
  words: { one: "film", many: "films" },
  key: { column: "film_id", kind: "integer" },
  columns: [
    { name: "title", kind: "text", nullable: false, set: "always" },
    { name: "category_id", kind: "text", references: "category", set: "always" },
  ],
  summary: ["title", "category_id"],
  orderBy: ["film_id"],
  label: ({ title }) => show(title),
};

/** A cinema with sixteen categories, of which the films need the second, four actors and 250 films. */
export const cinemaDomain: Domain = {
  ...NO_DOMAIN,
  name: "cinema",
  entityTypes: [CATEGORY, ACTOR, FILM],
  subdomains: [
    { name: "films", type: "film", about: "the films" },
    { name: "actors", type: "actor", about: "the actors" },
    { name: "categories", type: "category", about: "the categories of films" },
  ],
  tools: [],
  checks: [],
  migrations: join(import.meta.dirname, "cinema"),
  demo: [
    {
      userId: "visitor",
      seed: async (tx) => {
        await tx.query(
          `insert into categories ("Name") select unnest(string_to_array('Action,Animation,Children,Classics,Comedy,Drama,Family,Foreign,Games,Horror,Music,New,Opera,Rock ''n'' Roll,Travel,Western', ','))`,
        );
        await tx.query(
          `insert into actors (first_name, last_name) values ('MARY', 'SMITH'), ('PENELOPE', 'GUINESS'), ('PENELOPE', 'CRONYN'), ('Hugh', 'O''Reilly')`,
        );
        await tx.query(
          `insert into films (title, category_id) select 'FILM ' || chr(65 + n / 26) || chr(65 + n % 26), (select min("CategoryId") + 1 from categories) from generate_series(0, 249) as n`,
        );
      },
    },
  ],
};
