import { findEntry } from "../registry/entries.ts";
import { listUndone, type UndoneDecision } from "../registry/curation.ts";
import type { Curation, Registry } from "../state/registry.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { oneLine } from "../text/fence.ts";
import { renderSentence } from "../text/sentences.ts";
import { CURATION_NOT_DONE } from "./reply/collect-receipts.ts";

interface ReportedCuration {
  /** The answer as its model gave it. */
  readonly asked: Pick<UnderstandAnswer, "curation" | "references">;
  /** The curation that is carried out. */
  readonly done: Curation;
  readonly registry: Registry;
  /** The person's message. */
  readonly message: string;
}

/**
 * Words what the person is to know of a curation, as notices that become receipts: what could not be
 * left out or brought back, each once, and that everything left out is forgotten. What is unknown is named
 * in words of the message alone. Pure.
 */
export function reportUndoneCuration({
  asked,
  done,
  registry,
  message,
}: ReportedCuration): Notice[] {
  const undone = listUndone(asked.curation, done).flatMap(
    ({ action, ref }) => wordUndone({ action, ref }, { asked, registry, message }) ?? [],
  );
  const forgets = done.clearAll && registry.entries.some(({ demotion }) => demotion !== null);
  const texts = [...undone, ...(forgets ? [renderSentence("nothingLeftOut")] : [])];
  return [...new Set(texts)].map((text) => ({
    node: "understand",
    code: CURATION_NOT_DONE,
    text,
  }));
}

/** Returns the sentence; null for a thing that is gone, which nobody is offered. */
function wordUndone(
  { action, ref }: UndoneDecision,
  { asked, registry, message }: Omit<ReportedCuration, "done">,
): string | null {
  const entry = findEntry(registry, ref);
  if (entry?.action === "deleted") {
    if (action === "demote") return null;
    return renderSentence("goneNotBroughtBack", { what: entry.label });
  }
  if (entry !== undefined) {
    const known = action === "demote" ? "knownNotLeftOut" : "knownNotBroughtBack";
    return renderSentence(known, { what: entry.label });
  }
  const words = asked.references.find((reference) => reference.ref === ref)?.text ?? "";
  const isTheirs = words !== "" && message.toLowerCase().includes(words.toLowerCase());
  const named = isTheirs ? `"${oneLine(words)}"` : renderSentence("somethingNamed");
  return renderSentence(action === "demote" ? "notLeftOut" : "notBroughtBack", {
    what: named,
  });
}
