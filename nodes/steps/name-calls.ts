import type { Toolbox } from "../../domain/toolbox.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import type { ToolCall } from "../../state/model.ts";
import type { Registry } from "../../state/registry.ts";
import { isJsonObject, JsonObjectSchema, JsonSchema } from "../../state/json.ts";
import { refsInJson } from "../reply/refs-in-text.ts";

interface KnownRows {
  readonly toolbox: Pick<Toolbox, "findCreated">;
  readonly registry: Registry;
}

/** Labels of the rows that a call is about: those that it would create, else those that it names; else the tool's words. Pure. */
export function listCallLabels(
  call: Pick<ToolCall, "name" | "args">,
  { toolbox, registry }: KnownRows,
): string[] {
  const words = call.name.replaceAll("_", " ");
  const args = JsonObjectSchema.safeParse(call.args);
  if (!args.success) return [words];
  const type = toolbox.findCreated(call.name);
  const { rows } = args.data;
  if (type !== null && Array.isArray(rows) && rows.length > 0) {
    const labels = rows.filter(isJsonObject).map((row) => hideDatabaseIds(type.label(row)));
    return labels.map((label) => label || type.words.one);
  }
  const json = JsonSchema.parse(args.data);
  const labels = refsInJson(json).flatMap(
    (ref) => registry.entries.find((entry) => entry.ref === ref)?.label ?? [],
  );
  return labels.length === 0 ? [words] : labels;
}
