import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import { ClaimTypeSchema, EdgeTypeSchema } from "../../state/claims.ts";
import { splitPhrases } from "../../state/simulated-words.ts";

const ViewSchema = z.enum(["role", "risk", "cost", "user"]);
const views = z
  .string()
  .transform((text) => text.split(" "))
  .pipe(z.array(ViewSchema));
const rows = z.string().transform((text) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" | ")),
);

const claims = rows
  .transform((all) =>
    all.map(([id, label, type, held, text]) => ({ id, label, type, views: held, text })),
  )
  .pipe(
    z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        type: ClaimTypeSchema,
        views,
        text: z.string(),
      }),
    ),
  );
const edges = rows
  .transform((all) => all.map(([from, to, type, reason]) => ({ from, to, type, reason })))
  .pipe(
    z.array(
      z.object({ from: z.string(), to: z.string(), type: EdgeTypeSchema, reason: z.string() }),
    ),
  );
const gaps = rows
  .transform((all) => all.map(([held, text]) => ({ views: held, text })))
  .pipe(z.array(z.object({ views, text: z.string() })));
const steps = rows
  .transform((all) =>
    all.map(([title, description, time, doneWhen, pitfall, ...actions]) => ({
      title,
      description,
      time,
      doneWhen,
      pitfall,
      actions,
    })),
  )
  .pipe(
    z.array(
      z.object({
        title: z.string(),
        description: z.string(),
        time: z.string(),
        doneWhen: z.string(),
        pitfall: z.string(),
        actions: z.array(z.string()),
      }),
    ),
  );

const BatchSchema = z.strictObject({ claims, edges, gaps });
export type TopicBatch = z.infer<typeof BatchSchema>;

const TopicSchema = z.strictObject({
  words: z.string().transform(splitPhrases),
  asking: z.string(),
  goal: z.string(),
  question: BatchSchema,
  plan: BatchSchema,
  help: BatchSchema,
  steps,
  exploring: z.string().transform((text) => text.trim().split("\n")),
});

/** The one topic that the concierge lane demonstrates. */
export const TOPIC = TopicSchema.parse(
  parse(readFileSync(new URL("topic.yaml", import.meta.url), "utf8")),
);

const ABOUT = new RegExp(
  `\\b(?:${TOPIC.words.map((word) => word.replaceAll(" ", "[ -]")).join("|")})\\b`,
  "i",
);
const ASKING = new RegExp(TOPIC.asking, "i");

/** Tells whether a text asks the demonstrated question. */
export function isTopicQuestion(text: string): boolean {
  return ABOUT.test(text) && ASKING.test(text);
}

/** What helps with a step: its actions, each in two views, and its pitfall. */
const STEP_BATCHES = TOPIC.steps.map(
  ({ title, actions, pitfall }): readonly [string, TopicBatch] => {
    const held = [
      ["role", "user"],
      ["role", "cost"],
      ["role", "risk"],
    ] as const;
    const claim = (text: string, label: string, index: number): TopicBatch["claims"][number] => ({
      id: label,
      label,
      type: "prescriptive",
      views: [...(held[index % 3] ?? [])],
      text,
    });
    const all = actions.map((text, index) =>
      claim(text, text.split(" ").slice(0, 4).join(" "), index),
    );
    return [
      title,
      {
        claims: [...all, { ...claim(pitfall, "The pitfall", 2), type: "factual" }],
        edges: [],
        gaps: [],
      },
    ];
  },
);

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
  if (request.includes(TASKS.step))
    return STEP_BATCHES.find(([title]) => request.includes(title))?.[1] ?? TOPIC.help;
  if (request.includes(TASKS.plan)) return TOPIC.plan;
  return isTopicQuestion(request) ? TOPIC.question : null;
}

/** Tells which view a lens asks for: its own where it is one of the usual four, else by its words. */
export function findView(lens: string): z.infer<typeof ViewSchema> {
  const usual = ViewSchema.safeParse(
    DEFAULT_LENSES.find((each) => each.lens !== null && lens.includes(each.lens))?.id,
  );
  if (usual.success) return usual.data;
  if (/\b(?:money|costs?|price|budget|hours)\b/i.test(lens)) return "cost";
  if (/\b(?:risks?|wrong|fails?|undone|guard)\b/i.test(lens)) return "risk";
  return /\b(?:live with|worst day|person|user|feel)\b/i.test(lens) ? "user" : "role";
}
