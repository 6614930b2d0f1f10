import { type Answer, asJson } from "../answer.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { decisionsOf, liftsLimit, limitsOf, revealsOf, unquoted } from "./read-person.ts";
import { contentStems, inline, sharedStems, shortened } from "./sayings.ts";

/** Brings the notes of an exploration up to date: only what is new since them. */
export function patchNotes({ section }: ParsedPrompt): Answer {
  const notes = listsOf(section("Notes So Far"));
  const said = personIn(section("Said Since"));
  const all = said.map(unquoted).join(". ");
  const known = new Set([...notes.values()].flat().map((entry) => entry.toLowerCase()));
  const fresh = (entries: readonly string[]): string[] =>
    [...new Set(entries.map((entry) => shortened(inline(entry), 160)))].filter(
      (entry) => entry !== "" && !known.has(entry.toLowerCase()),
    );
  const objections = all.split(/(?<=[.!?])\s+/).filter((sentence) => /\bbut\b/i.test(sentence));
  const decisions = decisionsOf(all).map((decision) => `Decided: ${decision}`);
  return {
    kind: "value",
    value: asJson({
      keyFindings: fresh(decisions).slice(-6),
      tensions: fresh(objections).slice(-4),
      gaps: [],
      revealedConstraints: fresh(limitsOf(all)).slice(-8),
      unpromptedReveals: fresh(revealsOf(all)).slice(-6),
      stillUnclear: [],
      impliedGoal: null,
      acceptedFraming: null,
      resistedFraming: null,
      effectiveStance: null,
      noLongerHolds: [...answered(notes, said), ...lifted(notes, all)],
    }),
  };
}

/** The entries of the notes' lists, by field. */
function listsOf(text: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  let field = "";
  for (const line of text.split("\n")) {
    const named = /^(\w+):/.exec(line)?.[1];
    if (named !== undefined) {
      field = named;
      lists.set(field, []);
    } else if (line.startsWith("- ")) {
      lists.get(field)?.push(line.slice(2));
    }
  }
  return lists;
}

function personIn(text: string): string[] {
  return [...text.matchAll(/^Person:\n<said>\n([\s\S]*?)\n?<\/said>$/gm)].map(
    ([, body = ""]) => body,
  );
}

/** What was unclear, and has been spoken of since. */
function answered(
  notes: ReadonlyMap<string, readonly string[]>,
  said: readonly string[],
): string[] {
  const heard = said.map((text) => contentStems(unquoted(text)));
  const open = [...(notes.get("stillUnclear") ?? []), ...(notes.get("gaps") ?? [])];
  return [...new Set(open)].filter((entry) => {
    const stems = contentStems(entry);
    return heard.some((words) => sharedStems(stems, words) >= 2);
  });
}

/** A limit falls only where the person lifts it: "the budget does not matter any more". */
function lifted(notes: ReadonlyMap<string, readonly string[]>, all: string): string[] {
  const sentences = all.split(/(?<=[.!?])\s+/).filter((sentence) => liftsLimit(sentence));
  return (notes.get("revealedConstraints") ?? []).filter((limit) =>
    sentences.some((sentence) => sharedStems(contentStems(limit), contentStems(sentence)) > 0),
  );
}
