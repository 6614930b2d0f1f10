import type { Pool } from "pg";
import { findApiKey } from "../../storage/users/api-keys.ts";
import { asDatabaseError } from "../../storage/postgres/database-error.ts";
import type { FindKeyOwner } from "./authenticate.ts";

/** Creates the lookup of stored keys. @throws DatabaseUnavailableError, from the lookup. */
export function createKeyLookup(pool: Pool): FindKeyOwner {
  return async (key) => {
    try {
      const found = await findApiKey(pool, key);
      return found === null ? null : { userId: found.userId, keyId: found.keyId };
    } catch (error) {
      throw asDatabaseError(error);
    }
  };
}
