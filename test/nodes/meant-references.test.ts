import { expect, test } from "vitest";
import { selectMeant } from "../../nodes/steps/meant-references.ts";

const ENTRIES = [
  { ref: "task_1", type: "task", label: "Clean the fridge", facts: "open, Saturday" },
  { ref: "task_2", type: "task", label: "Order the cake", facts: "open, Thursday" },
  { ref: "line_1", type: "line", label: "cake", facts: "" },
];
const NOUNS = { task: "chore", line: "list" };
const KNOWN = {
  registry: { entries: ENTRIES, listed: ["task_1", "task_2", "line_1"] },
  entityTypes: Object.entries(NOUNS).map(([type, noun]) => ({
    type,
    words: { one: noun, many: `${noun}s` },
    columns: [
      {
        name: "status",
        kind: "choice" as const,
        values: ["open", "skipped"],
        set: "always" as const,
      },
    ],
  })),
  language: "en",
  topic: null,
};
const BOTH = "1. Clean the fridge\n2. Order the cake";

/** The refs that count of those that are given without words. */
function select(refs: readonly string[], message: string, lastReply: string): readonly string[] {
  const references = refs.map((ref) => ({ text: "", ref }));
  return selectMeant(references, { ...KNOWN, message, lastReply }).map(({ ref }) => ref);
}

test.each([
  ["the one that was spoken of", ["task_1"], "finished", "The fridge is due on Saturday."],
  ["the one that a shared word fits best", ["task_2"], "erledigt", "Order the cake: Thursday."],
  ["all that were listed", ["task_1", "task_2"], "all of it is finished", BOTH],
  ["with thanks beside", ["task_1"], "finished, thanks", "The fridge is due on Saturday."],
])("a message without a word for a row means %s", (_, refs, message, lastReply) => {
  expect(select(refs, message, lastReply)).toEqual(refs);
});

test.each([
  ["one of several", ["task_1"], "finished", BOTH],
  ["what was not spoken of", ["task_1"], "finished", "The cake has to be ordered."],
  ["anything before a reply", ["task_1"], "finished", ""],
  ["what is not known", ["task_9"], "finished", BOTH],
  ["anything as a question", ["task_1"], "finished?", "The fridge is due on Saturday."],
  ["anything as thanks", ["task_1"], "Thanks a lot!", "The fridge is due on Saturday."],
  ["anything as a yes", ["task_1"], "ok", "The fridge is due on Saturday."],
  ["anything as praise", ["task_1"], "great, thanks", "The fridge is due on Saturday."],
])("a message without a word for a row does not mean %s", (_, refs, message, lastReply) => {
  expect(select(refs, message, lastReply)).toEqual([]);
});

test.each(["it is raining here", "ok", "haha"])(
  "a reference whose words are all of a message means no row that others are beside: %s",
  (message) => {
    const references = [{ text: message, ref: "task_1" }];

    expect(selectMeant(references, { ...KNOWN, message, lastReply: BOTH })).toEqual([]);
  },
);

test.each<[string, boolean]>([
  ["do it on Thursday", true],
  ["yes, do it", true],
  ["could you move it?", true],
  ["Thank you so much!", false],
  ["good morning", false],
  ["what day is it?", false],
])(
  "a reference with words means its row, where the message can ask for a change: %s",
  (message, counts) => {
    const references = [{ text: "it", ref: "task_2" }];

    expect(selectMeant(references, { ...KNOWN, message, lastReply: "" })).toEqual(
      counts ? references : [],
    );
  },
);

test.each<[string, string, boolean]>([
  ["is in the message", "the cake", true],
  ["is not", "the fridge", false],
  ["is in the message in another form", "cakes", true],
])("a reference counts where its text %s", (_, text, counts) => {
  const references = [{ text, ref: "task_1" }];
  const message = "move the cake to Thursday";

  expect(selectMeant(references, { ...KNOWN, message, lastReply: "" })).toEqual(
    counts ? references : [],
  );
});

test.each<[string, string, boolean]>([
  ["finished", "task_1", true],
  ["it is finished now", "task_1", true],
  ["no, it took until Friday", "task_1", true],
  ["we do now, the council wrote an hour ago", "task_1", true],
  ["quarter past four then", "task_1", true],
  ["skipped, nobody had the time for that", "task_1", true],
  ["my back hurts so much", "task_1", false],
  ["I need it on Friday", "task_1", true],
  ["I am away on Friday, by the way", "task_1", false],
  ["see you on Friday!", "task_1", false],
  ["you did that really nicely", "task_1", false],
  ["great, thanks", "task_1", false],
  ["finished", "task_2", false],
  ["finished?", "task_1", false],
  ["ok", "task_1", false],
  ["the cake is finished", "task_1", false],
  ["the list is finished", "task_1", false],
])(
  "a message that names no other row goes on with the one that was spoken of: %s, %s",
  (message, ref, counts) => {
    const references = [{ text: "", ref }];

    expect(
      selectMeant(references, { ...KNOWN, message, lastReply: "Oh.", topic: "task_1" }),
    ).toEqual(counts ? references : []);
  },
);

test("a message of several rows does not go on with one of them alone", () => {
  const references = [
    { text: "", ref: "task_1" },
    { text: "", ref: "task_2" },
  ];

  expect(
    selectMeant(references, { ...KNOWN, message: "finished", lastReply: "", topic: "task_1" }),
  ).toEqual([]);
});

const WHICH = "Which one: Clean the fridge on Saturday, or Order the cake?";
test.each<[string, string, string, boolean]>([
  ["the fridge", WHICH, "task_1", true],
  ["the cake", WHICH, "task_2", false],
  ["the one on Thursday", WHICH, "task_2", true],
  ["the second one", WHICH, "task_2", true],
  ["den zweiten", WHICH, "task_2", true],
  ["the last one", WHICH, "task_2", true],
  ["the second one", WHICH, "task_1", false],
  ["the first one, on Thursday", WHICH, "task_1", false],
  ["the open one", WHICH, "task_2", false],
  ["the third one", WHICH, "task_2", false],
  ["the second one", "Clean the fridge and Order the cake are open.", "task_2", false],
  ["the second one", "Is it Clean the fridge?", "task_2", false],
])(
  "a message picks a row of those it was asked about: %s, %s, %s",
  (message, lastReply, ref, counts) => {
    const references = [{ text: message, ref }];

    expect(selectMeant(references, { ...KNOWN, message, lastReply })).toEqual(
      counts ? references : [],
    );
  },
);
