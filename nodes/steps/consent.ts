import type { Consent } from "../../domain/changes/find-objection.ts";
import { hashJson } from "../../domain/changes/hash-changes.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { PendingCall } from "../../state/step.ts";
import { selectNamed } from "./named-rows.ts";
import { isPlanned, selectListed } from "./planned-writes.ts";
import type { DomainCall, Round } from "./round.ts";

/** Reads the consent of the person to a call: from the message, or from the answer to the question about it. */
export function readConsent({ tool, pending, registry, round }: DomainCall): Consent {
  const { state, plan } = round;
  const step = plan.steps[pending.step];
  const writes = step?.writes ?? [];
  const isProposed = plan.origin === "proposal";
  // The person has read the description of the step in the proposal, and said yes to it.
  const message = `${state.input?.text ?? ""}\n${isProposed ? (step?.description ?? "") : ""}`;
  const references = state.understanding?.references ?? [];
  const labels = registry.entries.map(({ label }) => label);
  const earlier = state.stepResults[pending.step]?.calls ?? [];
  return {
    selectNamed: (changes) => selectNamed(changes, { message, references, labels }),
    selectPlanned: (changes) => changes.filter((change) => isPlanned(change, writes)),
    selectAgreed: isProposed ? (changes) => selectListed(changes, writes) : null,
    countEarlier: (change) => round.written.count(change),
    confirmed: findConfirmedCall(pending, round),
    isRepeated: earlier.some(
      ({ tool: before, breaches }) => before === tool.name && breaches.length > 0,
    ),
  };
}

/** The call that the person has said yes to, where this is it; null for every other call. */
export function findConfirmedCall(
  { tool, args }: PendingCall,
  { state }: Round,
): UnconfirmedCall | null {
  const hash = hashJson([tool, args]);
  const calls = state.confirmed?.calls ?? [];
  return calls.find((call) => hashJson([call.tool, call.args]) === hash) ?? null;
}
