import type { Breach } from "../../state/domain.ts";
import type { CheckedContent, CheckFacts } from "../../state/domain.ts";
import type { TurnState } from "../../state/turn.ts";
import { requireRun } from "../require-run.ts";
import { addFullStop, renderSentence } from "../../text/sentences.ts";

/** A check of the domain: of drafts together, or of the rows of a write. */
type Check = (contents: readonly CheckedContent[], facts: CheckFacts) => readonly Breach[];

interface FindBreachesOptions {
  readonly check: Check;
  readonly state: TurnState;
  readonly profile: CheckFacts["profile"];
}

/** Returns the wishes and rules that the contents would break, without those that the person has waived. */
export function findBreaches(
  contents: readonly CheckedContent[],
  facts: FindBreachesOptions,
): Breach[] {
  if (contents.length === 0) return [];
  const { check, state, profile } = facts;
  const waived = state.understanding?.waived ?? [];
  const { constraints, turn } = state;
  return check(contents, { constraints, profile, today: requireRun(state).today, turn }).filter(
    ({ constraint }) => !waived.includes(constraint),
  );
}

/** The breaches on one line, each with the wish or rule it breaks. */
export function describeBreaches(breaches: readonly Breach[]): string {
  return breaches.map(({ constraint, reason }) => `${reason} (${constraint})`).join("; ");
}

/** The question that a breach becomes when it stands after being sent back. */
export function breachQuestion(breaches: readonly Breach[]): string {
  return renderSentence("goAheadAnyway", { breaches: addFullStop(describeBreaches(breaches)) });
}
