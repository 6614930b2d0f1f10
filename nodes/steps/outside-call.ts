import { runReadTool } from "../../domain/run-tool.ts";
import { blotIds } from "../../registry/hide-ids.ts";
import { clip } from "../../registry/shorten.ts";
import { explainNever } from "../../state/domain.ts";
import type { PlanStep } from "../../state/plan.ts";
import {
  CallRefusedError,
  ToolInputError,
  ToolOutcomeSchema,
  type ToolOutcome,
} from "../../state/tool.ts";
import { hashJson } from "../../domain/changes/hash-changes.ts";
import { wordJson } from "../../domain/word-values.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Registry } from "../../state/registry.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { oneLine } from "../../text/fence.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderSentence } from "../../text/sentences.ts";
import { runInTime } from "../ask/in-time.ts";
import { replaceRefs } from "../../registry/replace-refs.ts";
import { requireRun } from "../require-run.ts";
import type { CallDone } from "./domain-call.ts";
import type { DomainCall } from "./round.ts";
import { deriveEffectKey } from "./effect-key.ts";
import { buildToolContext, placeEffect } from "./tool-context.ts";
import { summariseToolError } from "./tool-refusal.ts";

/**
 * Calls a service outside the database. No transaction is open meanwhile; that the call was begun is
 * stored before it, and its answer after it. A call that was begun and not answered, since the
 * program ended, is made again only where the service takes the key; else nobody knows whether it
 * happened, and that is said.
 */
export async function runOutside(call: DomainCall): Promise<CallDone> {
  const { tool, pending, round } = call;
  const { state, services, plan } = round;
  const step = plan.steps[pending.step];
  const refusal = refuseOutside(call, step);
  if (refusal !== null) return refusal;
  const { userId } = requireRun(state);
  const effect = placeEffect(round, {
    key: deriveEffectKey(pending),
    origin: "call" as const,
    tool: tool.name,
    ...(changesOutside(tool)
      ? {
          final: explainNever(tool) ?? renderSentence("doneOutside", { tool: tool.name }),
        }
      : {}),
  });
  const begun = await services.userData.beginCall(userId, effect);
  if (begun.kind === "answered")
    return { kind: "outcome", outcome: ToolOutcomeSchema.parse(begun.result), effectId: null };
  const outcome =
    begun.kind === "unanswered" && changesOutside(tool) && tool.takesKey !== true
      ? unknownOutcome(call, "callNotAnswered")
      : await callService(call, effect.key);
  await services.userData.answerCall(userId, effect, outcome);
  return { kind: "outcome", outcome, effectId: null };
}

/** A call that changes something outside belongs to a write step, and is made once the person has said yes. */
function refuseOutside(
  { tool, args, pending, registry, round }: DomainCall,
  step: PlanStep | undefined,
): CallDone | null {
  if (!changesOutside(tool) || step === undefined) return null;
  if (step.stepType !== "write") {
    const reason = `Cannot call "${tool.name}" in a ${step.stepType} step: only write steps change something`;
    return { kind: "refused", reason, cause: renderSentence("callNotPossible"), breaches: [] };
  }
  const hash = hashJson([tool.name, args]);
  const isConfirmed = round.state.confirmed?.calls.some(({ changesHash }) => changesHash === hash);
  if (isConfirmed === true) return null;
  return {
    kind: "unconfirmed",
    call: {
      tool: pending.tool,
      args: pending.args,
      step: { description: step.description, subdomain: step.subdomain },
      changesHash: hash,
      changes: [],
      rules: [`${tool.name}: always`],
      wording: wordCall(tool.name, args, registry),
    },
  };
}

/** Words the question before a call: the tool, and what it is given with labels in place of refs. */
function wordCall(tool: string, args: JsonObject, registry: Registry): string {
  const values = Object.entries(args).map(([name, value]) =>
    // Where one value ends and the next begins is not the model's to say.
    renderSentence("namedValue", {
      name,
      value: typeof value === "string" ? `“${value}”` : wordJson(value),
    }),
  );
  if (values.length === 0) return renderSentence("confirmBareCall", { tool });
  const named = oneLine(blotIds(replaceRefs(joinItems(values), registry)));
  return renderSentence("confirmCall", { tool, values: named });
}

/** Returns true for a tool that changes something outside: it says so by asking first. */
export function changesOutside({ effect, confirm }: DomainCall["tool"]): boolean {
  return effect === "call" && confirm === "always";
}

/** Calls the service. Where it may have changed something, a failure is an answer too: nobody calls again. */
async function callService(call: DomainCall, effectKey: string): Promise<ToolOutcome> {
  const { tool, round } = call;
  try {
    const answer = await callInTime(call, effectKey);
    if (answer !== null) return answer;
    if (changesOutside(tool)) return unknownOutcome(call, "callUnknown");
    const { callSeconds } = round.services.limits;
    throw new CallRefusedError(renderSentence("callTooSlow", { seconds: callSeconds }));
  } catch (error) {
    if (!changesOutside(tool) || error instanceof ToolInputError) throw error;
    const text = `${tool.name}: ${summariseToolError(error)}`;
    round.io.emit({ type: "notice", node: "tools", code: "call-failed", text });
    return unknownOutcome(call, "callFailed");
  }
}

async function callInTime(call: DomainCall, effectKey: string): Promise<ToolOutcome | null> {
  const { tool, args, registry, round } = call;
  const { state, services, io } = round;
  const { entityTypes } = services.domain;
  const tx = services.userData.reader(requireRun(state).userId);
  const answer = await runInTime(
    (signal) =>
      // Each of its statements stands alone: an open transaction would wait for the service.
      runReadTool(tool, args, {
        ...buildToolContext(round, registry, effectKey),
        tx,
        signal,
        entityTypes,
      }),
    { ms: services.limits.callSeconds * 1_000, signal: io.signal },
  );
  if (answer === null || answer.text === null) return answer;
  // It is bounded before anything keeps it: the effect, the checkpoint, a prompt.
  return { ...answer, text: clip(answer.text, services.limits.callAnswerCharacters) };
}

function unknownOutcome(
  { tool, round }: DomainCall,
  sentence: "callNotAnswered" | "callUnknown" | "callFailed",
): ToolOutcome {
  const reason = renderSentence(sentence, { seconds: round.services.limits.callSeconds });
  const label = nameInWords(tool.name);
  return {
    reads: [],
    writes: [],
    undescribed: 0,
    failures: [{ label, ref: null, reason }],
    warnings: [],
    listed: [],
    linked: [],
    text: null,
  };
}
