import { execFileSync } from "node:child_process";
import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { removeThoughts, ThoughtFilter } from "../../output-filter/thought-filter.ts";
import { sizesOfPieces, streamText } from "../support/stream-text.ts";

const CASES = 10_000;

test.each([
  ["a thought whose beginning stood in the prompt", "Hm, a soup?\n</think>\n\nHello", "\n\nHello"],
  ["with JSON in it", 'I think. {"needs":"talk"}\n</THINKING>Hello', "Hello"],
  ["as a code fence", "```json\n{}\n```</reasoning>Hello", "Hello"],
  ["in brackets", "Hm[/THINK]Hello", "Hello"],
  ["behind a block", "<think>a</think>b</think>Hello", "Hello"],
  ["up to the last end", "a</think>b</thought>Hello", "Hello"],
  [
    "the analysis of a Harmony text",
    "<|channel|>analysis<|message|>User wants x<|end|><|start|>assistant<|channel|>final<|message|>Hello",
    "Hello",
  ],
  [
    "an analysis that began in the prompt",
    "User wants x<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>Hello<|return|>",
    "Hello",
  ],
  [
    "a call of a tool, and all between two final parts",
    "<|channel|>final<|message|>Hel<|end|><|start|>assistant to=x<|channel|>commentary to=x <|constrain|>json<|message|>{}<|call|>y<|start|>assistant<|channel|>final<|message|>lo",
    "Hello",
  ],
  ["a Harmony text without an answer", "<|channel|>analysis<|message|>final Hello", ""],
])("ThoughtFilter leaves out %s", (_, text, rest) => {
  expect(removeThoughts(text)).toBe(rest);
});

test.each([
  ["in code marks", "It closes with `</think>`, or `[/THINK]`."],
  ["in other brackets", "[/think] </thinker> <|pipe|> <channel>"],
])("ThoughtFilter passes what stands %s", (_, text) => {
  expect(removeThoughts(text)).toBe(text);
});

test("ThoughtFilter passes an answer that ends with another model's token", () => {
  expect(removeThoughts("Hello<|end|>")).toBe("Hello");
});

const SIGNS = [
  ..."<think> </think> <Thinking> </thinking> <thought> </Thought> </reasoning> [THINK] [/THINK]".split(
    " ",
  ),
  ..."<|start|> <|channel|> <|constrain|> <|message|> <|end|> <|return|> final analysis".split(" "),
  ..."` ``` </ <| < [ > ] think".split(" "),
  " ",
  "\n",
  "Soup",
];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ maxLength: 5 })), { maxLength: 16 })
  .map((pieces) => pieces.join(""));

property.prop([anyText, sizesOfPieces], { numRuns: CASES })(
  "ThoughtFilter passes the same text for any chunking, and leaves all else as it is",
  (text, sizes) => {
    const passed = streamText(text, { sizes, create: (back) => new ThoughtFilter(back) });

    expect(passed).toBe(removeThoughts(text));
    const hasSigns = /<\/?(?:think|thinking|thought|reasoning)>|<\|[a-z]+\|>|\[\/?THINK\]/i;
    if (!hasSigns.test(text)) expect(passed).toBe(text);
  },
);

/** Words of a thought, and of an answer, which have no sign but those of code. */
const words = (letters: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(letters, ` ${letters}`, "\n", "```", "`", "{}", "<", "[", " final "), {
      maxLength: 8,
    })
    .map((pieces) => `${pieces.join("")}\n`);
const thought = words("hidden");
const spoken = words("spoken").map((text) => text.trim());

const closing = fc.constantFrom(
  "</think>",
  "</Thinking>",
  "</THOUGHT>",
  "</reasoning>",
  "[/THINK]",
);
const block = fc
  .tuple(fc.constantFrom("think", "thinking", "Thought", "reasoning"), thought)
  .map(([name, text]) => `<${name}>${text}</${name}>`);
const harmony = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("analysis", "commentary to=functions.x <|constrain|>json", "analysis "),
        thought,
        fc.constantFrom("end", "call"),
      )
      .map(
        ([name, text, end]) => `<|channel|>${name}<|message|>${text}<|${end}|><|start|>assistant`,
      ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(""));
/** Answers, with all that a model thought before them. */
const answers = fc.oneof(
  fc
    .tuple(
      fc.array(
        fc.oneof(
          thought,
          block,
          fc.tuple(thought, closing).map((parts) => parts.join("")),
        ),
      ),
      thought,
      closing,
      spoken,
    )
    .map(
      ([before, last, end, answer]) =>
        [`${before.join("")}${last}${end}${answer}`, answer] as const,
    ),
  fc.tuple(block, spoken).map(([before, answer]) => [`${before}${answer}`, answer] as const),
  fc
    .tuple(
      fc.constantFrom("", "hidden<|end|><|start|>assistant"),
      harmony,
      spoken,
      fc.constantFrom("", "<|return|>"),
    )
    .map(
      ([first, before, answer, end]) =>
        [`${first}${before}<|channel|>final<|message|>${answer}${end}`, answer] as const,
    ),
);

property.prop([answers, sizesOfPieces], { numRuns: CASES })(
  "ThoughtFilter passes the answer and nothing of a thought, however the text is cut",
  ([text, answer], sizes) => {
    expect(streamText(text, { sizes, create: (back) => new ThoughtFilter(back) })).toBe(answer);
  },
);

test("removeThoughts() finds tags in any case in a process that no longer optimizes patterns", () => {
  const filter = new URL("../../output-filter/thought-filter.ts", import.meta.url).href;
  const texts = ["think", "Thinking", "THOUGHT", "Reasoning"].map(
    (name) => `Hi<${name}>no</${name}>`,
  );
  const script = `import { removeThoughts } from ${JSON.stringify(filter)};
    console.log(JSON.stringify(${JSON.stringify(texts)}.map(removeThoughts)));`;

  const options = ["--no-regexp-optimization", "--input-type=module", "--eval", script];
  const shown = execFileSync(process.execPath, options, { encoding: "utf8" });

  expect(JSON.parse(shown)).toEqual(texts.map(() => "Hi"));
});
