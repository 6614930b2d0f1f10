import { applyChanges, type Consent, type UnconfirmedChanges } from "../../domain/apply-changes.ts";
import { hashJson } from "../../domain/changes/hash-changes.ts";
import { wordChanges } from "../../domain/word-changes.ts";
import { runReadTool } from "../../domain/run-tool.ts";
import type { Breach } from "../../state/change.ts";
import type { Tool } from "../../state/domain.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { JsonObject } from "../../state/json.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingCall } from "../../state/step.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { collectRules, describeBreaches } from "./breaches.ts";
import { deriveEffectKey } from "./effect-key.ts";
import { isAllOfNamedType, selectNamed } from "./named-rows.ts";
import { isPlanned, selectAgreed } from "./planned-writes.ts";
import type { Recalled } from "./recall.ts";
import type { Round } from "./round.ts";
import { requireRun } from "../require-run.ts";
import { renderSentence } from "../../text/sentences.ts";

/** The result of one call, before refs are allotted. */
export type CallDone =
  /** `effectId` is the number of the effect; null where nothing was stored. */
  | { readonly kind: "outcome"; readonly outcome: ToolOutcome; readonly effectId: number | null }
  /** Drafts that the registry holds: nothing was fetched. */
  | { readonly kind: "held"; readonly text: string; readonly refs: readonly string[] }
  | { readonly kind: "recalled"; readonly recalled: Recalled }
  /** The person is asked; nothing was stored. */
  | { readonly kind: "unconfirmed"; readonly call: UnconfirmedCall }
  | {
      readonly kind: "refused";
      /** For the model: what is wrong and what is right. */
      readonly reason: string;
      readonly breaches: readonly Breach[];
    };

/** A call of one of the domain's tools. */
export interface DomainCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly pending: PendingCall;
  readonly registry: Registry;
  readonly round: Round;
}

/** Runs a call that changes nothing. */
export async function runRead(call: DomainCall): Promise<CallDone> {
  const { tool, args, round } = call;
  const misplaced = refuseMisplaced(call);
  if (misplaced !== null) return misplaced;
  const held = readFromRegistry(call);
  if (held !== null) return held;
  const { userData, domain } = round.services;
  const outcome = await userData.read(requireRun(round.state).userId, (tx) =>
    runReadTool(tool, args, { ...buildToolContext(call), tx, entityTypes: domain.entityTypes }),
  );
  return { kind: "outcome", outcome, effectId: null };
}

/** Runs a call that changes data, unless something speaks against it; once per effect key, however often it is called. */
export async function runWrite(call: DomainCall): Promise<CallDone> {
  const { tool, args, pending, round } = call;
  const { state, services, plan } = round;
  const step = plan.steps[pending.step];
  if (step?.stepType !== "write") {
    const reason = `Cannot call "${tool.name}" in a ${step?.stepType ?? "missing"} step: only write steps change data`;
    return { kind: "refused", reason, breaches: [] };
  }
  const misplaced = refuseMisplaced(call);
  if (misplaced !== null) return misplaced;
  const { userId, threadId, runId } = requireRun(state);
  const result = await applyChanges(services.userData, {
    userId,
    effect: {
      key: deriveEffectKey(pending),
      threadId,
      turn: state.turn,
      runId,
      origin: services.toolbox.isGenerated(tool) ? "tool" : "domain-tool",
      tool: tool.name,
      lease: round.io.lease,
      ...(tool.undo === undefined ? {} : { final: tool.undo.never }),
    },
    tool,
    args,
    run: buildToolContext(call),
    rules: await collectRules(state, services, round.io),
    consent: readConsent(call),
  });
  switch (result.kind) {
    case "applied":
      return { kind: "outcome", outcome: result.outcome, effectId: result.effectId };
    case "refused":
      return { kind: "refused", reason: `Not done: ${result.reason}`, breaches: [] };
    case "breach":
      return {
        kind: "refused",
        reason: `Not done, it breaks what holds: ${describeBreaches(result.breaches)}. Put it right, or ask with ask_user; the same call again becomes a question to the person.`,
        breaches: result.breaches,
      };
    case "unconfirmed":
      return { kind: "unconfirmed", call: describeUnconfirmed(call, step, result.unconfirmed) };
    default:
      return result satisfies never;
  }
}

/** The refusal of a call whose step is not offered the tool; null for every other call. */
function refuseMisplaced({ tool, pending, round }: DomainCall): CallDone | null {
  const step = round.plan.steps[pending.step];
  if (step === undefined || round.services.toolbox.listTools(step).includes(tool)) return null;
  const reason = `Cannot call "${tool.name}" in a ${step.stepType} step of ${step.subdomain}: it works from what it was shown; block the step if that is not enough`;
  return { kind: "refused", reason, breaches: [] };
}

/** Reads the consent of the person to a call: from the message, or from the answer to the question about it. */
function readConsent({ tool, args, pending, registry, round }: DomainCall): Consent {
  const { state, plan, services } = round;
  const { entityTypes } = services.domain;
  const message = state.input?.text ?? "";
  const writes = plan.steps[pending.step]?.writes ?? [];
  const references = state.understanding?.references ?? [];
  const labels = registry.entries.map(({ label }) => label);
  const accepted =
    plan.origin === "proposal" ? { text: plan.proposal ?? "", writes, labels } : null;
  const type = (name: string) => entityTypes.find((candidate) => candidate.type === name);
  const earlier = state.stepResults[pending.step]?.calls ?? [];
  return {
    selectNamed: (changes) => {
      const named = new Set(selectNamed(changes, { message, references, labels }));
      return changes.filter(
        (change) => named.has(change) || isAllOfNamedType(args, type(change.type), message),
      );
    },
    selectPlanned: (changes) => changes.filter((change) => isPlanned(change, writes)),
    selectAgreed: accepted === null ? null : (changes) => selectAgreed(changes, accepted),
    confirmed: findConfirmedCall(pending, round),
    isRepeated: earlier.some(
      ({ tool: before, breaches }) => before === tool.name && breaches.length > 0,
    ),
  };
}

/** The call that the person has said yes to, where this is it; null for every other call. */
function findConfirmedCall({ tool, args }: PendingCall, { state }: Round): UnconfirmedCall | null {
  const hash = hashJson([tool, args]);
  const calls = state.confirmed?.calls ?? [];
  return calls.find((call) => hashJson([call.tool, call.args]) === hash) ?? null;
}

/** The call as it waits for the person's "yes". */
function describeUnconfirmed(
  call: DomainCall,
  step: PlanStep,
  { changes, changesHash, rules, reasons, final }: UnconfirmedChanges,
): UnconfirmedCall {
  const { pending, round } = call;
  const { entityTypes } = round.services.domain;
  const { journalDays } = round.services.limits;
  const listed = changes.map(({ action, type, ref, label, version, cause }) => ({
    action,
    type,
    ref,
    label,
    version,
    follows: cause === "follows",
  }));
  const since = describeSince(call, listed);
  const wording = wordChanges(changes, {
    entityTypes,
    reasons,
    undoDays: final === null ? journalDays : null,
  });
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

/** Says which rows are not as they were when the person was asked; empty where the person was not asked about the call. */
function describeSince(
  { pending, round }: DomainCall,
  listed: UnconfirmedCall["changes"],
): string[] {
  const asked = findConfirmedCall(pending, round);
  if (asked === null) return [];
  const places = [listed, asked.changes].map(
    (changes) =>
      new Map(changes.map((change) => [`${change.type} ${change.ref ?? change.label}`, change])),
  );
  const [now, before] = places;
  const labels = [...(now ?? []), ...(before ?? [])].flatMap(([place, { label }]) =>
    now?.get(place)?.version === before?.get(place)?.version ? [] : [label],
  );
  if (labels.length === 0) return [];
  return [renderSentence("rowsChangedSince", { rows: [...new Set(labels)].join(", ") })];
}

function buildToolContext({ registry, round }: DomainCall) {
  const { userId, threadId, today, timeZone } = requireRun(round.state);
  const refs = createRefBook(registry);
  return { userId, threadId, today, timeZone, refs, signal: round.io.signal };
}

/** A read of drafts that are not saved is served from the registry; null for every other call. */
function readFromRegistry({ args, registry, round }: DomainCall): CallDone | null {
  const refs = args["refs"];
  if (!Array.isArray(refs) || refs.length === 0) return null;
  const drafts = registry.entries.filter(
    (entry) => entry.id === null && entry.row !== null && refs.includes(entry.ref),
  );
  if (drafts.length !== refs.length) return null;
  const held = drafts.map(({ ref }) => ref);
  const { domain, limits, countTokens } = round.services;
  const { text } = renderRows(registry, {
    refs: held,
    types: domain.entityTypes,
    budget: limits.rowsTokens,
    countTokens,
  });
  return { kind: "held", text, refs: held };
}
