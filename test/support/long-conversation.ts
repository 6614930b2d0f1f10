import * as fc from "fast-check";

const DISHES = [
  "chickpea curry",
  "mushroom risotto",
  "french toast",
  "chicken wings",
  "bean chili",
];
const THINGS = ["apples", "oats", "lemons", "soap", "coffee", "carrots", "butter"];
const PLACES = ["fridge", "freezer", "pantry"];
const DAYS = ["tuesday", "wednesday", "thursday", "friday", "saturday"];

const pick = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const say = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((words) => words.join(""));
const amount = fc.integer({ min: 2, max: 12 }).map(String);

/** Messages that follow one another. */
const unit = (...messages: readonly fc.Arbitrary<string>[]): fc.Arbitrary<readonly string[]> =>
  fc.tuple(...messages);
const planned = pick(DAYS).map((day) => [
  `plan Chickpea Curry for dinner on ${day}`,
  `cancel dinner on ${day}`,
  "yes",
]);

/** Messages of a person who plans meals, for twenty turns; everything that they store is removed again. */
const TWENTY: readonly fc.Arbitrary<readonly string[]>[] = [
  unit(say("what's in my ", pick(PLACES), "?")),
  unit(say("what am I eating on ", pick(DAYS), "?")),
  pick(DISHES).map((dish) => [
    "what could I cook this week?",
    `not the ${dish} please`,
    `actually the ${dish} is fine after all`,
  ]),
  planned,
  planned,
  unit(
    say("add ", amount, " ", pick(THINGS), " to my shopping list"),
    say("add ", amount, " ", pick(THINGS), " to my shopping list"),
    fc.constant("clear my shopping list"),
    fc.constant("yes"),
  ),
  pick(DAYS).map((day) => [
    "show me recipes that use chickpeas or eggs",
    `put the first one on the plan for dinner on ${day}`,
    `cancel dinner on ${day}`,
    "yes",
  ]),
  unit(fc.constant("thanks")),
];

/**
 * `turns` messages of a long conversation; the same seed, the same messages. Every twenty turns
 * from the first hold the same messages in another order, so that what grows grows with time alone.
 */
export function longConversation(turns: number, seed: number): readonly string[] {
  const blocks = Math.ceil(turns / 20);
  const conversation = fc.tuple(...TWENTY).chain((units) =>
    fc.array(fc.shuffledSubarray(units, { minLength: units.length }), {
      minLength: blocks,
      maxLength: blocks,
    }),
  );
  const [sample = []] = fc.sample(conversation, { numRuns: 1, seed });
  return sample.flat(2).slice(0, turns);
}
