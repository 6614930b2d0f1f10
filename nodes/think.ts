import { buildThinkPrompt } from "../prompts/think.ts";
import { named, viewConversation, type ConversationView } from "../prompts/view.ts";
import { removeThoughts } from "../output-filter/thought-filter.ts";
import {
  createSequentialAnswerSchema,
  createThinkAnswerSchema,
  GivenThinkAnswerSchema,
  SequentialAnswerSchema,
  type Plan,
  type PlanStep,
  type ThinkAnswer,
} from "../state/plan.ts";
import type { Domain } from "../state/domain.ts";
import type { ModelTier } from "../state/model.ts";
import type { RegistryEntry } from "../state/registry.ts";
import { rememberFor } from "../state/remember.ts";
import type { StepResult } from "../state/step.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { Understanding } from "../state/understanding.ts";
import { renderLastTurnSummary } from "../summaries/last-turn-summary.ts";
import { askForAnswer, type Asked } from "./ask/ask-model.ts";
import { answerSchema, type AnswerSchema } from "./ask/read-checked.ts";
import { explainFailure } from "./ask/report-failure.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { hideToolNames } from "./steps/hide-machinery.ts";
import { placeCalls } from "./steps/place-calls.ts";
import { deriveWrites, selectFitting } from "./steps/planned-calls.ts";
import { replacePlan, startTurnPlan } from "./steps/plan-progress.ts";
import { requireRun } from "./require-run.ts";
import { summarizeCurrentTurn } from "./current-turn.ts";
import { loadPerson } from "./person.ts";
import {
  checkPlan,
  cutPlan,
  hasSteps,
  collectRefsForThink,
  type PlanBounds,
} from "./steps/think-checks.ts";
import { WRITE_REPLANNED } from "./reply/collect-receipts.ts";

/** Makes the schema of Think's answer, whose calls name the types of the domain. */
export function createThinkSchema(
  domain: ThinkDomain,
  tier: ModelTier = "full",
): AnswerSchema<ThinkAnswer> {
  return tier === "small" ? createSmallSchema(domain) : createFullSchema(domain);
}

type ThinkDomain = Pick<Domain, "entityTypes" | "subdomains">;

const DESCRIPTION = "What is to be done in this turn.";

// A call of a type that does not exist costs its step, not the plan.
const createFullSchema = rememberFor((domain: ThinkDomain): AnswerSchema<ThinkAnswer> => {
  const schema = createThinkAnswerSchema(listNames(domain));
  const given = GivenThinkAnswerSchema.transform((answer) => placeCalls(answer, domain));
  return {
    named: answerSchema("think", DESCRIPTION, schema).named,
    parse: (value) => given.safeParse(value),
  };
});

const createSmallSchema = rememberFor((domain: ThinkDomain): AnswerSchema<ThinkAnswer> => {
  const schema = createSequentialAnswerSchema(listNames(domain));
  const given = SequentialAnswerSchema.transform((answer) => placeCalls(answer, domain));
  return {
    named: answerSchema("think", DESCRIPTION, schema).named,
    parse: (value) => given.safeParse(value),
  };
});

function listNames({ entityTypes }: Pick<Domain, "entityTypes">): readonly string[] {
  return entityTypes.map(({ type }) => type);
}

/** Makes the planner. It plans from what was done: records, registry, what is held. */
export function createThinkNode(services: NodeServices) {
  const schema = createThinkSchema(services.domain, services.tier);
  return async function think(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const run = requireRun(state);
    const { understanding } = state;
    if (understanding === null) {
      throw new TypeError('Cannot plan without "understanding": the node "understand" runs first');
    }
    const view = viewConversation(state, services);
    const person = await loadPerson(services, run);
    const bounds: PlanBounds = { domain: services.domain, limits: services.limits };
    const replanned = state.stepResults.find(({ status }) => status === "replan");
    const blocked = replanned?.blocked ?? null;
    const isWrite = state.plan?.steps[replanned?.step ?? -1]?.stepType === "write";
    const asked = await askForAnswer(
      {
        node: "think",
        role: "think",
        run,
        turn: state.turn,
        parts: buildThinkPrompt(
          {
            view,
            lastTurnSummary: renderLastTurnSummary({
              records: state.turnExecutionSummaries,
              current: summarizeCurrentTurn(state, view),
              types: services.domain.entityTypes,
            }),
            profile: person.profile.text,
            snapshot: person.snapshot,
            understanding,
            resolved: resolvedLines(understanding, view),
            replan: blocked === null ? "" : replanLine(blocked, listNotDone(state, replanned)),
          },
          services,
        ),
        required: ["rules", "message"],
        ids: { ref: collectRefsForThink(state, view) },
        thread: [],
        earlier: state.notices,
        maxOutputTokens: services.limits.thinkOutputTokens,
      },
      {
        schema,
        check: (answer) => checkPlan(deriveWrites(answer), bounds),
        salvage: (answer, given) => cutPlan(deriveWrites(answer), deriveWrites(given), bounds),
        services,
        io,
      },
    );
    const replans = state.plan === null ? 0 : state.plan.replans + 1;
    const { plan, notices } = buildPlan(asked, replans, services);
    io.emit({ type: "plan", goal: plan.goal, decision: plan.decision, steps: [...plan.steps] });
    return {
      ...(state.plan === null
        ? startTurnPlan(plan)
        : replacePlan(plan, { plan: state.plan, results: state.stepResults })),
      calls: [...state.calls, ...asked.calls],
      notices: [
        ...state.notices,
        ...(blocked === null ? [] : [replanNotice(blocked, isWrite)]),
        ...asked.notices,
        ...notices,
      ],
    };
  };
}

interface BuiltPlan {
  readonly plan: Plan;
  /** The calls that were left out of it. */
  readonly notices: readonly Notice[];
}

/** Builds the plan from the answer, with steps only where they count; a failed plan with its reason where there is no answer. */
function buildPlan(asked: Asked<ThinkAnswer>, replans: number, services: NodeServices): BuiltPlan {
  if (asked.kind === "failed")
    return { plan: failedPlan(explainFailure(asked), replans), notices: [] };
  const answer = deriveWrites(asked.value);
  const hide = (text: string): string =>
    hideToolNames(removeThoughts(text), services.toolbox.tools).trim();
  const toPlain = (step: PlanStep): PlanStep => ({ ...step, description: hide(step.description) });
  const steps = hasSteps(answer) ? answer.steps.map(toPlain) : [];
  const planned = { calls: hasSteps(answer) ? answer.calls : [], steps };
  const { calls, notices, misfits } = selectFitting(planned, services);
  const given = answer.goal === null ? "" : hide(answer.goal);
  const goal = given || joinDescriptions(steps) || "Answer the message";
  const made = { ...answer, goal, steps, calls };
  return { plan: { ...made, origin: "think", replans, failure: null, misfits }, notices };
}

function joinDescriptions(steps: readonly PlanStep[]): string {
  return steps.map(({ description }) => description).join("; ");
}

function resolvedLines(understanding: Understanding, view: ConversationView): string[] {
  const labels = new Map(view.registry.entries.map((entry) => [entry.ref, entry]));
  const name = (ref: string): string => {
    const entry: RegistryEntry | undefined = labels.get(ref);
    return entry === undefined ? ref : named(entry);
  };
  const { curation, references } = understanding;
  const line = (lead: string, refs: readonly string[]): string[] =>
    refs.length === 0 ? [] : [`${lead}: ${refs.map(name).join(", ")}`];
  return [
    ...(understanding.expressed === "" ? [] : [`The person: ${understanding.expressed}`]),
    ...references.map(({ text, ref }) => `${text === "" ? "It" : `"${text}"`} means ${name(ref)}`),
    ...line(
      "User excluded",
      curation.demote.map(({ ref }) => ref),
    ),
    ...line(
      "User brought back",
      curation.restore.map(({ ref }) => ref),
    ),
    ...(understanding.answersPending === null
      ? []
      : [`The message answers what was pending: ${understanding.answersPending}`]),
  ];
}

type Blocked = NonNullable<StepResult["blocked"]>;

function replanLine({ reason, tried }: Blocked, left: readonly string[]): string {
  const rest = left.length === 0 ? "" : ` Not done: ${left.join("; ")}.`;
  return `The plan before this one could not be carried out: ${reason} (tried: ${tried}).${rest} Plan another way.`;
}

/** The steps that a blocked one kept from beginning, and others that were blocked beside it: a new plan is to hold them, too. */
function listNotDone(
  { plan, stepResults }: Pick<TurnState, "plan" | "stepResults">,
  blocked: StepResult | undefined,
): string[] {
  return stepResults
    .filter((result) => result !== blocked && NOT_DONE.has(result.status))
    .flatMap(({ step }) => plan?.steps[step]?.description ?? []);
}

const NOT_DONE: ReadonlySet<StepResult["status"]> = new Set(["skipped", "replan"]);

/** The step that was blocked is not in the new plan: the record keeps the reason here. */
function replanNotice({ reason }: Blocked, isWrite: boolean): Notice {
  const code = isWrite ? WRITE_REPLANNED : "replanned";
  return { node: "think", code, text: `Planned another way: ${reason}` };
}

/** No plan could be made: nothing is done, and Reply says why. */
function failedPlan(reason: string, replans: number): Plan {
  return {
    reasoning: "No plan could be made.",
    goal: "Say that no plan could be made",
    decision: "answer",
    steps: [],
    calls: [],
    proposal: null,
    questions: [],
    origin: "think",
    replans,
    failure: reason,
    misfits: [],
  };
}
