import { describe, expect, test } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createLexicon } from "../../simulated-model/language/lexicon.ts";
import { readMessage } from "../../simulated-model/language/read-message.ts";
import { splitTokens, splitWords } from "../../simulated-model/language/tokens.ts";
import { WORDINGS } from "../../simulated-model/language/wordings.ts";
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
    ["Would it be possible to have Cod Tacos on Thursday?", 'Plan "Cod Tacos" for 2026-01-15'],
    ["I wish to add two bags of flour to the list", 'Add 2 bag "flour" to the shopping list'],
    ["please to delete also the tea from the list", 'Remove "tea" from the shopping list'],
    ["any chance you could put foil on the list?", 'Add "foil" to the shopping list'],
    ["please note that I bought the tea", 'Mark "tea" on the shopping list as bought'],
    ["Would you be able to put foil on my list?", 'Add "foil" to the shopping list'],
    ["Please add for me to the list some foil", 'Add "foil" to the shopping list'],
    ["yeah no, take the tea off the list", 'Remove "tea" from the shopping list'],
  ])("knows a polite frame around a command: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    ["I froze 6 bagels", 'Add 6 "bagels" to the deep freezer'],
    ["In the freezer I have put a pizza", 'Add 1 "pizza" to the deep freezer'],
    ["found 2 cans of tuna at the back of the pantry", 'Add 2 can "tuna" to the pantry'],
    ["we've consumed 2 of the carrots", 'Remove 2 "carrots" from the inventory'],
    ["took 200g of peas out of the freezer", 'Remove 200 g "peas" from the deep freezer'],
    ["used 2 eggs for breakfast", 'Remove 2 "eggs" from the inventory'],
    ["drank 200 ml of milk last night", 'Remove 200 ml "milk" from the inventory'],
    ["I've thrown the yoghurt out", 'Remove "yoghurt" from the inventory'],
    ["cooked the last 2 carrots", 'Remove 2 "carrots" from the inventory'],
  ])("knows a report of what was stored or used: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    ["put figs on the list 500g", 'Add 500 g "figs" to the shopping list'],
    ["I want ham, 2 slices, on the list", 'Add 2 slice "ham" to the shopping list'],
    ["figs to the list please, say 2 bags", 'Add 2 bag "figs" to the shopping list'],
    ["buy figs (2 kg)", 'Add 2 kg "figs" to the shopping list'],
    ["put figs on the list x3", 'Add 3 "figs" to the shopping list'],
    ["buy mince for Thursday's dinner", 'Add "mince" to the shopping list'],
    ["put a kilo of flour on the list for Sunday's cake", 'Add 1 kg "flour" to the shopping list'],
    ["Please remove from the list the tea", 'Remove "tea" from the shopping list'],
    ["I have the tea already bought", 'Mark "tea" on the shopping list as bought'],
    [
      "Please write Cod Tacos for the dinner of Friday",
      'Plan "Cod Tacos" for dinner for 2026-01-16',
    ],
    [
      "put these in the pantry: 2 cans of tuna, 1 kg rice",
      'Add 2 can "tuna", 1 kg "rice" to the pantry',
    ],
  ])("reads amounts, times and places wherever they stand: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    ["weve run out of tea add it to the list", 'Add "tea" to the shopping list'],
    ["cod tacos on friday nite pls", 'Plan "Cod Tacos" for dinner for 2026-01-16'],
    ["cud u add figs to my list thx", 'Add "figs" to the shopping list'],
  ])("reads what is typed on a phone: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message)).map((each) => each.toLowerCase())).toEqual([
      command.toLowerCase(),
    ]),
  );

  test.each([
    ["Those figs are already bought, could you tick them off?", 'Mark "figs" as bought'],
    [
      "We have plenty of figs, so that can come off the list",
      'Remove "figs" from the shopping list',
    ],
    ["just got paid, add salmon to the list", 'Add "salmon" to the shopping list'],
    ["Mum dropped off some tea, so you can tick that off", 'Mark "tea" as bought'],
    ["the lettuce looks sad, take it out of the fridge", 'Remove "lettuce" from the fridge'],
    [
      "mum's coming over and she loves that mushroom curry, plan it for Friday",
      'Plan "mushroom curry" for 2026-01-16',
    ],
    ["That tea is already in my bag, so tick it off", 'Mark "tea" as bought'],
    [
      "My brother swears by the Cod Tacos, let's have that on Thursday",
      'Plan "Cod Tacos" for 2026-01-15',
    ],
  ])("takes the thing of a remark for what a pronoun means: %s", async (message, command) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([command]),
  );

  test.each([
    [
      "just put away the shopping: 2 l milk, 10 eggs",
      'Shall I add 2 l "milk", 10 "eggs" to the inventory?',
    ],
    ["the dog ate the cheddar", 'Shall I remove "cheddar" from the inventory?'],
    ["theres a pizza in the freezer now", 'Shall I add 1 "pizza" to the deep freezer?'],
    ["no mushrooms left", 'Shall I remove "mushrooms" from the inventory?'],
    ["no more figs in the pantry", 'Shall I remove "figs" from the pantry?'],
    ["ive got the tea thx", 'Shall I mark "tea" on the shopping list as bought?'],
    ["my neighbour gave us six figs", 'Shall I add 6 "figs" to the inventory?'],
    [
      "so the kids ate all the figs again, can you put figs on the list?",
      'Shall I remove "figs" from the inventory; add "figs" to the shopping list?',
    ],
    ["tea off", 'Shall I remove "tea" from the shopping list?'],
    [
      "swap the tea for coffee",
      'Shall I remove "tea" from the shopping list; add "coffee" to the shopping list?',
    ],
    ["Ben crossed off the foil already", 'Shall I mark "foil" on the shopping list as bought?'],
  ])("asks for a yes where only something is said: %s", async (message, question) =>
    expect(await thinkAbout(message)).toMatchObject({ decision: "propose", asks: [question] }),
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
    [
      "Cod Tacos on Friday and Chickpea Curry on Sunday, both for lunch",
      'Plan "Cod Tacos" for lunch for 2026-01-16 and "Chickpea Curry" for lunch for 2026-01-18',
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
    ["How is Chickpea Curry prepared?", "open"],
    ["let me have a nose at the pantry", "show"],
    ["what on earth is even in the fridge", "show"],
    ["which dishes are excluded?", "options"],
    ["let the Chickpea Curry back in", "restore"],
    ["we can have Chickpea Curry again", "restore"],
    ["hows the freezer looking", "show"],
    ["oh go on then, let the Chickpea Curry back in", "restore"],
    ["Chickpea Curry is again permitted", "restore"],
    ["changed my mind, we're all fine with Chickpea Curry again", "restore"],
    ["that suits me fine", "yes"],
    ["I accept the plan", "save"],
  ])("knows what is asked for: %s", (message, kind) => {
    const reading = readMessage(message, lexicon);

    expect(reading).toMatchObject({ kind: "understood", request: { clauses: [{ kind }] } });
  });

  test.each([
    ["takes no participle for a name", "what is rotting on the counter?"],
    [
      "joins no word for several dishes to one that stands before it",
      "put the Chickpea Curry on wednesday they for dinner",
    ],
  ])("%s", (_, message) => {
    expect(readMessage(message, lexicon)).toMatchObject({ kind: "unknown" });
  });
});

test.each(["constructor", "toString", "hasOwnProperty", "valueOf", "isPrototypeOf"])(
  "plan() takes the name of every object's own property for a word like any other: %s",
  async (word) => {
    const reading = await thinkAbout(`add 2 ${word} to the shopping list`);

    expect([reading.decision, plannedWrites(reading)]).toEqual(["propose", []]);
  },
);

test("splitWords() splits every phrase of the grammar as a message is split", () => {
  const phrases = [...Object.values(WORDINGS.symbols), ...Object.values(SIMULATED_WORDS.verbs)];

  expect(phrases.flat().map(splitWords)).toEqual(
    phrases.flat().map((text) => splitTokens(text).map((token) => token.text)),
  );
});
