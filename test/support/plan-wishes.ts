import { z } from "zod";
import { StepMarkSchema, type PlannedPlan } from "../../state/journey-plan.ts";
import { plannedPlan } from "./journey-plans.ts";
import { readYaml } from "./read-yaml.ts";

/** The words of a step that somebody said; what they left out is absent. */
const MeantPartSchema = z.strictObject({
  title: z.string(),
  description: z.string().exactOptional(),
  time: z.string().exactOptional(),
  pitfall: z.string().exactOptional(),
  doneWhen: z.string().exactOptional(),
  phase: z.string().exactOptional(),
});

/** A change as a person means it, of steps and decisions named by their titles. */
const MeantChangeSchema = z.strictObject({
  kind: z.enum([
    "add",
    "remove",
    "replace",
    "move",
    "split",
    "done",
    "open",
    "skip",
    "note",
    "focus",
    "decide",
    "undo",
  ]),
  step: z.string().nullable(),
  /** The question of the decision. */
  decision: z.string().nullable(),
  /** The title of the step before the new place, "start" or "end". */
  after: z.string().nullable(),
  parts: z.array(MeantPartSchema),
  /** The note, or the choice. */
  text: z.string().nullable(),
  /** The part of the message that asks for it, verbatim. */
  words: z.string(),
});
export type MeantChange = z.infer<typeof MeantChangeSchema>;

const ExpectationSchema = z.enum(["carried out", "asks back", "nothing"]);
export type Expectation = z.infer<typeof ExpectationSchema>;

/** A wish to change a plan, as it was written down before it was played. */
const PlanWishSchema = z.strictObject({
  id: z.number().int(),
  plan: z.enum(["trip", "sleep"]),
  language: z.string(),
  messages: z.array(z.string()).min(1),
  /** The changes that each message asks for. */
  meaning: z.array(z.array(MeantChangeSchema)),
  expect: z.array(ExpectationSchema),
  planAfter: z.array(z.strictObject({ title: z.string(), mark: StepMarkSchema })),
  /** Question → choice. */
  decisionsAfter: z.record(z.string(), z.string().nullable()),
  /** Titles of the steps that rest on what changed. */
  rested: z.array(z.string()),
});
export type PlanWish = z.infer<typeof PlanWishSchema>;

/** A plan to wish changes of; steps and decisions rest on those of the titles and questions given. */
const WishedPlanSchema = z.strictObject({
  goal: z.string(),
  steps: z.array(
    z.strictObject({
      title: z.string(),
      phase: z.string(),
      time: z.string().default(""),
      pitfall: z.string().default(""),
      mark: StepMarkSchema.default("open"),
      restsOn: z.array(z.string()).default([]),
    }),
  ),
  decisions: z.array(
    z.strictObject({
      question: z.string(),
      /** The title of its step. */
      at: z.string(),
      recommendation: z.string(),
      chosen: z.string().nullable().default(null),
    }),
  ),
  /** The title of the step that is worked on. */
  next: z.string(),
});
export type WishedPlan = z.infer<typeof WishedPlanSchema>;

const FOLDER = new URL("../graph/plan-wishes/", import.meta.url);

/** Thirty wishes, in the languages of those who wrote them. */
export const PLAN_WISHES: readonly PlanWish[] = readYaml(
  new URL("wishes.json", FOLDER),
  z.array(PlanWishSchema),
);

/** The plans that they are to change. */
export const WISHED_PLANS: Readonly<Record<PlanWish["plan"], WishedPlan>> = readYaml(
  new URL("plans.json", FOLDER),
  z.record(PlanWishSchema.shape.plan, WishedPlanSchema),
);

/** Returns the plan as a model outlines it: with numbers for titles. Nothing of it is marked or chosen. */
export function outlineWishedPlan({ goal, steps, decisions }: WishedPlan): PlannedPlan {
  const titles = steps.map(({ title }) => title);
  const questions = decisions.map(({ question }) => question);
  return {
    ...plannedPlan(
      steps.map(({ mark: _mark, restsOn, ...words }) => ({
        ...words,
        restsOnSteps: numberNames(restsOn, titles),
        restsOnDecisions: numberNames(restsOn, questions),
      })),
      decisions.map(({ question, recommendation, at }) => ({
        question,
        recommendation,
        atStep: titles.indexOf(at) + 1,
      })),
    ),
    goal,
  };
}

/** Returns the positions, from 1, of those names that a list has. */
function numberNames(names: readonly string[], list: readonly string[]): number[] {
  return names.flatMap((name) => (list.includes(name) ? list.indexOf(name) + 1 : []));
}

/** Lists the changes that mark and decide a plan as it is to stand. */
export function listSettings({ steps, decisions }: WishedPlan): MeantChange[] {
  const none = { step: null, decision: null, after: null, parts: [], text: null };
  const kinds = { open: null, done: "done", skipped: "skip" } as const;
  return [
    ...steps.flatMap(({ title, mark }): MeantChange[] => {
      const kind = kinds[mark];
      return kind === null ? [] : [{ ...none, kind, step: title, words: `${title}: ${mark}` }];
    }),
    ...decisions.flatMap(({ question, chosen }): MeantChange[] =>
      chosen === null
        ? []
        : [{ ...none, kind: "decide", decision: question, text: chosen, words: question + chosen }],
    ),
  ];
}
