import { collectReceipts, CONFIRMATION_DROPPED } from "../../nodes/reply/collect-receipts.ts";
import { UNDO_TOOL } from "../../domain/define-domain.ts";
import { composeReply } from "../../registry/receipts.ts";
import type { Domain } from "../../state/domain.ts";
import type { CallResult, StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { makeWord } from "./made-up-domain.ts";
import type { ReceiptTurn } from "./judge-receipts.ts";
import { Numbers } from "./numbers.ts";

/** Returns a turn with further steps, which ended in ways that a domain of tables alone never sees, and its receipts. */
export function addMadeUpSteps(
  { state, registry, workingSet, updates }: ReceiptTurn,
  domain: Pick<Domain, "entityTypes">,
): ReceiptTurn {
  const numbers = new Numbers(state.turn * 77 + registry.entries.length);
  const { plan } = state;
  if (plan === null) return { state, registry, workingSet, updates };
  const first = plan.steps.length;
  const [type] = domain.entityTypes;
  const results = Array.from({ length: 1 + numbers.below(3) }, (_, index) =>
    makeResult(first + index, numbers, registry.entries.at(-1)?.ref ?? null),
  );
  const steps = results.map(({ step }) => ({
    subdomain: "",
    group: step,
    refs: [],
    description: makeWord(numbers),
    stepType: numbers.below(3) === 0 ? ("read" as const) : ("write" as const),
    writes:
      numbers.below(2) === 0
        ? []
        : [{ action: "create" as const, type: type?.type ?? "", refs: [] }],
  }));
  const tool = makeTool(numbers);
  const pending = { tool, step: 0, call: 1, callId: "", args: {}, argsError: null, effectKey: "" };
  const call = { tool, args: {}, step: { description: "", subdomain: "" } };
  const unconfirmed = { ...call, changesHash: "", changes: [], rules: [], wording: "" };
  const isStopped = numbers.below(3) === 0;
  const made: TurnState = {
    ...state,
    plan: {
      ...plan,
      decision: numbers.below(6) === 0 ? plan.decision : "plan",
      origin: numbers.pick([plan.origin, "think", "confirmation"]),
      steps: [...plan.steps, ...steps],
      failure: numbers.below(6) === 0 ? "no answer" : plan.failure,
    },
    stepResults: [...state.stepResults, ...results],
    notices: [
      ...state.notices,
      ...(numbers.below(2) === 0
        ? [
            {
              node: "understand",
              code: CONFIRMATION_DROPPED,
              text: `No longer waits for ${makeWord(numbers)}.`,
            },
          ]
        : []),
      ...(numbers.below(2) === 0 ? [{ node: "think", code: "other", text: "nothing to see" }] : []),
    ],
    pendingCalls: [pending, { ...pending, tool: makeTool(numbers) }],
    confirmed: isStopped ? { calls: [unconfirmed] } : null,
  };
  const receipts = collectReceipts(made, { registry, workingSet, domain });
  const reply = composeReply({ id: "made", at: "", body: "Here.", receipts, registry });
  return { state: { ...made, replies: [reply] }, registry, workingSet, updates };
}

function makeTool(numbers: Numbers): string {
  return `call_${makeWord(numbers)}`;
}

function makeResult(step: number, numbers: Numbers, ref: string | null): StepResult {
  const calls = Array.from({ length: numbers.below(3) }, () => makeCall(numbers, ref));
  return {
    step,
    status: numbers.pick(["done", "partial", "failed", "blocked", "asked", "skipped"]),
    outcome: `Not ${makeWord(numbers)}`,
    note: null,
    refs: [],
    artifacts: [],
    question: null,
    breaches: [],
    blocked: null,
    calls,
    unconfirmed: [],
    rounds: 1,
    notStarted: numbers.below(3) === 0 ? [makeWord(numbers), makeWord(numbers)] : [],
    warnings: Array.from({ length: numbers.below(3) }, () => numbers.pick(["low", "high"])),
    repairs: [],
  };
}

function makeCall(numbers: Numbers, ref: string | null): CallResult {
  const tool = numbers.below(9) === 0 ? UNDO_TOOL : makeTool(numbers);
  const isOk = numbers.below(2) === 0;
  const answer = numbers.pick([null, `done  for ${ref}`]);
  const failure = {
    label: makeWord(numbers),
    ref: null,
    reason: numbers.pick(["too late", `at ${ref}`]),
  };
  return {
    call: 1,
    callId: "",
    tool,
    table: "",
    args: {},
    effect: numbers.pick(["write", "read"]),
    ok: isOk,
    text: "",
    summary: `Refused ${makeWord(numbers)}`,
    refs: [],
    count: 0,
    suppressed: false,
    undescribed: numbers.below(3) === 0 ? { rows: 1 + numbers.below(3), effectId: 90 } : null,
    failures: isOk ? [] : [failure, { ...failure, reason: "full" }],
    outside: numbers.below(2) === 0 ? { answer } : null,
    breaches: [],
  };
}
