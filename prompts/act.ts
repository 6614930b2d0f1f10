import type { EnvelopePart } from "../state/envelope.ts";
import { oneLine } from "../text/fence.ts";
import type { ModelTier } from "../state/model.ts";
import { judgesRows, type PlanStep, type StepType } from "../state/plan.ts";
import { selectChoices, selectDrafts } from "../registry/working-set.ts";
import { chooseActExample } from "./examples.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection, growingPart, section, stablePart, volatilePart } from "./part.ts";
import { DATA_RULE, renderSystemText } from "./system-text.ts";
import type { ConversationView, PromptContext } from "./view.ts";
import { choicesPart, draftsPart, outsidePart } from "./working-set.ts";

export interface ActPromptInput {
  readonly view: ConversationView;
  readonly goal: string;
  readonly step: PlanStep;
  /** Position of the step, for the model: "Step 2 of 3". */
  readonly position: { readonly index: number; readonly of: number };
  /** Rows the step may use, rendered; empty for steps that find their own. */
  readonly rows: string;
  /** Rendered `## Prior Context`; empty for read and write steps. */
  readonly priorContext: string;
  readonly profile: string;
  /** Outcomes and notes of the steps before, one line each. */
  readonly before: readonly string[];
  /** Why the step was sent back; empty where it was not. */
  readonly sentBack: readonly string[];
}

const STEP_RULES: Readonly<Record<StepType, string>> = {
  read: "Find the data with as few calls as possible; a read that answers ends the step by itself.",
  analyze:
    "Judge what stands under Rows, Choices and Prior Context. Complete the step with the viable refs in refs and the conclusion in resultSummary.",
  generate:
    "Make what is asked for as artifacts of complete_step; nothing is saved. To change a draft give its ref and only what changes; lists are given whole.",
  write:
    "Do exactly what is asked, each row once. Give complete_step together with the calls that finish the step: it counts when all of them go through. If something asked for is left as it is or cannot be done, give complete_step after the calls and say so.",
};

/** The rule of a write step for a model that gives one call at a time. */
const SINGLE_WRITE_RULE =
  "Do exactly what is asked, each row once; one call takes several rows. When all calls have gone through, end with complete_step. If something asked for is left as it is or cannot be done, say so there.";

const RULES = {
  full: [
    "Use refs as they stand; there are no other ids. Columns that point at something take a ref.",
    "Give several independent calls at once. Do not repeat a call that has answered.",
    "Correct a refused call once; then end with block_step or fail_step.",
    "ask_user only when the step cannot end without the person; give the partial analysis with it.",
  ],
  small: [
    "Use refs as they stand; there are no other ids. Columns that point at something take a ref.",
    "Give one call; you see its result before the next one. Do not repeat a call that has answered.",
    "Correct a refused call once; then end with fail_step.",
    "ask_user only when the step cannot end without the person; give the partial analysis with it.",
  ],
} as const satisfies Readonly<Record<ModelTier, readonly string[]>>;

/** Asks for the tool calls of one step. Pinned by `test/golden/act-*.md`, for both tiers. */
export function buildActPrompt(input: ActPromptInput, context: PromptContext): EnvelopePart[] {
  const { view, step } = input;
  const { domain, tier = "full" } = context;
  const { workingSet } = view;
  const judges = judgesRows(step);
  const shown = { ...context, refs: true, facts: judges };
  const subdomain = domain.subdomains.find(({ name }) => name === step.subdomain);
  const guidance = subdomain?.guidance?.[step.stepType] ?? "";
  return [
    stablePart(
      "rules",
      "prompt:act",
      renderSystemText({
        duty: `You carry out one step of the work of ${domain.persona}, with tools. You do not talk to the person.`,
        rules: RULES[tier],
        example: chooseActExample(domain),
        dataRule: DATA_RULE,
      }),
    ),
    stablePart(
      "guidance",
      `domain:${domain.name}`,
      section(HEADINGS.houseRules, bullets(domain.rules)),
    ),
    growingPart("profile", "profile", section(HEADINGS.profile, input.profile)),
    growingPart("calendar", "run", section(HEADINGS.calendar, view.calendar)),
    growingPart("constraints", "constraints", section(HEADINGS.wishes, view.constraints)),
    choicesPart(judges ? workingSet : selectChoices(workingSet, step.refs), shown),
    draftsPart(judges ? workingSet : selectDrafts(workingSet, step.refs), shown),
    outsidePart(workingSet, shown),
    volatilePart("rows", "registry", dataSection(HEADINGS.rows, input.rows)),
    volatilePart("prior-context", "records", input.priorContext),
    volatilePart("active-plan", "workflow", dataSection(HEADINGS.activePlan, view.activePlan)),
    volatilePart("message", `input:turn-${view.turn}`, section(HEADINGS.message, view.message)),
    volatilePart(
      "step",
      `plan:step-${input.position.index + 1}`,
      section(
        HEADINGS.step,
        [
          `Goal of the turn: ${oneLine(input.goal)}`,
          ...input.before.map(oneLine),
          `Step ${input.position.index + 1} of ${input.position.of} (${step.stepType}, ${step.subdomain}): ${oneLine(step.description)}`,
          step.refs.length === 0 ? "" : `Refs: ${step.refs.join(", ")}`,
          tier === "small" && step.stepType === "write"
            ? SINGLE_WRITE_RULE
            : STEP_RULES[step.stepType],
          guidance,
          ...input.sentBack.map((reason) => `Sent back: ${oneLine(reason)}`),
        ]
          .filter((line) => line !== "")
          .join("\n"),
      ),
    ),
  ];
}
