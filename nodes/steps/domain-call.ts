import type { Breach, DomainTool } from "../../state/domain.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingCall } from "../../state/step.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { findBreaches, describeBreaches } from "./breaches.ts";
import { deriveEffectKey } from "./effect-key.ts";
import { loadPerson } from "../person.ts";
import type { Recalled } from "./recall.ts";
import type { Round } from "./round.ts";
import { requireRun } from "../require-run.ts";
import { mayCall } from "./step-tools.ts";

/** The result of one call, before refs are allotted. */
export type CallDone =
  | { readonly kind: "outcome"; readonly outcome: ToolOutcome }
  /** Drafts that the registry holds: nothing was fetched. */
  | { readonly kind: "held"; readonly text: string; readonly refs: readonly string[] }
  | { readonly kind: "recalled"; readonly recalled: Recalled }
  | {
      readonly kind: "refused";
      /** For the model: what is wrong and what is right. */
      readonly reason: string;
      readonly breaches: readonly Breach[];
    };

/** A call of one of the domain's tools. */
export interface DomainCall {
  readonly tool: DomainTool;
  readonly args: JsonObject;
  readonly pending: PendingCall;
  readonly registry: Registry;
  readonly round: Round;
}

/** Runs a call that changes nothing. */
export async function runRead(call: DomainCall): Promise<CallDone> {
  const { tool, args, round } = call;
  const stepType = round.plan.steps[call.pending.step]?.stepType;
  if (stepType !== undefined && !mayCall(stepType, tool, round.services.domain)) {
    const reason = `Cannot call "${tool.name}" in a ${stepType} step: it works from what it was shown; block the step if that is not enough`;
    return { kind: "refused", reason, breaches: [] };
  }
  const held = readFromRegistry(call);
  if (held !== null) return held;
  const { userData, toolbox } = round.services;
  const outcome = await userData.read(requireRun(round.state).userId, (tx) =>
    toolbox.run(tool, args, { ...buildToolContext(call), tx }),
  );
  return { kind: "outcome", outcome };
}

/** Runs a call that changes data, unless something speaks against it; once per effect key, however often it is called. */
export async function runWrite(call: DomainCall): Promise<CallDone> {
  const { tool, args, pending, round } = call;
  const refusal = await refuseWrite(call);
  if (refusal !== null) return refusal;
  const { userData, toolbox } = round.services;
  const { userId, threadId } = requireRun(round.state);
  const effect = { key: deriveEffectKey(pending), threadId, lease: round.io.lease };
  const { result } = await userData.write(userId, effect, (tx) =>
    toolbox.run(tool, args, { ...buildToolContext(call), tx }),
  );
  return { kind: "outcome", outcome: result };
}

function buildToolContext({ registry, round }: DomainCall) {
  const { userId, today, timeZone } = requireRun(round.state);
  return { userId, today, timeZone, refs: createRefBook(registry), signal: round.io.signal };
}

/** Returns the refusal of a write that is not allowed; null for any other. */
async function refuseWrite({
  tool,
  args,
  pending,
  registry,
  round,
}: DomainCall): Promise<CallDone | null> {
  const { state, services, plan } = round;
  const step = plan.steps[pending.step];
  if (step?.stepType !== "write") {
    const reason = `Cannot call "${tool.name}" in a ${step?.stepType ?? "missing"} step: only write steps change data`;
    return { kind: "refused", reason, breaches: [] };
  }
  const contents = tool.listContents?.(args, createRefBook(registry)) ?? [];
  if (contents.length === 0) return null;
  const { profile } = await loadPerson(services, requireRun(state));
  const check = services.domain.checks.write;
  const breaches = findBreaches(contents, { check, state, profile: profile.facts });
  if (breaches.length === 0) return null;
  return {
    kind: "refused",
    reason: `Not done, it breaks what holds: ${describeBreaches(breaches)}. Put it right, or ask with ask_user; the same call again becomes a question to the person.`,
    breaches,
  };
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
