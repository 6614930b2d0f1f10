import { joinWords } from "../language/words.ts";
import { readNamed, readRefs } from "../prompt/read-entities.ts";
import { partOfRef, type Situation } from "./situation.ts";

/**
 * What the last turn deleted, as its record says, with its verb: "eggs was", "4 of your tasks were".
 * Null where the last turn deleted nothing.
 */
export function deletedLast(situation: Situation): string | null {
  const turns = situation.lastTurns.split(/^(?=\*\*Turn \d+)/m);
  const last = turns.findLast((turn) => /^\*\*Turn \d+:\*\*/.test(turn)) ?? "";
  const stored = /^\*\*Stored:\*\* (.+)$/m.exec(last)?.[1] ?? "";
  const deleted = /(?:^|; )deleted (.+?)(?=; (?:created|updated) |$)/.exec(stored)?.[1];
  if (deleted === undefined) return null;
  const named = readNamed(deleted).map(({ label }) => label.split(": ")[0] ?? label);
  if (named.length > 0) return `${joinWords(named)} ${named.length === 1 ? "was" : "were"}`;
  const refs = readRefs(deleted);
  const parts = [...Map.groupBy(refs, (ref) => partOfRef(ref, situation) ?? "data")].map(
    ([part, own]) => `${own.length} of your ${part.replaceAll("_", " ")}`,
  );
  return `${joinWords(parts)} were`;
}
