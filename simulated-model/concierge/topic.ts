import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { ClaimTypeSchema, EdgeTypeSchema, StakesSchema } from "../../state/claims.ts";
import { splitPhrases } from "../../state/simulated-words.ts";

const text = z.string();
const views = text.transform((held) => held.split(" "));

/** Reads rows with bars between their cells; the last cell takes what is left. */
function table<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  const readRow = (row: string): unknown => {
    const cells = row.split(" | ");
    const rest = cells.splice(names.length - 1).join(" | ");
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? rest]));
  };
  return text
    .transform((rows) => rows.trim().split("\n").map(readRow))
    .pipe(z.array(z.object(shape)));
}

const BatchSchema = z.strictObject({
  claims: table({
    id: text,
    label: text,
    type: ClaimTypeSchema,
    stakes: StakesSchema,
    views,
    why: text,
    text,
  }),
  edges: table({ from: text, to: text, type: EdgeTypeSchema, reason: text }),
  gaps: table({ views, text }),
});
export type TopicBatch = z.infer<typeof BatchSchema>;

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
    actions: text.transform((all) => all.split(" | ")),
  }),
  exploring: text.transform((lines) => lines.trim().split("\n")),
  opening: text,
  taking_up: text,
  handover: text,
  triggering: text,
  workflow: text,
  step_help: text,
  held_up: text,
});

/** The one topic that the concierge lane demonstrates. */
export const TOPIC = TopicSchema.parse(
  parse(readFileSync(new URL("topic.yaml", import.meta.url), "utf8")),
);

/** Steps of the only plan that is ever written. */
export const STEPS = TOPIC.steps.map((step, index) => ({ ...step, number: index + 1 }));
export type TopicStep = (typeof STEPS)[number];

const ABOUT = new RegExp(`\\b(?:${TOPIC.words.join("|").replaceAll(" ", "[ -]")})\\b`, "i");
const ASKING = new RegExp(TOPIC.asking, "i");

/** Tells whether a text asks the demonstrated question. */
export function isTopicQuestion(message: string): boolean {
  return ABOUT.test(message) && ASKING.test(message);
}

/** First words of the tasks that the concierges write for the experts. */
export const TASKS = {
  plan: "Write the plan for weeknight dinners, in steps.",
  step: "Help with carrying out the step",
  blocker: "Help with what holds up the step",
} as const;

/** Chooses what the experts answer a request from; null where it is not about the topic. */
export function findBatch(request: string): TopicBatch | null {
  if (request.includes(TASKS.blocker)) return TOPIC.help;
  const step = STEPS.find(({ title }) => request.includes(title));
  if (request.includes(TASKS.step)) return step === undefined ? TOPIC.help : createBatch(step);
  if (request.includes(TASKS.plan)) return TOPIC.plan;
  return isTopicQuestion(request) ? TOPIC.question : null;
}

/** Help with a step: its actions and its pitfall, each in two views. */
function createBatch({ actions, pitfall }: TopicStep): TopicBatch {
  const claims = [...actions, pitfall].map((sentence, index): TopicBatch["claims"][number] => {
    const label = sentence.split(" ").slice(0, 4).join(" ");
    const type = sentence === pitfall ? "factual" : "prescriptive";
    const other = ["user", "cost", "risk"][index % 3] ?? "user";
    const views = ["role", other];
    return { id: label, label, type, stakes: "none", views, why: "", text: sentence };
  });
  return { claims, edges: [], gaps: [] };
}

/** Every batch that the experts answer from. */
export const ALL_BATCHES: readonly TopicBatch[] = [
  TOPIC.question,
  TOPIC.plan,
  TOPIC.help,
  ...STEPS.map(createBatch),
];
