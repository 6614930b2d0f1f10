import type { Breach } from "../../state/domain.ts";
import type { CheckedContent, CheckFacts } from "../../state/domain.ts";
import type { TurnState } from "../../state/turn.ts";
import { runOf } from "../run-of.ts";
import { sentence } from "../reply/sentence.ts";

/** A check of the domain: of drafts together, or of the rows of a write. */
type Check = (contents: readonly CheckedContent[], facts: CheckFacts) => readonly Breach[];

/** What of the person's wishes and rules the contents would break, less what the person has set aside. */
export function breachesOf(
  contents: readonly CheckedContent[],
  facts: {
    readonly check: Check;
    readonly state: TurnState;
    readonly profile: CheckFacts["profile"];
  },
): Breach[] {
  if (contents.length === 0) return [];
  const { check, state, profile } = facts;
  const waived = state.understanding?.waived ?? [];
  const { constraints, turn } = state;
  return check(contents, { constraints, profile, today: runOf(state).today, turn }).filter(
    ({ constraint }) => !waived.includes(constraint),
  );
}

/** The breaches on one line, each with the wish or rule it breaks. */
export function describeBreaches(breaches: readonly Breach[]): string {
  return breaches.map(({ constraint, reason }) => `${reason} (${constraint})`).join("; ");
}

/** The question that a breach becomes when it stands after being sent back. */
export function breachQuestion(breaches: readonly Breach[]): string {
  return `${sentence(describeBreaches(breaches))} Shall I go on all the same?`;
}
