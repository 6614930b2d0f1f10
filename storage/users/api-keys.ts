import { createHash, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { toTextColumn } from "../postgres/json-column.ts";

/** The record of an API key. The key itself is not stored. Times are ISO 8601. */
export const ApiKeySchema = z.object({
  keyId: z.string(),
  userId: z.string(),
  label: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** To the minute. */
  lastUsedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKeySchema>;

export interface NewApiKey {
  readonly userId: string;
  /** Name the user gave it. */
  readonly label: string;
  /** Time at which it expires; null for never. */
  readonly expiresAt: Date | null;
}

const COLUMNS = `key_id as "keyId", user_id as "userId", label, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

const PREFIX = "cg_";
/** 256 bits in base64url. */
const KEY = /^cg_[\w-]{43}$/;

/**
 * Creates a key. The key itself is returned here and cannot be read again.
 *
 * @throws RangeError for an empty user, or an invalid expiry.
 */
export async function createApiKey(
  db: Queryable,
  { userId, label, expiresAt }: NewApiKey,
): Promise<{ readonly key: string; readonly record: ApiKey }> {
  if (userId === "") throw new RangeError('Cannot make a key for the user "": name one');
  if (Number.isNaN(expiresAt?.getTime())) {
    throw new RangeError("Cannot make a key: its expiry is not a valid time");
  }
  const key = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const { rows } = await db.query(
    `insert into api_keys (key_id, user_id, hash, label, expires_at)
     values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
    [randomUUID(), userId, hashKey(key), toTextColumn(label), expiresAt?.toISOString() ?? null],
  );
  return { key, record: ApiKeySchema.parse(rows[0]) };
}

/**
 * Finds a valid key and records its use; null for one that is unknown, revoked or expired.
 *
 * The use is written at most once a minute: a key may be used a hundred times a second.
 */
export async function findApiKey(db: Queryable, key: string): Promise<ApiKey | null> {
  if (!KEY.test(key)) return null;
  const { rows } = await db.query(
    `with found as (
       select * from api_keys
        where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())),
     used as (
       update api_keys set last_used_at = now()
        where key_id = (select key_id from found
                         where last_used_at is null or last_used_at < now() - interval '1 minute'))
     select ${COLUMNS} from found`,
    [hashKey(key)],
  );
  return rows[0] === undefined ? null : ApiKeySchema.parse(rows[0]);
}

/** Selects keys by user; without one, all keys. */
export interface ApiKeyFilter {
  readonly userId?: string;
}

/** Lists keys, the newest first, revoked and expired ones included. */
export async function listApiKeys(
  db: Queryable,
  { userId }: ApiKeyFilter = {},
): Promise<readonly ApiKey[]> {
  const { rows } = await db.query(
    `select ${COLUMNS} from api_keys where $1::text is null or user_id = $1
      order by created_at desc, key_id`,
    [userId ?? null],
  );
  return ApiKeySchema.array().parse(rows);
}

/** Revokes a key; false if there is none with that id, or it is revoked already. */
export async function revokeApiKey(db: Queryable, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "update api_keys set revoked_at = now() where key_id = $1 and revoked_at is null",
    [keyId],
  );
  return rowCount === 1;
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
