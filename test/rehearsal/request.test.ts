import { expect, test } from "vitest";
import { readRequest } from "../../models/rehearsal/language/request.ts";
import type { Wish } from "../../models/rehearsal/language/wish.ts";
import { VOCABULARIES } from "./kitchen-vocabulary.ts";

interface Reading {
  readonly kind: Wish["kind"];
  /** What is known when it is said. */
  readonly known: keyof typeof VOCABULARIES;
  readonly aboutDraft: boolean;
  readonly says: readonly string[];
}

const READINGS: readonly Reading[] = [
  {
    kind: "options",
    known: "fresh",
    aboutDraft: false,
    says: [
      "can you help me plan some meals?",
      "hey, could you pls help me with meal planing?",
      "I'd like some help planning meals please",
      "need ideas for meals this week",
      "what should I cook this week?",
      "what could I cook this week?",
      "any ideas what we could eat this week?",
      "help me plan meals for the week",
      "I want to plan some meals",
      "what are my options for dinner this week?",
      "i have no idea what to cook",
      "what can we make with what's in the house?",
    ],
  },
  {
    kind: "exclude",
    known: "known",
    aboutDraft: false,
    says: [
      "lets not do cod this week?",
      "no cod this week please",
      "can we skip cod for this week",
      "i'd rather not have cod this week",
      "please leave cod out this week",
      "could we avoid the cod dishes?",
      "i dont want any cod",
      "cod is out for this week",
      "anything but cod",
      "I'm not into cod this week",
      "lets not do the french toast? i also dont feel like doing wings",
      "no frnech toast please, and wings arent my thing today either",
      "not in the mood for wings, and skip the french toast as well",
      "drop french toast and wings please",
      "please take the wings and the french toast off the list",
      "wings and french toast are out",
      "remove wings and the french toast from the options",
      "not the wings",
      "no wings pls",
    ],
  },
  {
    kind: "welcome",
    known: "known",
    aboutDraft: false,
    says: [
      "actually the wings are fine after all",
      "ok wings are back on the table",
      "you know what, wings would be nice after all",
      "put the wings back please",
      "I changed my mind about the wings",
      "bring back the wings",
      "actually i do want wings",
      "on second thought, the wings are ok",
    ],
  },
  {
    kind: "look",
    known: "fresh",
    aboutDraft: false,
    says: [
      "what's in my fridge?",
      "show me the fridge",
      "whats in the fridg pls",
      "can you tell me what I have in the fridge",
      "what do i have in my fridge right now?",
      "fridge contents please",
      "list everything in the fridge",
      "and the freezer?",
      "how about the freezer",
      "what about freezer?",
      "same for the freezer please",
      "freezer too?",
      "now the freezer",
      "what is in my pantry?",
      "what am I eating on thursday?",
      "whats planned for thursday?",
      "what's for dinner on thursday",
      "thursday's meals?",
      "whats on my shopping list",
      "show me my tasks",
    ],
  },
  {
    kind: "search",
    known: "known",
    aboutDraft: false,
    says: [
      "show me recipes that use chickpeas or eggs",
      "which recipes have eggs or chickpeas in them?",
      "recipes with chickpeas or eggs please",
      "anything with eggs or chickpeas?",
      "got any recipes using chickpeas or eggs?",
      "find me something with chickpeas or eggs",
      "can i see the recipes with chickpeas or egs",
    ],
  },
  {
    kind: "schedule",
    known: "known",
    aboutDraft: false,
    says: [
      "put the first and the third on the plan for dinner tomorrow and wednesday",
      "schedule number 1 and number 3 for dinner tomorrow and on wednesday",
      "the first and third please, dinner tomorrow and wednesday",
      "plan #1 tomorrow night and #3 on wednesday evening",
      "tomorrow and wednesday dinner: first and third one please",
      "can you put nr 1 for dinner tomorrow and nr 3 for wednesday dinner?",
      "for dinner tomorrow and wednesday, plan the first and the third recipe",
      "let's have the risotto on tuesday",
    ],
  },
  {
    kind: "draft",
    known: "fresh",
    aboutDraft: false,
    says: [
      "come up with a simple shakshuka for two",
      "could you invent a simple shakshuka for 2 people?",
      "make up an easy shakshuka recipe for two please",
      "I'd like a simple shakshuka recipe for two",
      "draft a simple shakshuka, two servings",
      "can you write me a shakshuka recipe, simple, serves 2",
      "draft three quick pasta dishes",
      "come up with 3 quick pasta recipes",
      "three fast pasta ideas please, as drafts",
      "could you make up three quick pasta dishes?",
      "draft a lentil soup",
      "make me a lentil soup recipe",
    ],
  },
  {
    kind: "add",
    known: "known",
    aboutDraft: true,
    says: [
      "add a dozen eggs to the fridge",
      "put 12 eggs in the fridge",
      "I bought a dozen eggs, they're in the fridge",
      "please put a dozen eggs into the fridge for me",
      "eggs: add 12 to fridge",
      "add peanuts to my shopping list",
      "put peanuts on the shopping list",
      "peanuts on my shopping list please",
      "I need peanuts, add them to the list",
      "can you add some peanuts to the list of things to buy?",
      "add two cans of tomatoes to the shopping list",
    ],
  },
  {
    kind: "remove",
    known: "known",
    aboutDraft: true,
    says: [
      "no wait, remove those eggs again, I have some",
      "wait, take the eggs out again, i already have some",
      "actually delete those eggs, i still had some",
      "undo the eggs please",
      "scratch that, remove the eggs",
      "oops, i have eggs already, please remove the ones you just added",
      "never mind the eggs, take them back out",
    ],
  },
  {
    kind: "show",
    known: "drafted",
    aboutDraft: true,
    says: [
      "show me that shakshuka again",
      "can I see the shakshuka once more?",
      "what was that shakshuka like again?",
      "let me see the shakshuka recipe again",
    ],
  },
  {
    kind: "change",
    known: "drafted",
    aboutDraft: true,
    says: [
      "put crumbled feta on top",
      "add crumbled feta on top",
      "top it with crumbled feta please",
      "could you finish it with crumbled feta?",
      "some crumbled feta on top would be nice",
      "i'd like crumbled feta on top of it",
      "make it for four",
      "without the peppers please",
      "add some chili",
    ],
  },
  {
    kind: "save",
    known: "drafted",
    aboutDraft: true,
    says: [
      "great, save it",
      "looks good, please save it",
      "perfect. save that one",
      "yes keep it",
      "store it please",
      "save the recipe",
      "save it please",
      "can you save it",
      "save the shakshuka",
      "save all three",
      "please save all 3",
      "save them all",
      "keep all three of them",
      "save that soup",
      "save the soup from before",
      "ok save the soup you drafted earlier",
      "yes, save it",
      "save the missing one too",
      "retry the one that failed",
    ],
  },
  {
    kind: "fill",
    known: "fresh",
    aboutDraft: false,
    says: [
      "plan 8 meals from tuesday to saturday, lunches and dinners, and leave wednesday dinner and friday lunch empty for takeout",
      "I need 8 meals planned tuesday through saturday (lunch and dinner), keep wednesday dinner and friday lunch free for takeout",
      "please plan lunches and dinners from tuesday till saturday, eight meals, no wednesday dinner and no friday lunch since we get takeout then",
      "eight meals please, tue-sat, lunch + dinner, wednesday dinner and friday lunch stay empty (takeout)",
      "tuesday to saturday i need 8 meals, lunch and dinner each day. wednesday dinner + friday lunch should stay free",
    ],
  },
  {
    kind: "clear",
    known: "fresh",
    aboutDraft: false,
    says: [
      "clear my shopping list and delete all my tasks",
      "empty the shopping list and remove all tasks",
      "delete all tasks and also clear the shopping list please",
      "wipe my shopping list, and my tasks too",
      "get rid of everything on my shopping list and all my tasks",
    ],
  },
  {
    kind: "verify",
    known: "fresh",
    aboutDraft: false,
    says: [
      "is the shopping list really empty?",
      "is there really nothing on the shopping list?",
      "can you check that the shopping list is empty?",
      "double check the shoping list is empty",
      "so nothing left on the list?",
    ],
  },
  {
    kind: "collect",
    known: "fresh",
    aboutDraft: false,
    says: [
      "make a shopping list for everything planned this week",
      "what do I need to buy for this week's planned meals? make a list",
      "build me a shopping list from this week's meal plan",
      "put everything i need for the meals planned this week on the shopping list",
      "shopping list for this weeks meals please",
    ],
  },
  {
    kind: "narrow",
    known: "known",
    aboutDraft: false,
    says: ["which of those take at most half an hour?", "which ones are done in under 30 mins"],
  },
  {
    kind: "rule",
    known: "fresh",
    aboutDraft: false,
    says: [
      "I'm allergic to cashews",
      "we have a peanut allergy",
      "i'm vegetarian",
      "we are vegan now",
    ],
  },
  {
    kind: "recount",
    known: "fresh",
    aboutDraft: false,
    says: ["make it 6 instead", "actually only 6 please", "6 is enough"],
  },
  {
    kind: "count",
    known: "fresh",
    aboutDraft: false,
    says: ["how many recipes do I have?", "how many tasks are left?"],
  },
  {
    kind: "have",
    known: "known",
    aboutDraft: false,
    says: ["do i have eggs?", "are there any eggs left?"],
  },
  {
    kind: "finish",
    known: "known",
    aboutDraft: false,
    says: ["mark the fridge task as done", "tick off the cleaning task"],
  },
  {
    kind: "move",
    known: "known",
    aboutDraft: false,
    says: ["move the curry to friday", "reschedule the risotto to thursday please"],
  },
  {
    kind: "standing",
    known: "fresh",
    aboutDraft: false,
    says: ["what should I use up first?", "how do things stand?", "what's coming up?"],
  },
  {
    kind: "earlier",
    known: "fresh",
    aboutDraft: false,
    says: ["what did I ask you first?", "what was the first thing I asked for?"],
  },
  {
    kind: "recap",
    known: "fresh",
    aboutDraft: false,
    says: ["what did you save?", "what have we done so far"],
  },
  {
    kind: "repeat",
    known: "fresh",
    aboutDraft: false,
    says: ["can you repeat that?", "say that again please"],
  },
  {
    kind: "meta",
    known: "fresh",
    aboutDraft: false,
    says: ["what can you do?", "who are you?", "how do you know that?"],
  },
  {
    kind: "why",
    known: "known",
    aboutDraft: false,
    says: ["why not the third?", "why no cod?"],
  },
  {
    kind: "thanks",
    known: "fresh",
    aboutDraft: false,
    says: ["thanks!", "thank you so much", "cheers"],
  },
  {
    kind: "greet",
    known: "fresh",
    aboutDraft: false,
    says: ["hello there", "good morning"],
  },
  {
    kind: "yes",
    known: "fresh",
    aboutDraft: false,
    says: ["yes", "ok go ahead", "sure"],
  },
  {
    kind: "no",
    known: "fresh",
    aboutDraft: false,
    says: ["no", "nope, not now"],
  },
];

const CASES = READINGS.flatMap(({ says, ...reading }) => says.map((say) => ({ ...reading, say })));

test.each(CASES)("readRequest() reads $kind: $say", ({ kind, known, aboutDraft, say }) => {
  const { wishes } = readRequest(say, VOCABULARIES[known], { aboutDraft });

  expect([...new Set(wishes.map((wish) => wish.kind))]).toEqual([kind]);
});

test("readRequest() reads each wish of a message that has several", () => {
  const { wishes } = readRequest(
    "clear my shopping list, draft a lentil soup and what's in my fridge?",
    VOCABULARIES.fresh,
    { aboutDraft: false },
  );

  expect(wishes).toEqual([
    { kind: "clear", phrase: "clear my shopping list", parts: ["shopping"] },
    { kind: "draft", phrase: "draft a lentil soup", what: "lentil soup", count: 1, size: null },
    { kind: "look", phrase: "what is in my fridge", parts: ["inventory"], elliptic: false },
  ]);
});

test("readRequest() reads amounts, counts and sizes", () => {
  expect(wishesIn("draft three quick pasta dishes for four people")).toEqual([
    {
      kind: "draft",
      phrase: "draft 3 quick pasta dishes for 4 people",
      what: "quick pasta",
      count: 3,
      size: 4,
    },
  ]);
  expect(wishesIn("plan 8 meals from tuesday to saturday, lunches and dinners")).toEqual([
    {
      kind: "fill",
      phrase: "plan 8 meals from tuesday to saturday , lunches and dinners",
      count: 8,
    },
  ]);
});

test.each(["asdf qwer", "the quick brown fox", "42", "¿qué?", "…"])(
  "readRequest() wants nothing of what it does not understand: %s",
  (say) => {
    expect(readRequest(say, VOCABULARIES.known, { aboutDraft: false }).wishes).toEqual([]);
  },
);

function wishesIn(say: string): readonly Wish[] {
  return readRequest(say, VOCABULARIES.fresh, { aboutDraft: false }).wishes;
}

test.each(["what did i ask ", "put the first and ", "no cod, ", "recipe_1 (x", "a"])(
  "readRequest() comes to an end with any number of %j",
  (piece) => {
    const { plain } = readRequest(piece.repeat(5_000), VOCABULARIES.known, { aboutDraft: false });

    expect(plain.length).toBeGreaterThan(0);
  },
);
