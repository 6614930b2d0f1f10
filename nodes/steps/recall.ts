import { z } from "zod";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { NamedSchema } from "../../state/model.ts";
import type { TurnContext } from "../../state/turn.ts";
import { findEntryForRow } from "../../registry/entries.ts";
import { fittingLines } from "../../registry/fit-lines.ts";
import { renderRecalledTurns } from "../../summaries/recalled-turns.ts";
import type { NodeServices } from "../node.ts";
import { refsInJson } from "../reply/refs-in-text.ts";

const RecallSchema = z.object({
  ref: z.string().nullable().describe("a ref in them"),
  turn: z.number().int().nullable().describe("the number of one"),
  words: z.string().nullable().describe("words in them"),
});

/** The tool `recall`, which finds turns that the prompt no longer shows. */
export const RECALL_SCHEMA: NamedSchema = nameSchema("recall", {
  description: "Look into earlier turns; their refs become usable again.",
  schema: RecallSchema,
});

/** The result of a recall. */
export interface Recalled {
  /** For the model: turns with their refs, no id. */
  readonly text: string;
  readonly count: number;
  /** Entries that had left the registry and are to come back. */
  readonly entries: readonly RegistryEntry[];
  /** Every ref the found turns name that this thread has. */
  readonly refs: readonly string[];
}

interface RecallContext {
  readonly services: Pick<NodeServices, "archive" | "limits" | "countTokens">;
  readonly run: TurnContext;
  readonly registry: Registry;
}

/**
 * Looks into the archive of the thread.
 *
 * @throws ToolInputError when neither ref, turn nor words are given.
 */
export async function recall(rawArgs: unknown, facts: RecallContext): Promise<Recalled> {
  const { services, run, registry } = facts;
  const parsed = RecallSchema.safeParse(rawArgs);
  if (!parsed.success) {
    throw new ToolInputError(`Cannot recall: ${z.prettifyError(parsed.error)}`);
  }
  const { ref, turn, words } = parsed.data;
  if (ref === null && turn === null && (words === null || words.trim() === "")) {
    throw new ToolInputError("Cannot recall: give a ref, a turn number or words to look for");
  }
  const { turns, total } = await services.archive.findTurns({
    ...run,
    ref,
    turn,
    words,
    limit: services.limits.recallTurns,
  });
  const known = new Set(registry.entries.map((entry) => entry.ref));
  const named = new Set([
    ...(ref === null ? [] : [ref]),
    ...refsInJson(turns.map(({ summary }) => summary)),
  ]);
  const gone = [...named].filter((name) => !known.has(name));
  const found =
    gone.length === 0 ? [] : await services.archive.findRefs({ ...run, refs: gone, rows: [] });
  // A row that has another ref by now keeps that one.
  const entries = found.filter(
    ({ type, id }) => id === null || findEntryForRow(registry, { type, id }) === undefined,
  );
  const back = new Map([...registry.entries, ...entries].map((entry) => [entry.ref, entry]));
  const refs = [...named].filter((name) => back.has(name));
  const entities = refs.flatMap((name) => {
    const entry = back.get(name);
    return entry === undefined ? [] : [`${name}: ${entry.label}`];
  });
  const labels = fittingLines(entities, {
    budget: LABEL_TOKENS,
    countTokens: services.countTokens,
    ending: (left) => (left === 0 ? "" : `and ${left} more refs`),
  }).text;
  const text = renderRecalledTurns(turns, {
    total,
    limits: services.limits,
    budget: services.limits.recallTokens,
    countTokens: services.countTokens,
  });
  return {
    text: [text, labels].filter((part) => part !== "").join("\n"),
    count: turns.length,
    entries,
    refs,
  };
}

/** The most tokens that the labels of its refs may add to that. */
const LABEL_TOKENS = 300;
