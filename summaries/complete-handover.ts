import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import type { Opening } from "../state/phase.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import { boundIntentHandover } from "./bound-handover.ts";
import { foldEntry, HANDOVER_LIMITS } from "./patch-handover.ts";

/** The beginning of a journey, as the thread holds it. */
export interface JourneyFacts {
  readonly opening: Opening;
  /** The person's latest message, unchanged. */
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
  const known = extractFindings(opening.analysis);
  const completed = boundIntentHandover({
    ...handover,
    shape: known.shape === "" ? handover.shape : known.shape,
    keyFindings: firstNonEmpty(known.keyFindings, handover.keyFindings),
    tensions: firstNonEmpty(known.tensions, handover.tensions),
    gaps: firstNonEmpty(known.gaps, handover.gaps),
    userQuery: opening.question,
    starterResponse:
      handover.starterResponse === "" ? brief(opening.answer) : handover.starterResponse,
    userReply,
  });
  return keepWarnings(completed, [opening.analysis]);
}

/** A handover made by code alone, for a starter that never wrote one: what was asked is the goal. */
export function fallbackHandover(
  { opening, userReply }: JourneyFacts,
  { userMessages }: { readonly userMessages: readonly string[] },
): IntentHandover {
  const handover = boundIntentHandover({
    ...extractFindings(opening.analysis),
    userQuery: opening.question,
    starterResponse: brief(opening.answer),
    userReply,
    impliedGoal: brief(opening.question),
    revealedConstraints: [],
    acceptedFraming: "",
    resistedFraming: null,
    unpromptedReveals: userMessages.map(brief),
    stillUnclear: [],
    effectiveStance: "explore",
  });
  return keepWarnings(handover, [opening.analysis]);
}

/**
 * Puts the claims of which ignoring does harm before all other findings: no bound of theirs leaves one out. Pure.
 */
export function keepWarnings(
  handover: IntentHandover,
  analyses: readonly (StructuralAnalysis | null)[],
): IntentHandover {
  const warnings = listWarnings(analyses);
  const known = new Set(warnings.map(foldEntry));
  const others = handover.keyFindings.filter((finding) => !known.has(foldEntry(finding)));
  return { ...handover, keyFindings: [...warnings, ...others] };
}

/** Returns the claims of which ignoring does harm, each once, without those of `shown`. Pure. */
export function listWarnings(
  analyses: readonly (StructuralAnalysis | null)[],
  shown: StructuralAnalysis | null = null,
): string[] {
  const known = new Set(shown?.claims.map(({ text }) => foldEntry(text)));
  const warnings = analyses
    .flatMap((analysis) => analysis?.claims ?? [])
    .filter(({ stakes, text }) => stakes === "harm" && !known.has(foldEntry(text)))
    .map(({ text }) => clip(oneLine(text), HANDOVER_LIMITS.characters));
  return [...new Map(warnings.map((warning) => [foldEntry(warning), warning])).values()];
}

/** Returns true for a handover that reads nothing into the opening, as code builds them. */
export function isHandoverByCode(handover: IntentHandover): boolean {
  const { userQuery, impliedGoal, acceptedFraming, resistedFraming, stillUnclear } = handover;
  return (
    impliedGoal === brief(userQuery) &&
    acceptedFraming === "" &&
    resistedFraming === null &&
    stillUnclear.length === 0
  );
}

interface ReopenedHandoverOptions {
  /** The handover that the previous explorer began from; null where it is not known. */
  readonly intent: IntentHandover | null;
  readonly handover: ExecutionHandover;
  readonly plan: JourneyPlan | null;
  readonly stepAnalysis: StructuralAnalysis | null;
}

/**
 * Builds the handover that an explorer begins with when a plan is dropped: what stays true of the person and the
 * matter, what the first step has taught, and what they want instead.
 */
export function reopenedHandover(
  facts: JourneyFacts,
  { intent, handover, plan, stepAnalysis }: ReopenedHandoverOptions,
): IntentHandover {
  const { opening } = facts;
  const taught = extractFindings(stepAnalysis);
  const before = extractFindings(opening.analysis);
  const { steps = [], changes = [] } = plan ?? {};
  const decided = (plan?.decisions ?? []).flatMap((decision) =>
    decision.chosen === null ? [] : describeDecision(decision.question, decision.chosen),
  );
  return boundIntentHandover({
    shape: before.shape,
    keyFindings: firstDistinct([
      `A plan was made for this and dropped by the person: ${brief(handover.goal)}`,
      ...listDone(steps),
      ...taught.keyFindings,
      ...handover.explorationHighlights,
      ...before.keyFindings,
    ]),
    tensions: firstDistinct([...taught.tensions, ...before.tensions]),
    gaps: firstDistinct([...handover.openQuestions, ...taught.gaps]),
    userQuery: opening.question,
    starterResponse: intent?.starterResponse ?? brief(opening.answer),
    // What they say now stands as the current message.
    userReply: intent?.userReply ?? "",
    // The goal behind the plan stays until they say otherwise; the way to it is open again.
    impliedGoal: handover.goal,
    revealedConstraints: handover.constraints,
    acceptedFraming: firstDistinct([...handover.decisionsMade, ...decided]).join("; "),
    resistedFraming: ["the plan that was made", ...listWordsOfChanges(changes)].join("; "),
    unpromptedReveals: firstDistinct(
      [handover.situation, ...listFoundOut(steps), ...handover.priorities].filter(isText),
    ),
    stillUnclear: firstDistinct(handover.openQuestions),
    effectiveStance: "explore",
  });
}

function listDone(steps: JourneyPlan["steps"]): string[] {
  return steps
    .filter(({ mark }) => mark === "done")
    .map(({ title }) => `Done of the plan that was dropped: ${oneLine(title)}`);
}

function listFoundOut(steps: JourneyPlan["steps"]): string[] {
  return steps.flatMap(({ title, notes }) =>
    notes.map(({ text }) => `At “${oneLine(title)}” they found out: ${oneLine(text)}`),
  );
}

/** The newest words with which the person had the content of the plan changed. */
function listWordsOfChanges(changes: JourneyPlan["changes"]): string[] {
  return changes
    .filter(({ kind }) => kind !== "mark" && kind !== "annotate" && kind !== "focus")
    .slice(-2)
    .map(({ why }) => `changed with “${oneLine(why)}”`);
}

function describeDecision(question: string, chosen: string): string {
  return oneLine(question === "" ? chosen : `${question} ${chosen}`);
}

function extractFindings(
  analysis: StructuralAnalysis | null,
): Pick<IntentHandover, "shape" | "keyFindings" | "tensions" | "gaps"> {
  if (analysis === null) return { shape: "", keyFindings: [], tensions: [], gaps: [] };
  const texts = new Map(analysis.claims.map(({ id, text }) => [id, oneLine(text)]));
  const labels = new Map(analysis.claims.map(({ id, label }) => [id, oneLine(label)]));
  const findClaimText = (id: string): string => texts.get(id) ?? "";
  // A claim's text stands once in a prompt: among the key findings.
  const name = (id: string): string => `“${labels.get(id) || findClaimText(id)}”`;
  const strong = analysis.claims.filter((claim) => claim.strong).map(({ id }) => id);
  const harmful = new Set(
    analysis.claims.filter(({ stakes }) => stakes === "harm").map(({ id }) => id),
  );
  const grounds = [...new Set([...analysis.shape.data.core, ...strong])]
    .filter((id) => !harmful.has(id))
    .map(findClaimText);
  const tensions = analysis.edges
    .filter(({ type }) => type === "conflicts" || type === "tradeoff")
    .map(({ from, to, reason }) => {
      const why = oneLine(reason);
      return `${name(from)} against ${name(to)}${why === "" ? "" : `: ${why}`}`;
    });
  return {
    shape: analysis.shape.name,
    keyFindings: firstDistinct(grounds.filter(isText)),
    tensions: firstDistinct(tensions),
    gaps: firstDistinct(analysis.gaps.map(oneLine)),
  };
}

function firstNonEmpty(known: string[], written: string[]): string[] {
  return known.length > 0 ? known : written;
}

function firstDistinct(entries: readonly string[]): string[] {
  return [...new Set(entries)].slice(0, ENTRIES);
}

function brief(text: string): string {
  return clip(oneLine(text), CHARACTERS);
}

function isText(text: string): boolean {
  return text !== "";
}
