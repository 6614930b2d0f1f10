import type { ChangeResult } from "../../domain/apply-changes.ts";
import { listChangesInWords, wordChanges } from "../../domain/word-changes.ts";
import type { UnconfirmedChanges } from "../../domain/changes/find-objection.ts";
import { versionBefore } from "../../domain/changes/hash-changes.ts";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { PlanStep } from "../../state/plan.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderSentence } from "../../text/sentences.ts";
import { requireRun } from "../require-run.ts";
import { createUnspokenList, findConfirmedCall } from "./consent.ts";
import type { DomainCall } from "./round.ts";

/** The call as it waits for the person's "yes": to a question about it, or to the proposal that lists its changes. */
export function describeUnconfirmed(
  call: DomainCall,
  step: PlanStep,
  { unconfirmed, labels }: Extract<ChangeResult, { kind: "unconfirmed" }>,
): UnconfirmedCall {
  const { changes, along, changesHash, rules, reasons, final } = unconfirmed;
  const { pending, round } = call;
  const { entityTypes } = round.services.domain;
  const { journalDays } = round.services.limits;
  const listed = listChanges(changes, entityTypes);
  const moved = describeSince(call, listed);
  const since = moved.length > 0 ? moved : describeOtherValues(call, unconfirmed);
  const { timeZone } = requireRun(round.state);
  const listUnspoken = createUnspokenList(call);
  const words = { entityTypes, reasons, along, labels, timeZone, listUnspoken };
  const wording =
    round.plan.decision === "propose"
      ? listChangesInWords(changes, words)
      : wordChanges(changes, { ...words, undoDays: final === null ? journalDays : null });
  return {
    tool: pending.tool,
    args: pending.args,
    step: { description: step.description, subdomain: step.subdomain },
    changesHash,
    rules: [...rules],
    changes: listed,
    wording: [...since, wording].join(" "),
  };
}

/** Lists changes as a question keeps them. */
export function listChanges(
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
): UnconfirmedCall["changes"] {
  return changes.map((change) => ({
    action: change.action,
    type: change.type,
    ref: change.ref,
    label: change.label,
    version: versionBefore(change, entityTypes),
    follows: change.cause === "follows",
  }));
}

/** Says which rows are not as they were when the person was asked; empty where the person was not asked about the call. */
export function describeSince(
  { pending, round }: Pick<DomainCall, "pending" | "round">,
  listed: UnconfirmedCall["changes"],
): string[] {
  const asked = findConfirmedCall(pending, round);
  if (asked === null) return [];
  const places = [listed, asked.changes].map(
    (changes) =>
      new Map(changes.map((change) => [`${change.type} ${change.ref ?? change.label}`, change])),
  );
  const [now, before] = places;
  const other = [...(now ?? []), ...(before ?? [])].flatMap(([place, change]) =>
    now?.get(place)?.version === before?.get(place)?.version ? [] : [change],
  );
  const { state, services } = round;
  const { entries } = foldRegistry(
    state.registry,
    state.registryEvents,
    services.domain.entityTypes,
  );
  const deleted = new Set(
    entries.filter(({ action }) => action === "deleted").map(({ ref }) => ref),
  );
  const isGone = ({ ref }: (typeof other)[number]): boolean => ref !== null && deleted.has(ref);
  const say = (id: "rowsGoneSince" | "rowsChangedSince", changes: typeof other): string[] => {
    const labels = new Set(changes.map(({ label }) => label));
    return labels.size === 0 ? [] : [renderSentence(id, { rows: joinItems([...labels]) })];
  };
  return [
    ...say("rowsGoneSince", other.filter(isGone)),
    ...say(
      "rowsChangedSince",
      other.filter((change) => !isGone(change)),
    ),
  ];
}

/**
 * Says that a call which the person has said yes to writes other values to the same rows now, and names
 * their columns in the log: of the clock or of chance, so no "yes" covers them. Empty for every other call.
 */
function describeOtherValues(
  { pending, round }: DomainCall,
  { changes, along, changesHash }: UnconfirmedChanges,
): string[] {
  const asked = findConfirmedCall(pending, round)?.changesHash ?? "";
  // No hash stands for a question that came after its "yes".
  if (asked === "" || asked === changesHash || along.length > 0) return [];
  const { domain, log } = round.services;
  const written = changes.filter(({ action }) => action !== "delete");
  const columns = domain.entityTypes.flatMap(({ type, columns: described }) =>
    described
      .filter(({ name, volatile = false }) => !volatile && isWritten(name, type, written))
      .map(({ name }) => `"${name}" of type "${type}"`),
  );
  if (columns.length === 0) return [];
  log.warn(
    `The tool "${pending.tool}" asks again after a "yes", since it writes other values each time; write volatile: true at those that the clock or chance computes: ${columns.join(", ")}`,
  );
  return [renderSentence("valuesChangedSince")];
}

function isWritten(column: string, type: string, changes: readonly Change[]): boolean {
  return changes.some((change) => change.type === type && change.changed.includes(column));
}
