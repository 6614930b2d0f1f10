import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { z } from "zod";
import { listGrants } from "../../domain/list-grants.ts";
import { identifier, literal } from "../../domain/table-tools/sql.ts";
import type { Column, EntityRow, EntityType } from "../../state/entity.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { UserData } from "../../state/store.ts";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";
import { getMadeUpDomain, MADE_UP_DOMAINS } from "./made-up-domain.ts";
import type { World } from "./world.ts";

/** Runs work with a migration that creates the tables of every made-up domain, written from their entity types. */
export async function withMadeUpTables<T>(
  work: (folder: MigrationFolder) => Promise<T>,
): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), "concierge-made-up-"));
  const domains = Array.from({ length: MADE_UP_DOMAINS }, (_, number) => getMadeUpDomain(number));
  const types = domains.flatMap((domain) => domain.types);
  try {
    await writeFile(
      join(path, "0001_made_up.sql"),
      types.map((type) => createTable(type, types)).join("\n"),
    );
    const grants = domains.flatMap(({ domain }) => listGrants(domain));
    return await work({ name: "made_up", path, grants });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Ids look like those in memory, so that the judge sees where one leaks. */
const NEW_ID = "('5eed0000-' || substr(gen_random_uuid()::text, 10))::uuid";

function createTable({ table, columns }: EntityType, types: readonly EntityType[]): string {
  const own = columns.map((column) => `  ${identifier(column.name)} ${writeType(column, types)}`);
  return `create table ${identifier(table)} (
  id uuid primary key default ${NEW_ID},
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
${own.join(",\n")}
);
select concierge_protect(${literal(identifier(table))});
`;
}

function writeType(
  { kind, name, references, values = [] }: Column,
  types: readonly EntityType[],
): string {
  const target = types.find(({ type }) => type === references);
  if (target !== undefined)
    return `uuid references ${identifier(target.table)} (id) on delete set null`;
  switch (kind) {
    case "number":
      return "numeric";
    case "timestamp":
      return "timestamptz";
    case "tags":
      return "text[]";
    case "json":
      return "jsonb";
    case "text":
      // In the order in which JavaScript compares texts.
      return name === "name" ? 'text collate "C" not null' : "text";
    case "choice":
      return `text check (${identifier(name)} in (${values.map(literal).join(", ")}))`;
    case "integer":
    case "boolean":
    case "date":
      return kind;
  }
  return kind satisfies never;
}

interface StoredFor {
  readonly userId: string;
  /** Another program's login. */
  readonly outside: Pool;
}

const StoredRowSchema = z.object({ type: z.string(), row: JsonObjectSchema });

/** The rows of a made-up person in Postgres; the world in memory shows them as they are now. */
export class StoredTables {
  readonly #world: World;
  readonly #userId: string;
  readonly #outside: Pool;
  /** Number of the world's outside writes that have been written. */
  #written = 0;

  constructor(world: World, { userId, outside }: StoredFor) {
    this.#world = world;
    this.#userId = userId;
    this.#outside = outside;
  }

  /** Stores the world's rows, under ids that nobody else's have. */
  async seed(userData: UserData): Promise<void> {
    const { tables } = this.#world;
    const random = randomUUID().slice(8, 24);
    await userData.seed(this.#userId, `seed/${this.#userId}`, async (tx) => {
      for (const type of tables.types) {
        const rows = [...tables.readRows(type.type).values()];
        const stored = rows.map(({ id, values }) => Object.assign({ id }, values));
        const json = JSON.stringify(stored).replaceAll(MEMORY_ID, `5eed0000${random}`);
        const columns = ["id", ...type.columns.map(({ name }) => name)].map(identifier).join(", ");
        const table = identifier(type.table);
        await tx.query(
          `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
          [json],
        );
      }
    });
    await this.#load();
  }

  /** Writes what has been changed outside, as another program; then loads the rows as they are. */
  async synchronise(): Promise<void> {
    const fresh = this.#world.outsideWrites.slice(this.#written);
    this.#written += fresh.length;
    for (const { type, id, values } of fresh) {
      const table = identifier(type.table);
      const columns = Object.keys(values ?? {}).map(identifier);
      const [column = ""] = columns;
      await (values === null
        ? this.#outside.query(`delete from ${table} where id = $1`, [id])
        : this.#outside.query(
            `update ${table} set ${column} = (jsonb_populate_record(null::${table}, $2)).${column} where id = $1`,
            [id, JSON.stringify(values)],
          ));
    }
    await this.#load();
  }

  async #load(): Promise<void> {
    const { tables } = this.#world;
    const selects = tables.types.map(
      ({ type, table }) =>
        `select ${literal(type)} as type, to_jsonb(own) as row from ${identifier(table)} as own where user_id = $1`,
    );
    const { rows } = await this.#outside.query(selects.join(" union all "), [this.#userId]);
    const stored = Map.groupBy(z.array(StoredRowSchema).parse(rows), ({ type }) => type);
    for (const type of tables.types) {
      tables.load(
        type,
        (stored.get(type.type) ?? []).map(({ row }) => toEntityRow(type, row)),
      );
    }
  }
}

/** Begins every id of a world in memory. */
const MEMORY_ID = "5eed0000-0000-4000-8000-";

function toEntityRow({ columns }: EntityType, row: JsonObject): EntityRow {
  const values = columns.map(({ name }): [string, Json] => [name, row[name] ?? null]);
  const { id, rowVersion } = RowIdentity.parse({ id: row["id"], rowVersion: row["row_version"] });
  return { id, rowVersion, values: Object.fromEntries(values) };
}

const RowIdentity = z.object({ id: z.string(), rowVersion: z.number() });
