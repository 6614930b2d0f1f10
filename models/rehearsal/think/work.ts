import type { PlanStep } from "../../../state/plan.ts";
import { withoutDays } from "../language/calendar.ts";
import { stem } from "../language/stem.ts";
import { partsIn, type Vocabulary } from "../language/vocabulary.ts";
import { stems, tidyWords } from "../language/words.ts";
import { paleWords } from "../language/world-words.ts";
import { partOfRef, type Situation } from "./situation.ts";

/** What one wish of a message comes to: steps, or something to say. */
export interface Work {
  /** Steps; groups count from 1 within the wish. */
  readonly steps: readonly PlanStep[];
  readonly goal: string;
  readonly proposal?: string;
  readonly question?: string;
}

/** Nothing to do but to say a sentence. */
export function say(sentence: string): Work {
  return { steps: [], goal: `Say that ${sentence}` };
}

/** A step of a plan; none where the prompt does not name its part of the data. */
export function step(
  stepType: PlanStep["stepType"],
  subdomain: string | null,
  rest: {
    readonly description: string;
    readonly group?: number;
    readonly refs?: readonly string[];
  },
): PlanStep[] {
  if (subdomain === null) return [];
  const { description, group = 1, refs = [] } = rest;
  return [{ description, stepType, subdomain, group, refs: [...refs] }];
}

/** Work that needs a part which the prompt does not name cannot be planned. */
export function work(goal: string, steps: readonly PlanStep[]): Work {
  return steps.length > 0 ? { goal, steps } : say("there is no part of the data for this");
}

/** References by the part of the data they belong to. */
export function bySubdomain<T extends { readonly ref: string }>(
  references: readonly T[],
  situation: Situation,
): [string | null, T[]][] {
  return [...Map.groupBy(references, ({ ref }) => partOfRef(ref, situation))];
}

/** `meal_plans` as words. */
export function words(name: string | null): string {
  return (name ?? "data").replaceAll("_", " ");
}

/** The words with "a" or "an". */
export function withArticle(what: string): string {
  return `${/^[aeiou]/.test(what) ? "an" : "a"} ${what}`;
}

/** Whether two texts are the same words. */
export function sameWords(one: string, other: string): boolean {
  return stems(one).join(" ") === stems(other).join(" ");
}

const ASKING =
  "show see look at display read open view let me us again once more please remove delete take out off away get rid of throw undo cancel discard toss drop put schedule plan have move mark as done bought tick check set finished i we on for to from in into the a an my our full details? how do does what was is like about tell all and";

/** What a phrase names, without the words that only say what is to be done with it, and where or when. */
export function nameIn(phrase: string, vocabulary: Vocabulary): string {
  const { world } = vocabulary;
  const words = tidyWords(withoutDays(phrase), `${ASKING} ${world.uses.join(" ")}`).split(" ");
  const pale = new Set(paleWords(world));
  return words
    .filter(
      (word) => !pale.has(stem(word)) && !pale.has(word) && partsIn(word, vocabulary).length === 0,
    )
    .join(" ")
    .trim();
}
