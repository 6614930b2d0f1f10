import { contentFromFields, ContentRowsSchema } from "../../domain/table-tools/content.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import type { EntityType } from "../../state/entity.ts";
import type { ToolCall } from "../../state/model.ts";
import type { Registry } from "../../state/registry.ts";
import { JsonObjectSchema, JsonSchema } from "../../state/json.ts";
import { refsInJson } from "../reply/refs-in-text.ts";

interface KnownRows {
  readonly types: readonly EntityType[];
  readonly registry: Registry;
}

/** Labels of the rows that a call is about: those that it would create, else those that it names; else the tool. Pure. */
export function listCallLabels(call: ToolCall, { types, registry }: KnownRows): string[] {
  const args = JsonObjectSchema.safeParse(call.args);
  if (!args.success) return [call.name];
  const type = types.find(({ table }) => table === args.data["table"]);
  const rows = ContentRowsSchema.safeParse(args.data["rows"]);
  if (type !== undefined && rows.success) {
    return rows.data.map((row) => hideDatabaseIds(type.label(contentFromFields(type, row))));
  }
  const json = JsonSchema.parse(args.data);
  const labels = refsInJson(json).flatMap(
    (ref) => registry.entries.find((entry) => entry.ref === ref)?.label ?? [],
  );
  return labels.length === 0 ? [call.name] : labels;
}
