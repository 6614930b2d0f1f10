import { z } from "zod";
import type { Lender } from "../postgres/connections.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { ModelProfileKey, ModelProfileStore } from "../../state/model.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn } from "../postgres/json-column.ts";
import { withTransaction } from "../postgres/transaction.ts";

const RowSchema = z.object({ profile: JsonObjectSchema });

/** Remembers what was learned about models in the program's database, for all its processes. */
export function createModelProfileStore(pool: Queryable & Lender): ModelProfileStore {
  return {
    load: (key) => load(pool, key),
    update: (key, change) =>
      withTransaction(pool, async (tx) => {
        // Two processes that learn at once take turns, a first row included.
        await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 4185206377))", [
          `${key.endpoint} ${key.model}`,
        ]);
        const profile = change(await load(tx, key));
        await tx.query(
          `insert into model_profiles (endpoint, model, profile) values ($1, $2, $3)
           on conflict (endpoint, model) do update set profile = $3, updated_at = now()`,
          [key.endpoint, key.model, toJsonColumn(profile)],
        );
      }),
  };
}

async function load(db: Queryable, { endpoint, model }: ModelProfileKey) {
  const { rows } = await db.query(
    "select profile from model_profiles where endpoint = $1 and model = $2",
    [endpoint, model],
  );
  const [row] = rows;
  return row === undefined ? null : RowSchema.parse(row).profile;
}
