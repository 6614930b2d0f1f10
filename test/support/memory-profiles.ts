import type { JsonObject } from "../../state/json.ts";
import type { ModelProfileKey, ModelProfileStore } from "../../state/model.ts";

const rowName = ({ endpoint, model }: ModelProfileKey): string => `${endpoint} ${model}`;

/** A store of profiles that ends with its process. */
export function memoryProfiles(): ModelProfileStore {
  const rows = new Map<string, JsonObject>();
  return {
    load: async (key) => rows.get(rowName(key)) ?? null,
    update: async (key, change) => {
      rows.set(rowName(key), change(rows.get(rowName(key)) ?? null));
    },
  };
}
