import type { ModelRequest } from "../../state/model.ts";
import { diagnose, readErrorFacts, type ErrorFacts } from "../failures/diagnose.ts";
import { STRUCTURED_MODES, type ModelProfile, type StructuredMode } from "../profile/profile.ts";
import type { AnswerHistory } from "./answer-history.ts";
import { chooseSchema } from "./call-options.ts";

/** True for a refused request of which nothing names the cause: another time it may be served. */
export function isUnexplained(error: unknown): boolean {
  return isCauseless(readErrorFacts(error));
}

function isCauseless(facts: ErrorFacts): boolean {
  const isNamed = facts.code !== null || facts.param !== null;
  return !isNamed && diagnose(facts).code === "model_request_refused";
}

interface RefusedCall {
  readonly request: ModelRequest;
  /** The profile by which it was made. */
  readonly profile: ModelProfile;
  readonly history: AnswerHistory;
  /** True for a refusal of the mode itself, which was only tried. */
  readonly isTrial: boolean;
}

/** Sources of a mode that an endpoint has not been seen to refuse or to answer. */
const UNPROVEN = new Set(["assumed", "known"]);

/**
 * Finds the next way of requesting a structured answer after a refusal without a reason, or of a way
 * that is tried; null for every other refusal, and where it is known how this model is asked.
 */
export function findNextMode(
  error: unknown,
  { request, profile, history, isTrial }: RefusedCall,
): StructuredMode | null {
  const facts = readErrorFacts(error);
  // A schema that is called wrong is so in every form.
  const isBare =
    (facts.status === 400 || facts.status === 422) &&
    isCauseless(facts) &&
    !/schema/i.test(facts.message);
  const { source = "assumed" } = profile.evidence.structured ?? {};
  const isKnown = history.hasStructured || !UNPROVEN.has(source);
  if (isKnown || !(isBare || isTrial) || chooseSchema(request, profile) === null) return null;
  return STRUCTURED_MODES[STRUCTURED_MODES.indexOf(profile.structured) + 1] ?? null;
}
