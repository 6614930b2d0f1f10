import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as example } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createLexicon } from "../../simulated-model/language/lexicon.ts";
import { readMessage } from "../../simulated-model/language/read-message.ts";
import { describeClause, isChange } from "../../simulated-model/language/request.ts";
import { plannedWrites, thinkAbout } from "./think-about.ts";

// The full properties: SIMULATED_MESSAGES=100000 npm test -- test/simulated-model/laws.test.ts
const numRuns = Number(process.env["SIMULATED_MESSAGES"] ?? 80);
const options = { numRuns };
const timeout = 60_000 + numRuns * 50;

const ADDITIONS = [
  "add milk to the shopping list",
  "put 2 kg of rice and 6 eggs on my list",
  "add a can of chopped tomatoes",
  "please add bread and butter to the grocery list",
  "can you add olive oil to the list?",
  "put 500g of spaghetti in the pantry",
];
const REMOVALS = [
  "remove the oat milk from the shopping list",
  "delete coffee from my list",
  "take the eggs out of the fridge",
  "clear my shopping list",
];
const OTHERS = [
  "mark the coffee as bought",
  "i bought the oranges",
  "plan Chickpea Curry for Friday",
  "put the risotto on wednesday for dinner",
  "make the coffee 3 packs",
  "move the french toast to friday",
  "anna is allergic to nuts",
  "i'm allergic to eggs and milk",
];
const WRITES = [...ADDITIONS, ...REMOVALS, ...OTHERS];

const LOOKS = [
  "what's in my fridge?",
  "show me recipes with eggs",
  "what could I cook this week?",
  "lets not do cod this week?",
  "the wings are fine after all",
  "should i quit my job?",
  "how many calories does the curry have?",
];

/** Words that turn, limit or doubt what stands beside them: with one of them nothing may be written. */
const TURNING = [
  "not", "never", "don't", "except", "without", "instead", "yesterday", "if", "unless", "maybe",
  "should", "why", "didn't", "only", "or", "than", "because", "when", "no", "nothing", "almost",
  "later", "twice",  "undo", "but", "while", "until", "did", "would", "they", "everybody",
]; // prettier-ignore

const STRANGE = [
  "und", "käse", "frobnicate", "🍕", "鸡蛋", "молоко", "leche", "mañana", "xyzzy", "jabberwocky",
  "pas", "nicht", "kein", "zzz", "👩‍🍳", "ärgerlich", "n'est", "fromage", "bitte", "wabe",
]; // prettier-ignore

/** Says why or how, and leaves a command as it is. */
const REMARKS = [
  "my sister is coming over", "we had a long day", "the shop closes soon", "I'm on the bus",
  "everybody loves pancakes", "our neighbours have invited friends", "it's nearly Christmas",
  "the children are asleep", "I ran into an old friend", "they have moved to Leeds",
]; // prettier-ignore

/** Limits, doubts or takes back the command beside it. */
const TURNS = [
  "but only if we need it", "no, wait", "unless we have some", "I'm not sure", "I was only joking",
  "if that is what you think", "that was a mistake", "my sister said", "or maybe not", "I might not",
  "instead of the other one", "hold on", "except on Sundays",
]; // prettier-ignore

/** Says that what is to be added is there, or not wanted. */
const REFUSALS = [
  "I don't want that", "we already have some", "I have it already", "we've got plenty", "nobody needs it",
  "I never eat it", "we don't like it",
]; // prettier-ignore

/** A message of words, cut at blanks. */
const words = (message: string): string[] => message.split(" ");

const insertion = (from: readonly string[], inserted: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...from), fc.constantFrom(...inserted), fc.nat())
    .map(([message, word, at]) =>
      words(message).toSpliced(at % (words(message).length + 1), 0, word),
    )
    .map((parts) => parts.join(" "));

/** One letter lost, doubled or swapped with the next, one word lost or swapped: what fingers do. */
const slip = (from: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...from), fc.nat(), fc.nat(4)).map(([message, place, kind]) => {
    const at = place % message.length;
    const parts = words(message);
    const word = place % parts.length;
    const [one = "", two = ""] = [message[at], message[at + 1]];
    if (kind === 0) return message.slice(0, at) + message.slice(at + 1);
    if (kind === 1) return message.slice(0, at) + one + message.slice(at);
    if (kind === 2) return message.slice(0, at) + two + one + message.slice(at + 2);
    if (kind === 3) return parts.toSpliced(word, 1).join(" ");
    return parts.toSpliced(word, 2, parts[word + 1] ?? "", parts[word] ?? "").join(" ");
  });

const salad = fc
  .array(fc.constantFrom(...[...WRITES, ...LOOKS].flatMap(words), ...STRANGE, ...TURNING), {
    minLength: 2,
    maxLength: 7,
  })
  .map((parts) => parts.join(" "));

const noise = fc.oneof(fc.string({ unit: "grapheme", maxLength: 80 }), fc.lorem());

const anything = fc.oneof(
  slip(WRITES),
  slip(LOOKS),
  insertion(WRITES, STRANGE),
  insertion(WRITES, TURNING),
  salad,
  noise,
);

async function expectNoWrite(message: string): Promise<void> {
  expect(plannedWrites(await thinkAbout(message))).toEqual([]);
}

/** The names in quotation marks that a command writes about. */
const namesIn = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);

describe("law 1, every word has one place", () => {
  test.prop([insertion(WRITES, TURNING)], options)(
    "plan() writes nothing with a word that turns, limits or doubts the rest",
    expectNoWrite,
    timeout,
  );

  test.prop([insertion(ADDITIONS, STRANGE)], options)(
    "plan() adds nothing with a word that nobody knows",
    expectNoWrite,
    timeout,
  );

  test.prop([anything], options)(
    "plan() names in a write only what the message names",
    async (message) => {
      const names = plannedWrites(await thinkAbout(message)).flatMap(namesIn);
      const typed = words(message.toLowerCase().replaceAll(/["“”„«».,;:!?]/g, " ")).join(" ");
      for (const name of names) expect(typed.replaceAll(/\s+/g, " ")).toContain(name.toLowerCase());
    },
    timeout,
  );

  test.prop([anything], options)(
    "plan() answers a refusal that quotes words of the message, at most five",
    async (message) => {
      const { decision, reasoning } = await thinkAbout(message);
      if (decision !== "answer" || !reasoning.startsWith("I did not understand")) return;
      const quoted = /^I did not understand (.*?)\. /s.exec(reasoning)?.[1] ?? "";
      const names = namesIn(quoted);
      const hasWord = /[\p{L}\p{N}]/u.test(message);
      if (hasWord) expect(names.length).toBeGreaterThan(0);
      expect(names.length).toBeLessThanOrEqual(5);
    },
    timeout,
  );
});

test.prop(
  [fc.integer({ min: 1, max: 400 }), fc.constantFrom("", "dozen ", "and a half kilos of ")],
  {
    numRuns: Math.min(numRuns, 300),
  },
)(
  "plan() writes a number as it is said, by itself, in dozens or with a half",
  async (number, counted) => {
    const amounts = { "": `${number}`, "dozen ": `${number * 12}` };
    const amount = counted === "and a half kilos of " ? `${number}.5 kg` : amounts[counted];
    const plan = await thinkAbout(`add ${number} ${counted}eggs to the shopping list`);
    expect(plannedWrites(plan)).toEqual([`Add ${amount} "eggs" to the shopping list`]);
  },
  timeout,
);

describe("law 1, a remark has a place", () => {
  const commands = WRITES.filter((each) => !each.includes("allergic"));
  const besides = fc.constantFrom(
    (command: string, remark: string) => `${remark}. ${command}`,
    (command: string, remark: string) => `${command}. ${remark}`,
    (command: string, remark: string) => `${command}, ${remark}`,
    (command: string, remark: string) => `${command} because ${remark}`,
    (command: string, remark: string) => `${command}, ${remark}. ${remark}.`,
  );

  test.prop([fc.constantFrom(...commands), fc.constantFrom(...REMARKS), besides], options)(
    "plan() writes of a command with a remark what it writes of the command",
    async (command, remark, join) => {
      const [alone, both] = await Promise.all(
        [command, join(command, remark)].map(async (each) => thinkAbout(each)),
      );
      expect(both && plannedWrites(both)).toEqual(alone && plannedWrites(alone));
    },
    timeout,
  );

  test.prop(
    [
      fc.constantFrom(...commands),
      fc.constantFrom(...TURNS),
      fc.constantFrom(...REMARKS, ""),
      fc.constantFrom(", ", ". ", " "),
    ],
    options,
  )(
    "plan() writes nothing of a command that is limited, doubted or taken back",
    (command, turn, remark, sign) => expectNoWrite(`${remark} ${command}${sign}${turn}`.trim()),
    timeout,
  );

  test.prop(
    [
      fc.constantFrom(...ADDITIONS.filter((each) => !each.includes("pantry"))),
      fc.constantFrom(...REFUSALS),
      fc.constantFrom(", ", ". ", " because "),
    ],
    options,
  )(
    "plan() puts nothing on the list that is there or not wanted",
    (command, refusal, sign) => expectNoWrite(`${command}${sign}${refusal}`),
    timeout,
  );
});

describe("law 3, a question never writes", () => {
  test.prop(
    [
      fc.constantFrom(...WRITES.filter((each) => !each.startsWith("can"))),
      fc.constantFrom("?", " ?", "?!?"),
    ],
    options,
  )(
    "plan() proposes a command that ends with a question mark",
    (message, mark) => expectNoWrite(`${message}${mark}`),
    timeout,
  );

  test.prop(
    [
      fc.constantFrom(
        "should I",
        "did you",
        "why did you",
        "when do I",
        "what if I",
        "is it ok to",
        "do I have to",
        "would you ever",
      ),
      fc.constantFrom(...WRITES),
    ],
    options,
  )(
    "plan() writes nothing after a question word",
    (question, message) => expectNoWrite(`${question} ${message}`),
    timeout,
  );
});

describe("law 4, a corrected word never acts", () => {
  test.prop([slip(REMOVALS)], options)(
    "plan() deletes only what the message names letter by letter",
    async (message) => {
      const names = plannedWrites(await thinkAbout(message)).flatMap(namesIn);
      const typed = message.replaceAll(/ +/g, " ");
      for (const name of names) expect(typed).toContain(name);
    },
    timeout,
  );

  example("plan() offers a correction of a name, and none of a deletion", async () => {
    const added = await thinkAbout("add milc to the shopping list");
    const removed = await thinkAbout("show the shoping list");
    const verb = await thinkAbout("ad milk to the shopping list");

    expect(added).toMatchObject({
      decision: "propose",
      asks: ["Did you mean “add milk to the shopping list”?"],
    });
    expect(plannedWrites(removed)).toEqual([]);
    expect(verb.decision).toBe("answer");
  });
});

describe("law 5 and 8, what is not certain blocks the message", () => {
  example.each([
    ["put it on friday", 'Which one do you mean by "it"?'],
    ["remove the seventh one", 'Which one do you mean by "seventh one"?'],
    [
      "plan Chickpea Curry for next friday",
      "Which day do you mean: Friday 2026-01-16 or Friday 2026-01-23?",
    ],
    [
      "plan Chickpea Curry on monday",
      "Which day do you mean: Monday 2026-01-12 or Monday 2026-01-19?",
    ],
  ])("plan() asks about %s", async (message, question) => {
    const { decision, asks } = await thinkAbout(message);

    expect(decision).toBe("clarify");
    expect(asks.join()).toContain(question);
  });

  example.each([
    "plan Chickpea Curry for friday on saturday",
    "plan Chickpea Curry for lunch for dinner on friday",
  ])("plan() refuses two days or times for one thing: %s", async (message) =>
    expect(plannedWrites(await thinkAbout(message))).toEqual([]),
  );
});

example("plan() takes no ref from a message", async () => {
  expect(plannedWrites(await thinkAbout('remove "milk" (inv_3) from my list'))).toEqual([]);
});

describe("law 6, all clauses or none", () => {
  test.prop(
    [
      fc.constantFrom(...WRITES),
      fc.constantFrom(
        "frobnicate the eggs",
        "swap monday and tuesday",
        "undo the last one",
        "why not",
        "double the curry",
      ),
    ],
    options,
  )(
    "plan() writes nothing of a message with a clause that is not understood",
    (message, clause) => expectNoWrite(`${message} and ${clause}`),
    timeout,
  );

  example.each([
    "can you add olive oil to the list? don't",
    "clear my shopping list. no",
    "yes, add milk to the shopping list",
  ])("plan() writes nothing of a command that may be taken back: %s", expectNoWrite);

  example("plan() carries out several clauses in one step", async () => {
    const writes = plannedWrites(
      await thinkAbout("add milk to the list and take the coffee off the list"),
    );

    expect(writes).toEqual([
      'Add "milk" to the shopping list; Remove "coffee" from the shopping list',
    ]);
  });
});

describe("law 7, a new name is proposed as typed", () => {
  example.each(["🍕", "rice und beans", "Käse", "鸡蛋"])(
    "plan() asks before it adds %s",
    async (name) => {
      const { decision, asks } = await thinkAbout(`put ${name} on my shopping list`);

      expect({ decision, asks }).toEqual({
        decision: "propose",
        asks: [`I do not know "${name}". Shall I add "${name}" to the shopping list?`],
      });
    },
  );
});

describe("law 9, everything else gets one sentence", () => {
  example("plan() names the words that it did not understand", async () => {
    const { reasoning } = await thinkAbout("how many calories does the curry have?");

    expect(reasoning).toMatch(/^I did not understand "calories"\. Without a language model I can /);
  });

  example("plan() declines advice that it cannot give", async () => {
    const { reasoning } = await thinkAbout("should i quit my job?");

    expect(reasoning).toMatch(/^I cannot advise without a language model\./);
  });
});

test.prop([fc.constantFrom(...WRITES, ...ADDITIONS.map((each) => `${each} for me`))], options)(
  "describeClause() writes a command that readMessage() reads back as the same clause",
  (message) => {
    const lexicon = createLexicon({
      words: SIMULATED_WORDS,
      parts: [],
      labels: ["Chickpea Curry"],
      today: "2026-01-12",
      takesRefs: true,
    });
    const first = readMessage(message, lexicon);
    if (first.kind !== "understood") throw new TypeError(`Cannot read "${message}"`);
    for (const clause of first.request.clauses.filter(isChange)) {
      const again = readMessage(describeClause(clause, SIMULATED_WORDS), lexicon);
      if (again.kind !== "understood")
        throw new TypeError(`Cannot read back "${describeClause(clause, SIMULATED_WORDS)}"`);
      const [same] = again.request.clauses;
      expect(same === undefined ? "" : describeClause(same, SIMULATED_WORDS)).toBe(
        describeClause(clause, SIMULATED_WORDS),
      );
    }
  },
  timeout,
);
