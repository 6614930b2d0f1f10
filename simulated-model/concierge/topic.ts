import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import { ClaimTypeSchema, EdgeTypeSchema } from "../../state/claims.ts";
import { splitPhrases } from "../../state/simulated-words.ts";

const text = z.string();
const ViewSchema = z.enum(["role", "risk", "cost", "user"]);
const views = text.transform((held) => held.split(" ")).pipe(z.array(ViewSchema));

/** Reads a table that is written as rows with bars between their cells; the last takes what is left. */
function table<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  const last = names.length - 1;
  const readRow = (row: string): unknown => {
    const cells = row.split(" | ");
    const own = [...cells.slice(0, last), cells.slice(last).join(" | ")];
    return Object.fromEntries(names.map((name, index) => [name, own[index]]));
  };
  return text
    .transform((rows) => rows.trim().split("\n").map(readRow))
    .pipe(z.array(z.object(shape)));
}

const BatchSchema = z.strictObject({
  claims: table({ id: text, label: text, type: ClaimTypeSchema, views, text }),
  edges: table({ from: text, to: text, type: EdgeTypeSchema, reason: text }),
  gaps: table({ views, text }),
});
export type TopicBatch = z.infer<typeof BatchSchema>;

const actions = text.transform((all) => all.split(" | "));
const TopicSchema = z.strictObject({
  words: text.transform(splitPhrases),
  asking: text,
  goal: text,
  question: BatchSchema,
  plan: BatchSchema,
  help: BatchSchema,
  steps: table({
    title: text,
    description: text,
    time: text,
    doneWhen: text,
    pitfall: text,
    actions,
  }),
  exploring: text.transform((lines) => lines.trim().split("\n")),
});

/** The one topic that the concierge lane demonstrates. */
export const TOPIC = TopicSchema.parse(
  parse(readFileSync(new URL("topic.yaml", import.meta.url), "utf8")),
);

const ABOUT = new RegExp(`\\b(?:${TOPIC.words.join("|").replaceAll(" ", "[ -]")})\\b`, "i");
const ASKING = new RegExp(TOPIC.asking, "i");

/** Tells whether a text asks the demonstrated question. */
export function isTopicQuestion(message: string): boolean {
  return ABOUT.test(message) && ASKING.test(message);
}

const HELD = [
  ["role", "user"],
  ["role", "cost"],
  ["role", "risk"],
] as const;

/** Help with each step: its actions, each in two views, and its pitfall. */
const STEP_BATCHES = TOPIC.steps.map((step): readonly [string, TopicBatch] => {
  const claims = [...step.actions, step.pitfall].map(
    (sentence, index): TopicBatch["claims"][number] => {
      const label = sentence.split(" ").slice(0, 4).join(" ");
      const type = sentence === step.pitfall ? "factual" : "prescriptive";
      return {
        id: label,
        label,
        type,
        views: [...(HELD[index % HELD.length] ?? [])],
        text: sentence,
      };
    },
  );
  return [step.title, { claims, edges: [], gaps: [] }];
});

/** Every batch that the experts answer from. */
export const ALL_BATCHES: readonly TopicBatch[] = [
  TOPIC.question,
  TOPIC.plan,
  TOPIC.help,
  ...STEP_BATCHES.map(([, batch]) => batch),
];

/** First words of the tasks that the concierges write for the experts. */
export const TASKS = {
  plan: "Write the plan for weeknight dinners, in steps.",
  step: "Help with carrying out the step",
  blocker: "Help with what holds up the step",
} as const;

/** Chooses what the experts answer a request from; null where it is not about the topic. */
export function findBatch(request: string): TopicBatch | null {
  if (request.includes(TASKS.blocker)) return TOPIC.help;
  const step = STEP_BATCHES.find(([title]) => request.includes(title));
  if (request.includes(TASKS.step)) return step?.[1] ?? TOPIC.help;
  if (request.includes(TASKS.plan)) return TOPIC.plan;
  return isTopicQuestion(request) ? TOPIC.question : null;
}

/** Tells which view a lens asks for: its own where it is one of the usual four, else by its words. */
export function findView(lens: string): z.infer<typeof ViewSchema> {
  const usual = DEFAULT_LENSES.find((each) => each.lens !== null && lens.includes(each.lens))?.id;
  if (/\b(?:money|costs?|price|budget|hours)\b/i.test(lens))
    return ViewSchema.catch("cost").parse(usual);
  if (/\b(?:risks?|wrong|fails?|undone|guard)\b/i.test(lens))
    return ViewSchema.catch("risk").parse(usual);
  return ViewSchema.catch(/\b(?:live with|person|user|feel)\b/i.test(lens) ? "user" : "role").parse(
    usual,
  );
}
