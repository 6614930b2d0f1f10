import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import type { Opening } from "../state/phase.ts";
import type { ActiveWorkflow } from "../state/workflow.ts";
import { boundIntentHandover } from "./bound-handover.ts";

/** What the thread itself knows of a journey's beginning. */
export interface JourneyFacts {
  readonly opening: Opening;
  /** What the person has just said, untouched. */
  readonly userReply: string;
}

/** The longest list and text that code fills in. */
const ENTRIES = 6;
const CHARACTERS = 600;

/** The starter's handover with everything filled in that the system knows better than the model. */
export function completeIntentHandover(
  handover: IntentHandover,
  { opening, userReply }: JourneyFacts,
): IntentHandover {
  const known = learned(opening.analysis);
  return boundIntentHandover({
    ...handover,
    shape: known.shape === "" ? handover.shape : known.shape,
    keyFindings: orElse(known.keyFindings, handover.keyFindings),
    tensions: orElse(known.tensions, handover.tensions),
    gaps: orElse(known.gaps, handover.gaps),
    userQuery: opening.question,
    starterResponse:
      handover.starterResponse === "" ? brief(opening.answer) : handover.starterResponse,
    userReply,
  });
}

/** A handover made by code alone, for a starter that never wrote one: what was asked is the goal. */
export function standInHandover(
  { opening, userReply }: JourneyFacts,
  { said }: { readonly said: readonly string[] },
): IntentHandover {
  return boundIntentHandover({
    ...learned(opening.analysis),
    userQuery: opening.question,
    starterResponse: brief(opening.answer),
    userReply,
    impliedGoal: brief(opening.question),
    revealedConstraints: [],
    acceptedFraming: "",
    resistedFraming: null,
    unpromptedReveals: said.map(brief),
    stillUnclear: [],
    effectiveStance: "explore",
  });
}

/**
 * What an explorer begins with when a plan is dropped: what stays true of the person and the
 * matter, what the first step has taught, and what they want instead.
 */
export function reopenedHandover(
  facts: JourneyFacts,
  {
    intent,
    handover,
    workflow,
    stepAnalysis,
  }: {
    /** What the explorer before had begun from; null where it is not known. */
    readonly intent: IntentHandover | null;
    readonly handover: ExecutionHandover;
    readonly workflow: ActiveWorkflow | null;
    readonly stepAnalysis: StructuralAnalysis | null;
  },
): IntentHandover {
  const { opening } = facts;
  const taught = learned(stepAnalysis);
  const before = learned(opening.analysis);
  const done = (workflow?.steps ?? [])
    .filter(({ status }) => status === "complete")
    .map(({ title }) => `Done of the plan that was dropped: ${title}`);
  return boundIntentHandover({
    shape: before.shape,
    keyFindings: firstOf([
      `A plan was made for this and dropped by the person: ${brief(handover.goal)}`,
      ...done,
      ...taught.keyFindings,
      ...handover.explorationHighlights,
      ...before.keyFindings,
    ]),
    tensions: firstOf([...taught.tensions, ...before.tensions]),
    gaps: firstOf([...handover.openQuestions, ...taught.gaps]),
    userQuery: opening.question,
    starterResponse: intent?.starterResponse ?? brief(opening.answer),
    // What they say now stands as the current message.
    userReply: intent?.userReply ?? "",
    // The goal behind the plan stays until they say otherwise; the way to it is open again.
    impliedGoal: handover.goal,
    revealedConstraints: handover.constraints,
    acceptedFraming: firstOf(handover.decisionsMade).join("; "),
    resistedFraming: "the plan that was made",
    unpromptedReveals: firstOf([handover.situation, ...handover.priorities].filter(isText)),
    stillUnclear: firstOf(handover.openQuestions),
    effectiveStance: "explore",
  });
}

function learned(
  analysis: StructuralAnalysis | null,
): Pick<IntentHandover, "shape" | "keyFindings" | "tensions" | "gaps"> {
  if (analysis === null) return { shape: "", keyFindings: [], tensions: [], gaps: [] };
  const texts = new Map(analysis.claims.map(({ id, text }) => [id, oneLine(text)]));
  const textOf = (id: string): string => texts.get(id) ?? "";
  const strong = analysis.claims.filter((claim) => claim.strong).map(({ id }) => id);
  const telling = [...new Set([...analysis.shape.data.core, ...strong])].map(textOf);
  const tensions = analysis.edges
    .filter(({ type }) => type === "conflicts" || type === "tradeoff")
    .map(({ from, to, reason }) => {
      const why = oneLine(reason);
      return `${textOf(from)} — against: ${textOf(to)}${why === "" ? "" : ` (${why})`}`;
    });
  return {
    shape: analysis.shape.name,
    keyFindings: firstOf(telling.filter(isText)),
    tensions: firstOf(tensions),
    gaps: firstOf(analysis.gaps.map(oneLine)),
  };
}

function orElse(known: string[], written: string[]): string[] {
  return known.length > 0 ? known : written;
}

function firstOf(entries: readonly string[]): string[] {
  return [...new Set(entries)].slice(0, ENTRIES);
}

function brief(text: string): string {
  return clip(oneLine(text), CHARACTERS);
}

function isText(text: string): boolean {
  return text !== "";
}
