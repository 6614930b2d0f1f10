import { mentionsIn, thingsWith, type Vocabulary } from "../language/vocabulary.ts";
import { stem } from "../language/stem.ts";
import { indexOfWords, stems } from "../language/words.ts";
import { worldThings } from "../language/world-things.ts";
import type { Thing } from "../prompt/read-entities.ts";

/** What a refusal takes out, and the wish that stays. */
interface Exclusion {
  readonly demoted: readonly { readonly thing: Thing; readonly reason: string }[];
  /** Words for what is not wanted beyond the things that are known: "cod". */
  readonly wishes: readonly string[];
}

/**
 * What a refusal is about: options by name, and every option whose label or facts show what is not
 * wanted. What is more than a dish ("cod", "fish") stays a wish.
 */
export function exclusionOf(
  phrase: string,
  options: readonly Thing[],
  vocabulary: Vocabulary,
): Exclusion {
  const mentions = mentionsIn(phrase, options, vocabulary.pale);
  const whole = mentions.filter(({ by }) => by === "whole");
  const taken = new Set(whole.flatMap(({ thing }) => stems(thing.label)));
  const words = worldThings(phrase, vocabulary).filter(
    (word) => !stems(word).every((one) => taken.has(one)),
  );
  const byWord = words.map((word) => ({
    word,
    things: thingsWith(stem(word), options, vocabulary.world),
  }));
  const refused = byWord.flatMap(({ word, things }) =>
    things.map((thing) => ({ thing, reason: `contains ${word}` })),
  );
  const named = [...whole, ...mentions.filter(({ by }) => by === "part")]
    .filter(({ thing }) => !refused.some((one) => one.thing.ref === thing.ref))
    .map(({ thing }) => ({ thing, reason: "not wanted" }));
  const wishes = byWord
    .filter(
      ({ word, things }) => things.length === 0 || things.some((thing) => !labelled(word, thing)),
    )
    .map(({ word }) => word);
  const inOrder = [...named, ...refused].filter(
    ({ thing }, index, all) => all.findIndex((one) => one.thing.ref === thing.ref) === index,
  );
  return {
    demoted: options.flatMap(({ ref }) => inOrder.find(({ thing }) => thing.ref === ref) ?? []),
    wishes,
  };
}

function labelled(word: string, { label }: Thing): boolean {
  return indexOfWords(stems(label), stems(word)) !== -1;
}

/** What is taken out and named as welcome again. */
export function welcomedIn(
  phrase: string,
  excluded: readonly Thing[],
  vocabulary: Vocabulary,
): Thing[] {
  const named = mentionsIn(phrase, excluded, vocabulary.pale).map(({ thing }) => thing);
  const words = worldThings(phrase, vocabulary).flatMap((word) =>
    thingsWith(stem(word), excluded, vocabulary.world),
  );
  return [...new Set([...named, ...words])];
}
