import type { ChangeResult } from "../../domain/apply-changes.ts";
import type { Consent } from "../../domain/changes/find-objection.ts";
import type { Breach } from "../../state/change.ts";
import { explainNever } from "../../state/domain.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { collectRules, describeBreaches } from "./breaches.ts";
import { askAboutEverything, readConsent } from "./consent.ts";
import { deriveEffectKey } from "./effect-key.ts";
import type { Recalled } from "./recall.ts";
import type { DomainCall } from "./round.ts";
import { buildToolContext, placeEffect } from "./tool-context.ts";
import { describeRefusal } from "./tool-refusal.ts";
import { describeUnconfirmed } from "./unconfirmed-call.ts";
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
      /** For the person, beside the rows that the call names; null where `reason` is for the person. */
      readonly cause: string | null;
      readonly breaches: readonly Breach[];
      /** True where `cause` is a reason that the person may know. */
      readonly isExplained?: boolean;
    };

/** Runs a call that changes nothing. */
export async function runRead(call: DomainCall): Promise<CallDone> {
  const { tool, args, registry, round } = call;
  const misplaced = refuseMisplaced(call);
  if (misplaced !== null) return misplaced;
  const held = readFromRegistry(call);
  if (held !== null) return held;
  const outcome = await round.services.data.read({
    tool,
    args,
    run: buildToolContext(round, registry),
  });
  return { kind: "outcome", outcome, effectId: null };
}

/** Runs a call that changes data, unless something speaks against it; once per effect key, however often it is called. */
export async function runWrite(call: DomainCall): Promise<CallDone> {
  const { tool, pending, round } = call;
  const step = round.plan.steps[pending.step];
  if (step?.stepType !== "write") {
    const reason = `Cannot call "${tool.name}" in a ${step?.stepType ?? "missing"} step: only write steps change data`;
    return { kind: "refused", reason, cause: renderSentence("callNotPossible"), breaches: [] };
  }
  const misplaced = refuseMisplaced(call);
  if (misplaced !== null) return misplaced;
  const result = await applyCall(call, readConsent(call));
  switch (result.kind) {
    case "applied":
      round.written.addCall(result.outcome.writes);
      return { kind: "outcome", outcome: result.outcome, effectId: result.effectId };
    case "refused":
      return {
        kind: "refused",
        reason: `Not done: ${result.reason}`,
        cause: renderSentence("callNotAllowed"),
        breaches: [],
      };
    case "breach":
      return refuseBreach(result.breaches);
    case "unconfirmed":
      return { kind: "unconfirmed", call: describeUnconfirmed(call, step, result) };
    default:
      return result satisfies never;
  }
}

/** The outcome of a call that was tried and taken back. */
export type CallPreview =
  | { readonly kind: "listed"; readonly call: UnconfirmedCall }
  /** It breaks a rule that nobody can override. */
  | { readonly kind: "breach"; readonly breaches: readonly Breach[] }
  /** It would change nothing, or cannot be carried out as it is: the step sees to that. */
  | { readonly kind: "open" };

/** Looks at what a call would change, and takes it back. */
export async function previewWrite(call: DomainCall): Promise<CallPreview> {
  const { pending, round } = call;
  const step = round.plan.steps[pending.step];
  if (step === undefined || refuseMisplaced(call) !== null) return { kind: "open" };
  try {
    const result = await applyCall(call, askAboutEverything(call));
    if (result.kind === "breach") return result;
    return result.kind === "unconfirmed"
      ? { kind: "listed", call: describeUnconfirmed(call, step, result) }
      : { kind: "open" };
  } catch (error) {
    // What a model can put right is put right when the step runs.
    const stopped = round.io.signal?.aborted === true;
    describeRefusal(error, { tool: pending.tool, stopped, entityType: null });
    return { kind: "open" };
  }
}

async function applyCall(call: DomainCall, consent: Consent): Promise<ChangeResult> {
  const { tool, args, pending, registry, round } = call;
  const { state, services } = round;
  const final = explainNever(tool);
  return services.data.apply({
    userId: requireRun(state).userId,
    effect: placeEffect(round, {
      key: deriveEffectKey(pending),
      origin: services.toolbox.isGenerated(tool) ? "tool" : "domain-tool",
      tool: tool.name,
      ...(final === null ? {} : { final }),
    }),
    tool,
    args,
    run: buildToolContext(round, registry),
    rules: await collectRules(state, services, round.io),
    consent,
  });
}

/** The refusal of a call that breaks a rule: the person can insist only where every rule may be overridden. */
function refuseBreach(breaches: readonly Breach[]): CallDone {
  const cause = describeBreaches(breaches);
  const advice = breaches.every(({ overridable }) => overridable)
    ? "Put it right, or ask with ask_user; the same call again becomes a question to the person."
    : "Put it right, or end the step with block_step: nobody can override this.";
  return {
    kind: "refused",
    reason: `Not done, it breaks what holds: ${cause}. ${advice}`,
    cause,
    breaches,
  };
}

/** The refusal of a call whose step is not offered the tool; null for every other call. */
function refuseMisplaced({ tool, pending, round }: DomainCall): CallDone | null {
  const step = round.plan.steps[pending.step];
  if (step === undefined || round.services.toolbox.listTools(step).includes(tool)) return null;
  const ending = round.services.tier === "small" ? "fail" : "block";
  const reason = `Cannot call "${tool.name}" in a ${step.stepType} step of ${step.subdomain}: it works from what it was shown; ${ending} the step if that is not enough`;
  return { kind: "refused", reason, cause: renderSentence("callNotPossible"), breaches: [] };
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
