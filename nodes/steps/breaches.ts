import type { ChangeRules } from "../../domain/changes/judge-changes.ts";
import type { Breach } from "../../state/change.ts";
import type { TurnState } from "../../state/turn.ts";
import { oneLine } from "../../text/fence.ts";
import { addFullStop, renderSentence } from "../../text/sentences.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { loadPerson } from "../person.ts";
import { requireRun } from "../require-run.ts";
import { describeFault, summariseToolError } from "./tool-refusal.ts";

/** Collects what the changes of a turn are checked against. */
export async function collectRules(
  state: TurnState,
  services: NodeServices,
  io: NodeIO,
): Promise<ChangeRules> {
  const run = requireRun(state);
  const { profile } = await loadPerson(services, run);
  const { entityTypes, checks } = services.domain;
  const { constraints, turn } = state;
  return {
    entityTypes,
    checks,
    facts: { constraints, profile: profile.facts, today: run.today, turn },
    onCheckFailure: (check, error) => {
      const text = `The check "${check}" failed: ${summariseToolError(error)}`;
      io.emit({ type: "notice", node: "tools", code: "check-failed", text });
      services.log.warn(text);
    },
    onRowDenied: (table, error) => {
      const cause = error === null ? "a trigger or a policy has left it out" : describeFault(error);
      services.log.warn(`The database refused a row of "${table}": ${oneLine(cause)}`);
    },
  };
}

/** The breaches on one line, each with the wish or rule it breaks. */
export function describeBreaches(breaches: readonly Breach[]): string {
  return breaches.map(({ rule, reason }) => oneLine(`${reason} (${rule})`)).join("; ");
}

/** The question that a breach becomes when it stands after being sent back. */
export function breachQuestion(breaches: readonly Breach[]): string {
  return renderSentence("goAheadAnyway", { breaches: addFullStop(describeBreaches(breaches)) });
}
