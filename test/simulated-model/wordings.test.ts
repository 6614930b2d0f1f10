import { describe, expect, test } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createLexicon } from "../../simulated-model/language/lexicon.ts";
import { readMessage } from "../../simulated-model/language/read-message.ts";
import { plannedWrites, thinkAbout } from "./think-about.ts";

describe("plan(), of what people write in other words,", () => {
  test.each([
    [
      "I have put 500 g of mince in the fridge. Please add it to the stock.",
      'Add 500 g "mince" to the fridge',
    ],
    [
      "My uncle brought a kilo of plums. They are on the counter, please add them to the stock.",
      'Add 1 kg "plums" to the kitchen counter',
    ],
    [
      "we need candles and matches, put em on the list",
      'Add "candles", "matches" to the shopping list',
    ],
    [
      "The butter is getting low. Please add 250 g of butter to the list.",
      'Add 250 g "butter" to the shopping list',
    ],
    ["we've used up the ginger, it's all gone", 'Remove "ginger" from the inventory'],
    [
      "The kids love Black Bean Chili, so put it down for lunch on Sunday.",
      'Plan "Black Bean Chili" for lunch for 2026-01-18',
    ],
  ])("takes a pronoun for what was named before: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    ["Phew, what a day! Put lemonade on the list.", 'Add "lemonade" to the shopping list'],
    [
      "Went to the dentist this morning, so annoying. Add soap to the list.",
      'Add "soap" to the shopping list',
    ],
    [
      "My aunt is vegan and she dislikes it, so take the butter off the list before she arrives",
      'Remove "butter" from the shopping list',
    ],
    ["add tea to the list, we just used the last one", 'Add "tea" to the shopping list'],
  ])("passes over what asks for nothing: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    [
      "I should be most grateful if you could add jelly to the shopping list.",
      'Add "jelly" to the shopping list',
    ],
    ["Plan Black Bean Chili, Tuesday.", 'Plan "Black Bean Chili" for 2026-01-13'],
    [
      "schedule the Black Bean Chili: Friday, lunch, for three",
      'Plan "Black Bean Chili" for lunch for 2026-01-16 for 3 people',
    ],
    [
      "Black Bean Chili for dinner on Friday. Two portions.",
      'Plan "Black Bean Chili" for dinner for 2026-01-16 for 2 people',
    ],
    ["would you mind putting figs on the list?", 'Add "figs" to the shopping list'],
    ["we need 2 kg of sugar on the list", 'Add 2 kg "sugar" to the shopping list'],
    ["please store 300 g of salmon in the fridge", 'Add 300 g "salmon" to the fridge'],
    ["add 4 limes to the stock on the counter", 'Add 4 "limes" to the kitchen counter'],
    ["please deduct 50 g of butter from the stock", 'Remove 50 g "butter" from the inventory'],
    ["3 eggs used", 'Remove 3 "eggs" from the inventory'],
    ["i got all 4 lemons", 'Mark "lemons" on the shopping list as bought'],
    ["The tea has been bought.", 'Mark "tea" on the shopping list as bought'],
  ])("knows other words for a command: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    ["on Saturday the 17th", "2026-01-17"],
    ["on the first of February", "2026-02-01"],
    ["for sunday, 18 january", "2026-01-18"],
  ])("reads a day: %s", async (day, date) =>
    expect(plannedWrites(await thinkAbout(`plan Chickpea Curry ${day}`))).toEqual([
      `Plan "Chickpea Curry" for ${date}`,
    ]),
  );

  test.each([
    [
      "My boss is visiting on Friday, so plan Cod Tacos for lunch that day.",
      'Plan "Cod Tacos" for lunch for 2026-01-16',
    ],
    [
      "plan Chickpea Curry for Friday and Cod Tacos for Sunday, both for lunch",
      'Plan "Chickpea Curry" for lunch for 2026-01-16 and "Cod Tacos" for lunch for 2026-01-18',
    ],
  ])("reads a day or a time that is named elsewhere: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    "plan Chickpea Curry for Sunday the 17th",
    "add soap to the list, so frobnicate the eggs",
    "any honey in the fridge",
    "I ate half of the grapes. Please add them to the list",
    "There is jam in the fridge and cheese, add it to the stock",
    "add rice to the list; add eggs to the pantry; both to my list",
  ])("writes nothing of what is not certain: %s", async (message) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([]),
  );

  test("asks whether a misspelled name is meant that is to be marked", async () => {
    expect(await thinkAbout("mark the choclate as bought")).toMatchObject({
      decision: "propose",
      asks: ["Did you mean “mark the chocolate as bought”?"],
    });
  });
});

const lexicon = createLexicon({
  words: SIMULATED_WORDS,
  parts: [],
  labels: ["Chickpea Curry"],
  today: "2026-01-12",
  takesRefs: false,
});

describe("readMessage(), of what people ask in other words,", () => {
  test.each([
    ["Kindly tell me what is stored in the pantry", "show"],
    ["what is sitting on the counter?", "show"],
    ["which of our recipes are vegetarian?", "show"],
    ["show me everything we have in the freezer", "show"],
    ["how many minutes does the Chickpea Curry take?", "open"],
    ["which dishes could I cook with our present supplies?", "options"],
    ["We have far too many limes, what can I cook with them?", "show"],
    ["I don't care for peas; exclude every dish with them", "exclude"],
    ["we had peas twice, so leave them out", "exclude"],
    ["I do fancy Chickpea Curry after all, put it back among the ideas", "restore"],
    ["that suits me fine", "yes"],
    ["I accept the plan", "save"],
  ])("knows what is asked for: %s", (message, kind) => {
    const reading = readMessage(message, lexicon);

    expect(reading).toMatchObject({ kind: "understood", request: { clauses: [{ kind }] } });
  });

  test("takes no participle for a name: what lies there is no thing", () => {
    expect(readMessage("what is rotting on the counter?", lexicon)).toMatchObject({
      kind: "unknown",
    });
  });
});
