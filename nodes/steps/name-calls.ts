import type { Toolbox } from "../../domain/toolbox.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { joinItems } from "../../text/join-list.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import type { ToolCall } from "../../state/model.ts";
import type { Registry } from "../../state/registry.ts";
import {
  isJsonObject,
  JsonObjectSchema,
  JsonSchema,
  type Json,
  type JsonObject,
} from "../../state/json.ts";
import { findKey, type EntityType } from "../../state/entity.ts";
import { renderSentence } from "../../text/sentences.ts";
import { refsInJson } from "../reply/refs-in-text.ts";

/** Sources of the names of calls. */
export interface KnownRows {
  readonly toolbox: Pick<Toolbox, "findCreated">;
  readonly registry: Registry;
}

/** Labels of the rows that a call is about: those that it would create, else those that it names; else the tool's words. Pure. */
export function listCallLabels(
  call: Pick<ToolCall, "name" | "args">,
  { toolbox, registry }: KnownRows,
): string[] {
  const words = nameInWords(call.name);
  const args = JsonObjectSchema.safeParse(call.args);
  if (!args.success) return [words];
  const type = toolbox.findCreated(call.name);
  const { rows } = args.data;
  if (type !== null && Array.isArray(rows) && rows.length > 0) {
    return rows.filter(isJsonObject).map((row) => labelRow(type, row));
  }
  const json = JsonSchema.parse(args.data);
  const labels = refsInJson(json).flatMap(
    (ref) => registry.entries.find((entry) => entry.ref === ref)?.label ?? [],
  );
  return labels.length === 0 ? [words] : labels;
}

/** Most rows of a refused call that are named. */
const SHOWN_LABELS = 8;

/** Joins labels, of many the first ones. */
export function joinLabels(labels: readonly string[]): string {
  const shown = joinItems(labels.slice(0, SHOWN_LABELS));
  const count = labels.length - SHOWN_LABELS;
  return count > 0 ? renderSentence("labelsAndMore", { labels: shown, count }) : shown;
}

/** Something that a call is to make. */
export interface Creation {
  readonly label: string;
  /** Another call makes the same if it makes something with one of these. */
  readonly keys: readonly string[];
}

/**
 * Lists what a call that names no row is to make: new rows by label and key, drafts by ref; what a
 * domain's tool makes, by the first text of its arguments. Pure.
 */
export function listCreations(
  call: Pick<ToolCall, "name" | "args">,
  { toolbox, registry }: KnownRows,
): readonly Creation[] {
  const type = toolbox.findCreated(call.name);
  const args = JsonObjectSchema.safeParse(call.args);
  if (type === null) {
    const key = args.success ? findText(args.data) : null;
    return key === null ? [] : [{ label: nameInWords(call.name), keys: [key] }];
  }
  const { rows = [], drafts = [] } = args.data ?? {};
  return [
    ...toList(rows)
      .filter(isJsonObject)
      .map((row) => {
        const label = labelRow(type, row);
        const key = row[findKey(type).column] ?? null;
        const keys = [
          `label ${label.toLowerCase()}`,
          ...(key === null ? [] : [`key ${JSON.stringify(key)}`]),
        ];
        return { label, keys };
      }),
    ...refsInJson(drafts).map((ref) => {
      const label = registry.entries.find((entry) => entry.ref === ref)?.label ?? type.words.one;
      return { label, keys: [`draft ${ref}`] };
    }),
  ];
}

function labelRow(type: EntityType, row: JsonObject): string {
  return hideDatabaseIds(type.label(row)) || type.words.one;
}

function toList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The first text at any depth of a value; null where there is none. */
function findText(value: Json): string | null {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return null;
  for (const part of Object.values(value)) {
    const text = findText(part);
    if (text !== null) return text;
  }
  return null;
}
