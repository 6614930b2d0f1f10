import type { Pool } from "pg";
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from "../../storage/users/api-keys.ts";
import { asDatabaseError } from "../../storage/postgres/database-error.ts";
import { withStorage } from "../../app/open-stored.ts";
import type { KeysRequest } from "./arguments.ts";
import { renderKeys } from "./render-keys.ts";

const DAY_MS = 86_400_000;

/**
 * Creates, lists or revokes keys and returns the exit code: 1 if there is no such key to revoke.
 *
 * @throws UsageError for bad settings; Error in a sentence when the database cannot be used.
 */
export async function runKeys(request: KeysRequest): Promise<number> {
  return withStorage("keys", async ({ database }) => {
    try {
      return await carryOut(database.pool, request);
    } catch (error) {
      throw asDatabaseError(error);
    }
  });
}

async function carryOut(pool: Pool, request: KeysRequest): Promise<number> {
  switch (request.action) {
    case "create": {
      const { userId, label, days } = request.values;
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS);
      const { key, record } = await createApiKey(pool, { userId, label, expiresAt });
      process.stderr.write(`${describeNew(record)}\n`);
      process.stdout.write(`${key}\n`);
      return 0;
    }
    case "list": {
      const { userId } = request.values;
      const keys = await listApiKeys(pool, userId === null ? {} : { userId });
      process.stdout.write(renderKeys(keys, new Date()));
      return 0;
    }
    case "revoke": {
      const { keyId } = request.values;
      if (await revokeApiKey(pool, keyId)) {
        process.stderr.write(`Key ${keyId} is revoked\n`);
        return 0;
      }
      process.stderr.write(
        `Cannot revoke key "${keyId}": there is no such key, or it is already revoked; npm run --silent keys -- list shows them\n`,
      );
      return 1;
    }
    default:
      return request satisfies never;
  }
}

function describeNew({ keyId, userId, expiresAt }: ApiKey): string {
  const until = expiresAt === null ? "until it is revoked" : `until ${expiresAt.slice(0, 10)}`;
  return `Key ${keyId} of user "${userId}", valid ${until}. This is the only time it is shown:`;
}
