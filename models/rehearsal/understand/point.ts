import type { UnderstandAnswer } from "../../../state/understanding.ts";
import { mentionsIn, thingsOf } from "../language/vocabulary.ts";
import { welcomedIn } from "./exclusions.ts";
import type { Memory, Pending } from "./memory.ts";
import { chosenReferences, referencesOf, type Reference } from "./references.ts";

/** Everything a message points at. */
export function allReferences(
  memory: Memory,
  answersPending: UnderstandAnswer["answersPending"],
): Reference[] {
  const { request, pointable, vocabulary, pending, excluded } = memory;
  // What answers a question is about the question, not about drafts of an earlier turn.
  if (answersPending !== null) return pending === null ? [] : pickedOptions(request.plain, pending);
  const restored = request.wishes.flatMap(({ kind, phrase }) =>
    kind === "welcome" ? welcomedIn(phrase, excluded, vocabulary) : [],
  );
  // What is asked for by name is wanted again, whatever was said before.
  const things = [...pointable.things, ...excluded];
  return [
    ...restored.map(({ ref, label }): Reference => ({ text: label, ref, how: "inferred" })),
    ...referencesOf(request.wishes, { ...pointable, things }, vocabulary.world.parts.choices),
  ];
}

/** The options of a pending question that a message picks. */
export function pickedOptions(plain: string, { options }: Pending): Reference[] {
  const things = options.map(({ ref, label }) => ({ ref, label, facts: "", draft: false }));
  const listed = things.map(({ ref }) => ref);
  return things.length === 0
    ? []
    : chosenReferences(plain, things, {
        things,
        listed,
        recent: [],
        created: [],
        planned: [],
        pale: [],
        worldThings: () => [],
        namesChoice: () => false,
      });
}

/** References to things that stay. */
export function withoutCurated(
  references: readonly Reference[],
  { demote, drop }: UnderstandAnswer["curation"],
): Reference[] {
  const out = new Set([...demote.map(({ ref }) => ref), ...drop]);
  return references.filter(({ ref }) => !out.has(ref));
}

/** Two things fit one name, and the message would change data with one of them. */
export function clarificationOf({
  request,
  known,
  vocabulary,
}: Memory): UnderstandAnswer["clarification"] {
  const options = thingsOf(vocabulary.world.parts.choices, known);
  for (const { kind, phrase } of request.wishes) {
    const partial = mentionsIn(phrase, options, vocabulary.pale).filter(({ by }) => by === "part");
    const groups = Map.groupBy(partial, ({ at }) => at);
    const several = [...groups.values()].find((group) => group.length > 1);
    if (kind !== "schedule" || several === undefined || /\b(?:both|all)\b/.test(phrase)) continue;
    return {
      question: "Which one do you mean?",
      options: several.map(({ thing }) => ({ ref: thing.ref, label: thing.label })),
    };
  }
  return null;
}
