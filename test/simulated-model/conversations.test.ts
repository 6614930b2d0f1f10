import { describe, expect, test } from "vitest";
import { testAssistant, type SentTurn, type TestAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();

/** Returns the effects of a turn, as `created milk`. */
const effects = ({ record }: SentTurn): string[] =>
  (record?.effects ?? []).map(({ action, label }) => `${action} ${label}`);

async function sendAll(assistant: TestAssistant, messages: readonly string[]): Promise<SentTurn[]> {
  const turns: SentTurn[] = [];
  for (const message of messages) turns.push(await assistant.send(message));
  return turns;
}

describe("the concierge's question", () => {
  test("createSimulatedModel() goes from the question to the plan, with another task between", async () => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [
      "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
      "we both get home after seven and nobody wants to cook. budget is $1,500 a month",
      "put eggs on my shopping list",
      "ok let's do it. give me a plan",
      "step 1 is done, what now?",
    ]);
    const [opening, , eggs, planned, next] = turns;

    expect(opening?.reply).toMatch(/^Here is what I would do\./);
    expect(eggs && effects(eggs)).toEqual(["created eggs"]);
    expect(planned?.reply).toContain("“budget is $1,500 a month”");
    expect(next?.reply).toContain("**Step 2: Buy for exactly those dinners**");
    expect(next?.state.concierge.activeWorkflow?.currentStepIndex).toBe(1);
    expect(turns.map(({ reply }) => reply).join()).not.toContain("<<<");
  });

  test("createSimulatedModel() writes the plan for whoever asks at once, and changes its steps", async () => {
    const assistant = await testAssistant({ database });
    const [, planned, , , last] = await sendAll(assistant, [
      "we keep ordering takeout, what should we do?",
      "ok, give me a plan",
      "step 1 is done, what now?",
      "skip step 2",
      "drop step 3",
    ]);

    expect(planned?.reply).toContain("1. **Choose what carries the week**");
    expect(last?.state.journeyPlan?.steps.map(({ title, mark }) => [title, mark])).toEqual([
      ["Choose what carries the week", "done"],
      ["Buy for exactly those dinners", "skipped"],
      ["Give every evening an owner", "open"],
      ["Look back after a week", "open"],
    ]);
  });

  test("createSimulatedModel() gives four answers that differ, one of them a dissent", async () => {
    const assistant = await testAssistant({ database });
    const { state } = await assistant.send("we keep ordering takeout, what should we do?");
    const claims = state.opening?.analysis?.claims ?? [];

    expect(new Set(claims.map(({ supporters }) => supporters.length)).size).toBeGreaterThan(1);
    expect(claims.every(({ supporters }) => supporters.length < 4)).toBe(true);
    expect(state.opening?.analysis?.edges.some(({ type }) => type === "conflicts")).toBe(true);
  });

  test("createSimulatedModel() answers any other open question with one sentence and asks nobody", async () => {
    const assistant = await testAssistant({ database });
    const { reply, events } = await assistant.send("should i quit my job?");

    expect(reply).toMatch(/^I cannot advise without a language model\./);
    expect(events.some(({ type }) => type.startsWith("expert"))).toBe(false);
  });
});

describe("its abilities in the demo kitchen", () => {
  test.each([
    ["what's in my fridge?", "eggs: 6"],
    ["show me my shopping list", "oat milk: 1 l"],
    ["what am I having for dinner tonight?", "Mushroom Risotto"],
    ["show my tasks", "Clean the fridge"],
    ["which recipes use chickpeas or eggs?", "Egg Fried Rice"],
    ["show me the recipe for chickpea curry", "Toast the curry powder"],
    ["do we have any butter?", "butter: 150 g"],
    ["what expires soon?", "- mushrooms: 300 g (until Thu 15 Jan)"],
    ["what goes bad this week?", "- bread: 8 slices (until Thu 15 Jan)"],
    ["what should I use up first?", "- milk (500 ml), until 2026-01-16"],
    ["what's going bad in the fridge on wednesday?", "- spinach: 200 g (until Wed 14 Jan)"],
    ["when does the milk expire?", "- milk: 500 ml (until Fri 16 Jan)"],
    ["what expires on the list?", 'I did not understand "expires".'],
  ])("createSimulatedModel() shows: %s", async (message, shown) => {
    const assistant = await testAssistant({ database });
    const turn = await assistant.send(message);

    expect(turn.reply).toContain(shown);
    expect(effects(turn)).toEqual([]);
  });

  test.each([
    ["show me teh shoping list", 'I found nothing called "teh shoping" in the shopping list.'],
    ["do we have dragn friut?", 'I found nothing called "dragn friut" in the inventory.'],
    [
      "which recipes use unobtainium",
      'I found nothing for “show the recipes using "unobtainium"”.',
    ],
    ["show Anna", "**Anna**"],
  ])(
    "createSimulatedModel() finds a name, or says what it looked for: %s",
    async (message, sentence) => {
      const assistant = await testAssistant({ database });

      expect((await assistant.send(message)).reply).toContain(sentence);
    },
  );

  test.each([
    [
      "add 2 kg of rice, 6 eggs and milk to the shopping list",
      ["created rice", "created eggs", "created milk"],
    ],
    ["put a bottle of olive oil in the pantry please", ["created olive oil"]],
    ["remove the oranges from my shopping list", ["deleted oranges"]],
    ["i bought the coffee", ["updated coffee"]],
    ["mark coffee and oranges as bought", ["updated coffee", "updated oranges"]],
    ["add milk to the list and take the coffee off the list", ["created milk", "deleted coffee"]],
    ["plan Chickpea Curry for Friday", ["created Chickpea Curry, Fri 16 Jan dinner"]],
    [
      "plan the risotto for lunch tomorrow for 4 people",
      ["created Mushroom Risotto, Tue 13 Jan lunch"],
    ],
  ])("createSimulatedModel() writes at once: %s", async (message, expected) => {
    const assistant = await testAssistant({ database });

    expect(effects(await assistant.send(message))).toEqual(expected);
  });

  test.each([
    ["put 🍕 on my shopping list", ["created 🍕"]],
    ["we are out of milk", ["created milk"]],
    ["order pizza", ["created pizza"]],
    ["let's order 2 pizzas for friday", ["created pizzas"]],
    ["fetch me a beer", ["created beer"]],
    ["store the eggs", ["created eggs"]],
    ["add milc to the list", ["created milk"]],
    ["remove milk from my shopping list", ["deleted oat milk"]],
    ["remove the eggs and the milk from the fridge", ["deleted eggs", "deleted milk"]],
    ["we finished the bread", ["deleted bread"]],
    ["cancel lunch on sunday", ["deleted Black Bean Chili, Sun 18 Jan lunch"]],
    ["remove everything on my to-do list", ["deleted", "deleted", "deleted"]],
  ])("createSimulatedModel() writes only after a yes: %s", async (message, expected) => {
    const assistant = await testAssistant({ database });
    const [asked, agreed] = await sendAll(assistant, [message, "yes please"]);
    const declined = await testAssistant({ database });
    const [, refused] = await sendAll(declined, [message, "no"]);

    expect(asked && effects(asked)).toEqual([]);
    expect(asked?.reply).toMatch(
      /^(?:Nothing has been changed yet\.\n\n(?:I do not know "🍕"\. )?(?:Shall I|Did you mean) |This deletes )/,
    );
    expect(
      agreed && effects(agreed).map((effect, index) => effect.slice(0, expected[index]?.length)),
    ).toEqual(expected);
    expect(refused && effects(refused)).toEqual([]);
  });

  test.each([
    ["remove the butter and frobnicate the eggs", 'I did not understand "frobnicate".'],
    [
      "remove the milk and the unicorns from the fridge",
      'I found no "unicorns" in the fridge, so nothing was changed.',
    ],
    [
      "remove unicorns from my shopping list",
      'I found no "unicorns" in the shopping list, so nothing was changed.',
    ],
    ["plan bacon for friday", 'There is no recipe called "bacon", so nothing was planned.'],
    ["plan the cod for friday", "There is more than one: "],
    [
      "remove the eggs from the fridge, remove the milk from the fridge, remove the butter from the fridge, remove the rice from the pantry, remove the peas from the freezer and remove the berries from the freezer",
      "That is too much for one message.",
    ],
    ["Milch auf die Einkaufsliste", 'I did not understand "Milch", "auf", "die", "Einkaufsliste".'],
  ])("createSimulatedModel() says why: %s", async (message, sentence) => {
    const assistant = await testAssistant({ database });

    expect((await assistant.send(message)).reply).toContain(sentence);
  });

  test.each([
    "undo",
    "Undo that.",
    "please undo the last change",
    "thanks! undo that",
    "oops, can you undo the last thing?",
    "take that back please",
  ])("createSimulatedModel() takes back the last change: %s", async (message) => {
    const assistant = await testAssistant({ database });
    const [, undone, again] = await sendAll(assistant, [
      "add milk to the shopping list",
      message,
      message,
    ]);

    expect(undone && effects(undone)).toEqual(["deleted milk"]);
    expect(undone?.reply).toBe("Undone: milk (removed again)");
    expect(again && effects(again)).toEqual([]);
    expect(again?.reply).toContain("Nothing was undone: ");
  });

  test.each([
    ["undo that?", "To take my last change back, write “undo”."],
    ["how do i undo that", "To take my last change back, write “undo”."],
    ["don't undo that", 'I did not understand "undo", "that".'],
    ["undo that and add eggs", 'I did not understand "undo that".'],
  ])("createSimulatedModel() takes nothing back for: %s", async (message, sentence) => {
    const assistant = await testAssistant({ database });
    const [, turn] = await sendAll(assistant, ["add milk to the shopping list", message]);

    expect(turn && effects(turn)).toEqual([]);
    expect(turn?.reply).toContain(sentence);
  });

  test.each([
    [
      ["add flour", "make the flour 500 g"],
      "Changed: flour (quantity: none → 500, unit: none → g)",
    ],
    [["add eggs", "actually 12 of them"], "Changed: eggs (none → 12)"],
    [["add milk", "make it 3 l", "sorry, 2"], "Changed: milk (3 → 2)"],
    [
      ["change the coffee on the list to 2 packs"],
      "Changed: coffee (quantity: 250 → 2, unit: g → pack)",
    ],
    [
      ["plan Chickpea Curry for Friday", "move it to 2026-01-17"],
      "Changed: Chickpea Curry, Sat 17 Jan dinner (was Chickpea Curry, Fri 16 Jan dinner, date: Fri 16 Jan 2026 → Sat 17 Jan 2026)",
    ],
    [
      ["move tonight's dinner to 2026-01-15"],
      "Changed: Mushroom Risotto, Thu 15 Jan dinner (was Mushroom Risotto, Mon 12 Jan dinner, date: Mon 12 Jan 2026 → Thu 15 Jan 2026)",
    ],
    [["add milk and eggs", "make it 4"], 'Which one do you mean by "it"?'],
    [["show my shopping list", "actually 4"], "What shall be 4? Please name it."],
    [["make the flour 2 kg"], 'Shall I change "flour" in the inventory to 2 kg?'],
    [["make the coffee 2 packs"], "Which one do you mean? Please say where it is."],
    [
      ["make the unicorns 2"],
      'I found no "unicorns" in the shopping list or the inventory, so nothing was changed.',
    ],
    [["move the oranges to the fridge"], "I cannot make that fridge."],
    [["add milk", "make it 4?"], 'Shall I change "milk" to 4?'],
  ])("createSimulatedModel() changes one row, or asks which: %s", async (messages, sentence) => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, messages);
    const last = turns.at(-1);

    expect(last?.reply).toContain(sentence);
    expect(last && effects(last).length).toBe(sentence.startsWith("Changed: ") ? 1 : 0);
  });

  test.each([
    [["i bought the coffee", "and the oranges too"], ["updated oranges"]],
    [["i bought the coffee", "and the oranges too", "and eggs"], []],
    [["i bought the coffee", "and the oranges"], []],
    [["add milk", "half a litre of cream too lol"], ["created cream"]],
    [["do we have butter?", "then put it on the list"], ["created butter"]],
    [["do we have eggs?", "oops, add them to the shopping list, gracias"], ["created eggs"]],
    [["add milk and eggs", "add them to the pantry"], []],
    [["show chickpea curry", "add it to the list"], []],
    [["add lol"], []],
  ])("createSimulatedModel() goes on with the message before: %s", async (messages, expected) => {
    const assistant = await testAssistant({ database });
    const last = (await sendAll(assistant, messages)).at(-1);

    expect(last && effects(last)).toEqual(expected);
  });

  test("createSimulatedModel() asks what “take that back” means while something is left out", async () => {
    const assistant = await testAssistant({ database });
    const [, , asked] = await sendAll(assistant, [
      "what could i cook this week?",
      "not the wings",
      "take that back",
    ]);

    expect(asked?.reply).toBe("Do you mean “undo”, or “bring back” something that is left out?");
  });

  test("createSimulatedModel() says what it did, as far back as it can see", async () => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [
      "what did you do?",
      "add milk and 3 lemons to the shopping list",
      "i bought the coffee",
      "remove the oranges from my shopping list",
      "what have you changed so far?",
      "did you add butter?",
      "did you delete anything?",
    ]);
    const [first, , , , all, butter, deleted] = turns.map(({ reply }) => reply);

    expect(first).toBe("As far back as I can see, I changed nothing in your data.");
    expect(all).toBe(
      "As far back as I can see, I have done this, oldest first:\n- added milk, lemons\n- changed coffee\n- deleted oranges",
    );
    expect(butter).toBe('As far back as I can see, I added nothing called "butter" in your data.');
    expect(deleted).toMatch(/^As far .*:\n- deleted oranges/s);
  });

  test("createSimulatedModel() knows what it stored before many messages that stored nothing", async () => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [
      "plan egg fried rice tomorrow for 6 people",
      "plan egg fried rice in two weeks",
      "plan egg fried rice for yesterday",
      "show me next week's meals",
      "why?",
      "plan egg fried rice in two weeks",
      "why?",
      "what's gone off?",
      "what expires soon?",
      "show me next week's meals",
      "why?",
      "what have you done?",
    ]);

    expect(turns.at(-1)?.reply).toContain("- added Egg Fried Rice");
  });

  test.each<[string, readonly string[]]>([
    ["and add lemons to the list then", ["created lemons"]],
    ["add lemons to the list again, thanks", ["created lemons"]],
    ['add "lemons" to the shopping list', ["created lemons"]],
    ["lemons too", []],
    ["forget it", []],
  ])(
    "createSimulatedModel() reads the beginning and the end of a message: %s",
    async (message, done) => {
      const assistant = await testAssistant({ database });
      const turn = await assistant.send(message);

      expect(effects(turn)).toEqual(done);
      expect(turn.reply).not.toContain("I did not understand");
      expect(turn.reply).not.toContain("I do not know");
    },
  );

  test.each<[string, readonly string[], string]>([
    ["what's in the freezer? purple cats!", [], 'I did not understand "purple cats".'],
    ["no cod please, i had that yesterday", [], "All right: no cod."],
    [
      "add lemons, for cakes or so",
      ["created lemons"],
      'I did not understand "for cakes or so". Shall I add "lemons" to the shopping list?',
    ],
    ["add lemons, no wait, limes", [], 'I did not understand "limes".'],
  ])(
    "createSimulatedModel() shows what it understood of a message, and asks before it changes anything: %s",
    async (message, agreed, sentence) => {
      const assistant = await testAssistant({ database });
      const [turn, after] = await sendAll(assistant, [message, "yes"]);

      expect(turn && effects(turn)).toEqual([]);
      expect(turn?.reply).toContain(sentence);
      expect(after && effects(after)).toEqual(agreed);
    },
  );

  test.each<[readonly string[], readonly string[], RegExp]>([
    [["remove the oranges", "great, do it"], ["deleted oranges"], /^Deleted: oranges/u],
    [["remove the oranges", "keep it"], [], /^All right, nothing was changed\./u],
    [["remove it", "the oranges", "yes"], ["deleted oranges"], /^Deleted: oranges/u],
    [["used 250 g of rice", "yes"], ["deleted rice"], /^Deleted: rice/u],
    [["no more milk"], [], /“leave out milk” or “add milk to the shopping list”\?$/u],
    [
      ["no more chili", "leave out chili"],
      [],
      /Left out because of your wishes: Black Bean Chili/u,
    ],
    [["no more milk", "add milk to the shopping list"], ["created milk"], /^Added: milk/u],
    [["add milk", "save it"], [], /^It is saved already\.$/u],
    [
      ["add onions to the list and plan the risotto", "friday", "yes"],
      ["created onions"],
      /^Added: onions\n\nThis was still to come: Plan "risotto" for 2026-01-16\./u,
    ],
    [["no chickpea curry this week", "the curry is fine again"], [], /Chickpea Curry/u],
    [["no more milk or eggs"], [], /“leave out milk and eggs” or “add milk and eggs to the /u],
    [
      ["no chicken wings this week", "no chicken curry this week", "chicken is fine again"],
      [],
      /^More than one is left out: "chicken wings" and "chicken curry"\./u,
    ],
    [
      ["no curry this week", "chickpea curry is fine again"],
      [],
      /^"curry" is left out as a whole/u,
    ],
    [["in the fridge I need 3 more eggs"], [], /^I did not understand "I need"/u],
    [["I would like to dance, please"], [], /^I did not understand "dance"/u],
    [["just got paid, add salmon to the list"], ["created salmon"], /^Added: salmon/u],
  ])(
    "createSimulatedModel() takes short answers and plain statements for no more than they say: %j",
    async (messages, done, reply) => {
      const assistant = await testAssistant({ database });
      const last = (await sendAll(assistant, messages)).at(-1);

      expect(last && effects(last)).toEqual(done);
      expect(last?.reply).toMatch(reply);
    },
  );

  test.each<[string, readonly string[], readonly string[]]>([
    ["remove the oranges and add milk", [], ["deleted oranges", "created milk"]],
    [
      "remove the kitchen roll and add milk, then show my list",
      [],
      ["deleted kitchen roll", "created milk"],
    ],
    ["add milk and remove the oranges", ["created milk"], ["deleted oranges"]],
  ])(
    "createSimulatedModel() asks about one command and forgets none beside it: %s",
    async (message, done, agreed) => {
      const assistant = await testAssistant({ database });
      const [turn, after] = await sendAll(assistant, [message, "yes"]);

      expect(turn?.reply).toContain("Shall I remove");
      expect([turn, after].map((each) => each && effects(each))).toEqual([done, agreed]);
    },
  );

  test.each<[readonly string[], readonly string[], string]>([
    [["plan the curry", "friday"], ["created Chickpea Curry, Fri 16 Jan dinner"], "Added: "],
    [["show my tasks", "mark the first one as done"], ["updated "], "done: false → true"],
    [["add bananas to the list", "what's on it now?"], [], "bananas"],
    [["do we have onions and tomatoes?"], [], "- tomatoes (3)"],
    [["does anybody have an allergy?"], [], "Anna (allergic to peanuts)"],
    [["when are we having the risotto?"], [], "Mushroom Risotto"],
    [["what about the ginger?"], [], "**ginger**"],
    [
      ["add tofu to the freezer", "and bacon", "and 2 packs of peas"],
      ["created peas"],
      "Added: peas (2 pack, freezer)",
    ],
    [["show my shopping list", "put leeks on there"], ["created leeks"], "Added: leeks"],
    [["show my shopping list", "is the coffee on there already?"], [], "coffee"],
    [["we have 2 tins of tuna in the pantry"], [], 'Shall I add 2 can "tuna" to the pantry?'],
    [["we have butter in the fridge?"], [], "butter: 150 g"],
    [["add bacon", "and leeks"], ["created leeks"], "Added: leeks"],
    [["add beer to the list", "oh no, cancel that"], [], "write “undo”"],
    [["remove the oranges", "no, keep them"], [], "All right, nothing was changed."],
    [
      ["plan the curry and the risotto on wednesday"],
      ["created Chickpea Curry, Wed", "created Mushroom Risotto, Wed"],
      "Wed 14 Jan dinner",
    ],
    [["what could i make with chickpeas?"], [], "1. Chickpea Curry: chickpeas"],
    [["i dont like mushrooms", "mushrooms are fine, put them back"], [], "2. Mushroom Risotto"],
    [["what could i cook?", "no fish", "no cod"], [], "All right: no fish and no cod."],
    [["what could i cook?", "number 3 please"], [], "**French Toast**"],
    [["mark oat milk as bought", "put oat milk back on the list"], ["created oat milk"], "Added: "],
    [
      ["put rice in the freezer", "show my list", "move the rice to the fridge"],
      [],
      "There is more than one: rice in the pantry and rice in the freezer.",
    ],
    [
      ["what is in the freezer and what's the weather?"],
      [],
      'I did not understand "what\'s the weather".',
    ],
    [["I'm allergic to eggs", "what can i cook?"], [], "French Toast (eggs), Egg Fried Rice."],
    [
      ["what is missing for cod tacos?"],
      [],
      "Missing for Cod Tacos: cod fillet, tortillas, cabbage.",
    ],
    [
      ["what am i missing for lemon butter cod?", "add whatever is missing to the list"],
      ["created cod fillet"],
      "Added: ",
    ],
    [
      ["the risotto sounds nice, do we have everything for it?"],
      [],
      "Everything for Mushroom Risotto",
    ],
    [
      ["which one is the fastest?"],
      [],
      "the quickest first; what they need is there:\n1. French Toast",
    ],
    [
      ["we are out of eggs and soap, add both to the list"],
      ["created eggs", "created soap"],
      "Added: ",
    ],
    [
      ["i bought 500g of mince, pop it in the freezer"],
      ["created mince"],
      "mince (500 g, freezer)",
    ],
    [["add apples to the list, about 6 of them"], ["created apples"], "Added: apples (6)"],
    [["add oat milk to the fridge, 1 litre"], ["created oat milk"], "oat milk (1 l, fridge)"],
    [["take the coffee off the list, we've got plenty"], ["deleted coffee"], "Deleted: coffee"],
    [["take 2 eggs out of the fridge"], ["updated eggs"], "Changed: eggs (6 → 4)"],
    [["remove 6 eggs from the fridge"], [], 'Shall I remove "eggs" from the fridge?'],
    [["i used 2 eggs"], ["updated eggs"], "Changed: eggs (6 → 4)"],
    [["i used 2 eggs?"], [], 'Shall I remove 2 "eggs" from the inventory?'],
    [
      ["plan the risotto for next friday", "sorry, i meant 2026-01-16"],
      ["created Mushroom Risotto, Fri 16 Jan dinner"],
      "Added: ",
    ],
    [
      ["plan the curry", "friday lunch please", "no wait, saturday"],
      ["updated Chickpea Curry, Sat 17 Jan lunch"],
      "Changed: ",
    ],
    [["show french toast", "great, friday please"], ["created French Toast, Fri"], "Added: "],
    [
      ["what could i cook?", "the second one sounds good, put it on the plan for friday"],
      ["created Mushroom Risotto, Fri"],
      "Added: ",
    ],
    [["no wings this week pls"], [], "Left out because of your wishes: Sticky Chicken Wings."],
    [["add chocolate", "oops, not the chocolate"], [], "To take my last change back"],
    [["plan cod tacos yesterday"], [], 'I did not understand "yesterday".'],
    [["what's on the shoping list"], [], "Did you mean “what's on the shopping list”?"],
    [
      ["remove the coffee from the list", "and the oranges"],
      [],
      'Shall I remove "oranges" from the',
    ],
    [["do we have butter?", "put leeks on there"], [], 'I did not understand "on there"'],
    [["chuck the yoghurt"], [], 'Shall I remove "yoghurt" from the inventory?'],
    [["toss the cucumber, it went bad", "yes"], ["deleted cucumber"], "Deleted: cucumber"],
    [["throw bread on the list"], ["created bread"], "Added: bread"],
    [["put the chopped tomatoes away"], [], 'I did not understand "away"'],
    [["what could i cook?", "not the curry, the risotto"], [], "Please say the whole command"],
    [["show my list", "skip the oranges"], [], 'Shall I remove "oranges" from the shopping list?'],
    [["add bread and then clear my list"], [], 'You ask me to add and to remove "bread".'],
    [["clear my shopping list", "yes?"], [], "Please answer with “yes” or “no”."],
    [["add milk", "undo that", "did you add milk?"], [], "- added milk\n- deleted milk"],
    [["there's no cheese in the fridge, is there"], [], "cheddar"],
    [["what's in the fridge with the milk"], [], "I did not understand"],
    [["don't add milk to the shopping list"], [], 'I did not understand "don\'t".'],
    [["remove the eggs, 2 of them", "yes"], [], ""],
  ])("createSimulatedModel() knows what was meant: %s", async (messages, done, sentence) => {
    const assistant = await testAssistant({ database });
    const last = (await sendAll(assistant, messages)).at(-1);

    expect(last && effects(last)).toEqual(done.map((each) => expect.stringContaining(each)));
    expect(last?.reply).toContain(sentence);
  });

  test("createSimulatedModel() follows an ordinal and a pronoun to the dish that was listed", async () => {
    const assistant = await testAssistant({ database });
    const [, , planned] = await sendAll(assistant, [
      "what could i cook this week?",
      "the second one",
      "put it on friday",
    ]);

    expect(planned && effects(planned)).toEqual(["created Mushroom Risotto, Fri 16 Jan dinner"]);
  });

  test.each([
    ["drop the first one", "Do you mean “leave out Chickpea Curry” or “remove Chickpea Curry"],
    ["remove the first one from the recipes", 'Shall I remove "Chickpea Curry" from the recipes?'],
  ])(
    "createSimulatedModel() deletes no recipe that was only pointed at: %s",
    async (message, asked) => {
      const assistant = await testAssistant({ database });
      const [, turn] = await sendAll(assistant, ["what could i cook this week?", message]);

      expect(turn?.reply).toContain(asked);
      expect(turn && effects(turn)).toEqual([]);
    },
  );

  test("createSimulatedModel() brings everything back", async () => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [
      "what could i cook this week?",
      "not the wings, no curry",
      "bring them all back",
    ]);

    expect(turns.at(-1)?.reply).toContain("Sticky Chicken Wings");
    expect(turns.at(-1)?.reply).toContain("Chickpea Curry");
  });

  test("createSimulatedModel() brings a dish back, and fills days from what is left", async () => {
    const assistant = await testAssistant({ database });
    const [, , back, days, saved] = await sendAll(assistant, [
      "what could I cook?",
      "not the wings, no curry",
      "actually the wings are fine after all",
      "plan 2 dinners from tuesday to friday",
      "save it",
    ]);

    expect(back?.reply).toContain("Sticky Chicken Wings");
    expect(back?.reply).not.toContain("Chickpea Curry");
    expect(days && effects(days)).toEqual([]);
    expect(saved && effects(saved)).toEqual([
      "created Mushroom Risotto, Tue 13 Jan dinner",
      "created French Toast, Wed 14 Jan dinner",
    ]);
  });

  test("createSimulatedModel() keeps to an allergy unless it is waived", async () => {
    const assistant = await testAssistant({ database });
    const [asked, agreed] = await sendAll(assistant, ["add peanuts to my shopping list", "yes"]);

    expect(asked && effects(asked)).toEqual([]);
    expect(asked?.reply).toContain("peanuts");
    expect(agreed && effects(agreed)).toEqual(["created peanuts"]);
  });
});

describe("createSimulatedModel(), told of an allergy", () => {
  test("notes it for the one who talks, and does not plan what has it without a question", async () => {
    const assistant = await testAssistant({ database });
    const [asked, noted, planned] = await sendAll(assistant, [
      "I'm allergic to eggs",
      "yes",
      "put the french toast on wednesday dinner",
    ]);

    expect(asked?.reply).toContain("Shall I note that Anna is allergic to eggs?");
    expect(asked?.reply).toContain("say “Ben is allergic to eggs”");
    expect(noted?.reply).toContain("Changed: Anna (allergies: peanuts → peanuts, eggs)");
    expect(noted?.reply).toContain(
      'Note: Anna must not eat what is planned: "French Toast, Sat 17 Jan breakfast" (egg).',
    );
    expect(planned?.reply).toContain(
      '"French Toast, Wed 14 Jan dinner" has egg, which Anna must not eat',
    );
    expect([asked, noted, planned].map((turn) => turn && effects(turn))).toEqual([
      [],
      ["updated Anna"],
      [],
    ]);
  });

  test.each<Case>([
    [
      "ben is allergic to nuts and milk / yes",
      ["Ben (allergies: none → nuts, milk)"],
      ["updated Ben"],
    ],
    ["anna is allergic to nuts / no", ["All right, nothing was changed."], []],
    ["i am allergic to peanuts", ['"peanuts" is already noted for Anna.'], []],
    ["my daughter is allergic to kiwi", ['I know nobody called "daughter" in the members.'], []],
  ])("asks first, and knows whom it concerns: %s", expectLast);
});

describe("createSimulatedModel(), asked to remove what nobody named", () => {
  test("asks which one, where the turn before stored and showed nothing", async () => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [
      "add milk to the shopping list",
      "add sugar to the shopping list",
      "hello",
      "remove that",
    ]);

    expect(turns.map(effects)).toEqual([["created milk"], ["created sugar"], [], []]);
    expect(turns.at(-1)?.reply).toContain("Which one do you mean");
  });

  test("answers a word of thousands of letters, and quotes its beginning", async () => {
    const assistant = await testAssistant({ database });
    const { reply } = await assistant.send("ü".repeat(5_000));

    expect(reply).toContain(`"${"ü".repeat(60)}…"`);
    expect(reply.length).toBeLessThan(1_000);
  }, 30_000);
});

const FRIDAY_LUNCH = "updated Chickpea Curry, Fri 16 Jan lunch";

/** Messages of one conversation, what the last reply says, and what the last turn stores. */
type Case = readonly [messages: string, sentences: readonly string[], stored: readonly string[]];

describe("createSimulatedModel(), where something is left as it is", () => {
  test.each<Case>([
    [
      "add coffee, kiwis and coffee",
      ["Added: kiwis", '"coffee" is already on the shopping list.'],
      ["created kiwis"],
    ],
    ["mark coffee as bought / i bought the coffee", ['"coffee" is already marked as bought.'], []],
    [
      "mark coffee as bought / mark coffee and oranges as bought",
      ["Changed: oranges", '"coffee" is already marked as bought.'],
      ["updated oranges"],
    ],
    [
      "mark everything on my shopping list as bought / mark everything on my shopping list as bought",
      ["Everything on the shopping list is already marked as bought."],
      [],
    ],
    [
      "mark everything in the fridge as bought",
      ["I cannot mark anything in the fridge as bought."],
      [],
    ],
    [
      "clear my preferences",
      ["I cannot change the preferences: what is stored there has no name."],
      [],
    ],
  ])("says so: %s", expectLast);

  test("says it once where nothing else was asked", async () => {
    const assistant = await testAssistant({ database });
    const { reply } = await assistant.send("add coffee to the shopping list");

    expect(reply.split("is already on the shopping list.")).toHaveLength(2);
    expect(reply).not.toContain("..");
  });
});

describe("createSimulatedModel(), asked to leave out or to bring back a food", () => {
  test.each<Case>([
    [
      "what could i cook? / no milk",
      ["All right: no Chickpea Curry (coconut milk) or French Toast (milk)."],
      [],
    ],
    [
      "no milk",
      ["Left out because of your wishes: Chickpea Curry (coconut milk), French Toast (milk)."],
      [],
    ],
    ["no cod this week / which dishes are excluded?", ["because of your wishes: no cod"], []],
    ["no fish / the tacos are okay for me", ['Left out at the moment: "fish".'], []],
    [
      "no chicken wings / no chicken / chicken wings are fine again",
      ['"chicken" is left out as a whole. To bring it back, write “chicken is fine again”.'],
      [],
    ],
    [
      "what could i cook? / no fish / no cod / fish is fine again",
      ["Back again: Fisherman's Stew."],
      [],
    ],
    // Butter stands too far down in the list for the table of names.
    [
      "what could i cook? / no butter",
      ["Left out because of your wishes: Mushroom Risotto (butter)"],
      [],
    ],
    [
      "what could i cook? / no fish / no curry / not the wings / fish is ok again",
      [
        "Back again: Lemon Butter Cod, Cod Tacos and Fisherman's Stew.",
        "Something is missing for Lemon Butter Cod, Cod Tacos and Fisherman's Stew.",
      ],
      [],
    ],
    [
      "what could i cook? / no fish / no curry / not the wings / curry is fine again",
      ["Back again: Chickpea Curry.", "1. Chickpea Curry"],
      [],
    ],
  ])("names each dish, with the reason: %s", expectLast);
});

describe("createSimulatedModel(), after what was said before", () => {
  test.each([
    ["add milk", ["created eggs"]],
    ["remove the oranges from my shopping list", []],
    ["mark coffee as bought", []],
    ["no fish this week", []],
  ])("goes on adding only after an addition: %s", async (message, expected) => {
    const assistant = await testAssistant({ database });
    await assistant.send(message);
    const turn = await assistant.send("and eggs");

    expect(effects(turn)).toEqual(expected);
    expect(turn.reply.includes("What shall I do with")).toBe(expected.length === 0);
  });

  test.each([
    ["remove coffee and oranges from my shopping list", "no, just the coffee"],
    ["remove milk", "no the oat milk"],
    ["clear my shopping list", "what's in my freezer?"],
  ])("carries out nothing of a question that was not the last: %s", async (asked, between) => {
    const assistant = await testAssistant({ database });
    const turns = await sendAll(assistant, [asked, between, "yes"]);

    expect(turns.flatMap(effects)).toEqual([]);
  });
});

describe("createSimulatedModel(), where a message can mean something else than it seems", () => {
  test.each<Case>([
    [
      "remove the toast",
      ['Shall I remove "French Toast 2026-01-17 breakfast" from the meal plan?'],
      [],
    ],
    [
      "plan the risotto for thursday / remove the risotto",
      ["Mushroom Risotto 2026-01-12 dinner and Mushroom Risotto 2026-01-15 dinner"],
      [],
    ],
    [
      "plan the curry for friday and remove the curry",
      [
        "Added: Chickpea Curry, Fri 16 Jan dinner",
        "There is more than one: Chickpea Curry 2026-01-12 lunch and Chickpea Curry 2026-01-16 dinner.",
      ],
      ["created Chickpea Curry, Fri 16 Jan dinner"],
    ],
    ["remove the eggs", ['Shall I remove "eggs" from the inventory?'], []],
    [
      "add milk and then remove milk",
      ['You ask me to add and to remove "milk". Which of the two shall I do?'],
      [],
    ],
    [
      "add milk to the list and remove the milk from the fridge",
      ["Added: milk", "Deleted: milk"],
      ["created milk", "deleted milk"],
    ],
    [
      "we're out of mustard",
      ['Shall I add "mustard" to the shopping list? The inventory stays as it is:'],
      [],
    ],
    [
      "we ran out of mustard / yes / no mustard left / yes",
      ["Deleted: mustard"],
      ["deleted mustard"],
    ],
    ["we are nearly out of mustard", ['Shall I add "mustard" to the shopping list?\n'], []],
    ["remove milk / no wait", ["All right, nothing was changed."], []],
    ["clear my shopping list / no, wait a minute", ["All right, nothing was changed."], []],
    [
      "what could i cook? / remove unicorns / put the first one on thursday",
      ['Shall I plan "Chickpea Curry" for 2026-01-15?'],
      [],
    ],
    ["put the first one on thursday", ['Which one do you mean by "first one"?'], []],
  ])("asks, or says what it does: %s", expectLast);
});

describe("createSimulatedModel(), after it has written or asked", () => {
  test.each<Case>([
    ["the mushrooms in the fridge", ['Shall I add "mushrooms" to the fridge?'], []],
    ["the mushrooms to the fridge", ["Added: mushrooms"], ["created mushrooms"]],
    ["used 100 g of flour", ["Changed: flour (1 → 0.9)"], ["updated flour"]],
    ["another 500 g of flour came in the pantry", ["flour (1 → 1.5)"], ["updated flour"]],
    ["reduce the flour by 1000 g / yes", ["Deleted: flour"], ["deleted flour"]],
    ["add 3 milk / only 2", ["Changed: milk (3 → 2)"], ["updated milk"]],
    ["add 3 milk / yes, but only 2 / yes", ["Changed: milk (3 → 2)"], ["updated milk"]],
    ["add 3 milk / make that 2", ["Changed: milk (3 → 2)"], ["updated milk"]],
    [
      "add 2 milk / I meant soy milk",
      ['Shall I remove "milk" from the shopping list; add 2 "soy milk" to the shopping list?'],
      [],
    ],
    ["add milk / no I meant eggs / yes", ["Deleted: milk"], ["deleted milk", "created eggs"]],
    ["add milk / no, oat milk", ['Shall I remove "milk" from the shopping list; add "oat'], []],
    ["put milk in the fridge / no, oat milk / no", ["nothing was changed"], []],
    ["add milk / no, thanks", ["write “undo”"], []],
    ["add milk / sorry, wrong shop", ["I did not understand"], []],
    ["plan the curry for friday / lunch instead", ["slot: dinner → lunch"], [FRIDAY_LUNCH]],
    ["plan the curry for friday / no, lunch", ["slot: dinner → lunch"], [FRIDAY_LUNCH]],
    ["plan the curry for friday / make it lunch / yes", ["slot: dinner → lunch"], [FRIDAY_LUNCH]],
    [
      "plan the curry for wednesday / Thursday, not Wednesday",
      ["Changed: "],
      ["updated Chickpea Curry, Thu 15 Jan dinner"],
    ],
    [
      "plan the curry for friday / no, the risotto / yes / yes",
      ["Added: Mushroom Risotto, Fri 16 Jan dinner"],
      ["created Mushroom Risotto, Fri 16 Jan dinner"],
    ],
  ])("changes what it has just written, or asks: %s", expectLast);

  test.each<Case>([
    ["make the coffee 2 packs / on the shopping list", ["250 → 2"], ["updated coffee"]],
    ["make the coffee 2 packs / the one on the list", ["250 → 2"], ["updated coffee"]],
    ["make the coffee 2 packs / the pantry", ["100 → 2"], ["updated coffee"]],
    ["make the coffee 2 packs / the second", ["100 → 2"], ["updated coffee"]],
    ["make the coffee 2 packs / neither", ["All right, nothing was changed."], []],
    ["remove the coffee / both", ["This deletes 1 shopping list line: coffee", "Not done: "], []],
    ["remove the coffee / what's in my freezer?", ["peas: 500 g"], []],
    ["remove the coffee / the coffee in the pantry", ["Deleted: coffee"], ["deleted coffee"]],
    ["remove the coffee / milk", ['I did not understand "milk"'], []],
    [
      "plan the risotto for thursday / remove the risotto / the one on thursday",
      ["This deletes 1 planned meal: Mushroom Risotto, Thu 15 Jan dinner"],
      [],
    ],
    ["plan the risotto for thursday / remove the risotto / both", ["This deletes 2 planned"], []],
    ["remove eggs / the ones in the freezer", ['I found no "eggs" in the deep freezer'], []],
    [
      "remove milk / from the shopping list",
      ['Shall I remove "oat milk" from the shopping list?'],
      [],
    ],
    [
      "remove the coffee and the oranges from the list / just the coffee",
      ["Deleted: coffee"],
      ["deleted coffee"],
    ],
    [
      "take coffee and chocolate off my list / only coffee / yes",
      ["No question of mine waits for a yes"],
      [],
    ],
    ["remove the coffee and the oranges from the list / both", ["This deletes 2 shopping"], []],
    ["clear my shopping list / great, see you tomorrow", ['I did not understand "you"'], []],
    ["clear my shopping list / thank you for your help!", ['I did not understand "help"'], []],
    ["clear my shopping list / just the milk / yes", ["Deleted: oat milk"], ["deleted oat milk"]],
    ["clear my shopping list / just the butter", ['I did not understand "butter"'], []],
  ])("takes a place, a day, a number or a name for an answer: %s", expectLast);

  test.each<Case>([
    [
      "do we have lemons and limes? / add both to the list",
      ["Added: lemons, limes"],
      ["created lemons", "created limes"],
    ],
    ["do we have lemons and limes? / add it to the list", ["Which one do you mean"], []],
    ["delete it / the eggs in the fridge I mean", ["Deleted: eggs"], ["deleted eggs"]],
    [
      "the wings are too messy for me, leave it out / leave out the wings",
      ["All right: no Sticky Chicken Wings."],
      [],
    ],
    ["add peas / put it in the freezer", ['Shall I add "peas" to the deep freezer?'], []],
    ["put peas in the fridge / put them in the freezer", ["fridge → freezer"], ["updated peas"]],
    ["do we have bread? / put it in the freezer", ["counter → freezer"], ["updated bread"]],
    ["show the risotto / is it vegetarian?", ["tags vegetarian"], []],
    ["is the risotto vegan?", ["tags vegetarian"], []],
    ["what's for dinner tonight? / how long does it take?", ["cook minutes 30"], []],
    ["what could i cook? / the first two", ["1. Chickpea Curry", "2. Mushroom Risotto"], []],
  ])("knows what a pronoun means: %s", expectLast);
});

async function expectLast(
  messages: string,
  sentences: readonly string[],
  stored: readonly string[],
) {
  const assistant = await testAssistant({ database });
  const last = (await sendAll(assistant, messages.split(" / "))).at(-1);

  for (const sentence of sentences) expect(last?.reply).toContain(sentence);
  expect(last && effects(last)).toEqual(stored);
}

test("createSimulatedModel() shows people and preferences readably", async () => {
  const assistant = await testAssistant({ database });
  const [people, asked, shown, both] = await sendAll(assistant, [
    "who lives here?",
    "what are my preferences?",
    "show my preferences",
    "show my preferences and my tasks",
  ]);

  expect(people?.reply).toContain("- Anna: allergic to peanuts; dislikes olives; likes curry\n");
  expect(asked?.reply).toContain("**Preferences**\n- Household: 2 people\n- Equipment: oven");
  expect(shown?.reply).toBe(asked?.reply);
  expect(both?.reply).toContain("household size 2, equipment oven, ");
});

test("createSimulatedModel() asks before a person leaves the household, and with them what they must not eat", async () => {
  const assistant = await testAssistant({ database });
  const [asked, removed] = await sendAll(assistant, ["remove Ben from the household", "yes"]);

  expect(asked && [asked.reply, effects(asked)]).toEqual([
    expect.stringMatching(/^This deletes 1 member: Ben.+Do it\?$/u),
    [],
  ]);
  expect(removed && effects(removed)).toEqual(["deleted Ben"]);
});

/** The steps of the plan that are recorded as done. */
const complete = (turn: SentTurn | undefined): string[] =>
  (turn?.state.concierge.activeWorkflow?.steps ?? []).flatMap(({ id, status }) =>
    status === "complete" ? [id] : [],
  );

test("createSimulatedModel() says which steps of a plan are recorded as done, and which are not", async () => {
  const assistant = await testAssistant({ database });
  const [, , , unknown, two, again, ordinal, denied, reopened] = await sendAll(assistant, [
    "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
    "we both get home after seven and nobody wants to cook. budget is $1,500 a month",
    "ok let's do it. give me a plan",
    "step 9 is done",
    "i did step 2 and 3",
    "step 2 is done",
    "the fourth step is done",
    "i did not do step 1",
    "step 2 is not done",
  ]);

  expect(unknown?.reply).toContain("there is no step 9, so nothing was recorded for it.");
  expect(complete(unknown)).toEqual([]);
  expect(two?.reply).toMatch(
    /^Done: 2 \(“.+”\) and 3 \(“.+”\)\.\n\nStep 1 is still open\.\n\nNext is this:/u,
  );
  expect(two?.reply).toContain("**Step 4: ");
  expect(complete(two)).toEqual(["step_2", "step_3"]);
  expect(again?.reply).toMatch(/^Not done, “step 2 is done”: the plan is like that already\./u);
  expect(complete(ordinal)).toEqual(["step_2", "step_3", "step_4"]);
  expect(denied?.reply).toContain("I recorded nothing as done.");
  expect(complete(denied)).toEqual(complete(ordinal));
  expect(reopened?.reply).toMatch(/^Open again: 2 \(“/u);
  expect(complete(reopened)).toEqual(["step_3", "step_4"]);
});

/** The steps of the plan with their marks, in their order. */
const markedSteps = (turn: SentTurn | undefined) =>
  turn?.state.journeyPlan?.steps.map(({ id, mark }) => [id, mark]);

test("createSimulatedModel() changes the steps of a plan, every wish of a message, and speaks of the plan as it is then", async () => {
  const assistant = await testAssistant({ database });
  const [, , planned, both, moved, asked, shown] = await sendAll(assistant, [
    "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
    "we both get home after seven and nobody wants to cook. budget is $1,500 a month",
    "ok let's do it. give me a plan",
    "drop step 3 and step 1 is done, and could you skip the second step?",
    "move step 4 before step 3",
    "should i drop step 3?",
    "where are we in the plan?",
  ]);

  expect(planned?.state.journeyPlan?.steps.map(({ phase }) => phase)).toEqual([
    "Prepare",
    "Prepare",
    "Prepare",
    "Carry it out",
    "Carry it out",
  ]);
  expect(both?.reply).toMatch(
    /^Done: 1 \(“[^”]+”\)\. Removed from the plan: “[^”]+”\. Skipped: 2 \(“[^”]+”\)\.\n\nNext is this:\n\n\*\*Step 3: Give every evening an owner\*\*/u,
  );
  expect(markedSteps(both)).toEqual([
    ["step_1", "done"],
    ["step_2", "skipped"],
    ["step_4", "open"],
    ["step_5", "open"],
  ]);
  expect(markedSteps(moved)).toEqual([
    ["step_1", "done"],
    ["step_2", "skipped"],
    ["step_5", "open"],
    ["step_4", "open"],
  ]);
  expect(markedSteps(asked)).toEqual(markedSteps(moved));
  expect(shown?.reply).toMatch(
    /\n3\. Look back after a week ← you are here\n4\. Give every evening an owner$/u,
  );
});

const NOT_READ = (words: string) => `I did not understand “${words}”, so nothing was changed.`;

test(
  "createSimulatedModel() carries out both halves of a message, and says of each wish for the plan what it changed",
  { timeout: 180_000 },
  async () => {
    const assistant = await testAssistant({ database });
    const rows: readonly (readonly [string, string, ...string[]])[] = [
      [
        "we keep ordering takeout, what should we do? and put eggs on my list",
        "what I would do",
        "eggs",
      ],
      ["I hate meal kits, and I am allergic to nuts", "that helps"],
      [
        "make me a plan, but without batch cooking, and add rice to the shopping list",
        "You told me: “I hate meal kits”, “I am allergic to nuts”, “without batch cooking”. Without a language model I cannot fit",
        "rice",
      ],
      ["what's step 2?", "**Step 2: Buy for"],
      ["step 1 is done and put butter on my list", "Done: 1", "butter"],
      ["add milk to the shopping list and tick off step 2", "Done: 2", "milk"],
      ["what did you do?", "This is about your stored data only."],
      ["how many steps are left?", "The plan has 5 steps; 3 of them are still open."],
      ["is step 1 done?", "Step 1 is done."],
      ["reopen step 1", "Open again: 1"],
      ["reopen step 1", "Step 1 is not done yet, so nothing was changed."],
      ["I did step 1 but it didn't work", "That is a real obstacle."],
      ["I'm done with all of it", "I recorded nothing as done."],
      ["replace step 3 with soup", NOT_READ("replace step 3 with soup")],
      ["put the freezer step before step 1", NOT_READ("put the freezer step before step 1")],
      ["I can't do step 3 before Friday", NOT_READ("I can't do step 3 before Friday")],
      ["drop everything after step 2", NOT_READ("drop everything after step 2")],
      ["swap step 3 and step 4", "Moved: 3 (“Give every evening an owner”)."],
      ["note for step 3: it closes at 9, and early", "”): “it closes at 9, and early”."],
      [
        "step 1 is done and split step 4 in two",
        "“split step 4 in two”, so nothing else was changed.",
      ],
      ["I'd rather start with step 5", "In hand now: 5"],
      ["thanks", "You are welcome."],
      ["how do you know this?", "My last reply advised nothing"],
      ["let's talk about the other thing again", "I know no journey called “the other thing”"],
    ];
    for (const [message, sentence, ...stored] of rows) {
      const turn = await assistant.send(message);
      expect([message, turn.reply, effects(turn)]).toEqual([
        message,
        expect.stringContaining(sentence),
        stored.map((name) => `created ${name}`),
      ]);
    }
  },
);

describe("while a question waits", () => {
  test.each<[string, readonly string[]]>([
    ["no fish this week", ["no fish"]],
    ["no, the oat milk", []],
    ["not the coffee", []],
  ])("%s leaves out what the question was not about", async (message, wishes) => {
    const assistant = await testAssistant({ database });
    const [, asked] = await sendAll(assistant, ["clear my shopping list", message]);

    expect(asked && effects(asked)).toEqual([]);
    expect(asked?.state.constraints.map(({ text }) => text)).toEqual(wishes);
  });
});
