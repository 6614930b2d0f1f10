import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";

/** Applies a merge patch to `target` (RFC 7396): null removes a key, objects are merged, everything else is put in place. Pure. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const kept = Object.entries(target).filter(([key]) => !Object.hasOwn(patch, key));
  const put = Object.entries(patch)
    .filter(([, value]) => value !== null)
    .map(([key, value]): [string, Json] => {
      if (!isJsonObject(value)) return [key, value];
      const old = Object.hasOwn(target, key) ? target[key] : undefined;
      return [key, mergePatch(isJsonObject(old) ? old : {}, value)];
    });
  return Object.fromEntries([...kept, ...put]);
}
