import { JsonObjectSchema } from "../../state/json.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingCall } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import { previewWrite } from "./domain-call.ts";
import { mintEffectKey } from "./effect-key.ts";
import { cloneAsJson } from "./pending-calls.ts";
import { openStep } from "./plan-progress.ts";
import { joinCalls, listPlannedCalls } from "./planned-calls.ts";
import type { Round } from "./round.ts";
import { WrittenCounts } from "./written-counts.ts";

interface PreviewContext {
  readonly state: TurnState;
  readonly registry: Registry;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** The calls of a proposal's write steps with what they would change, by the step's place in the plan. */
export type PreviewedSteps = ReadonlyMap<number, readonly UnconfirmedCall[]>;

/**
 * Runs the calls of a proposal's write steps, looks at what they change, and takes it back: the
 * proposal lists that, and a "yes" covers it. A step of which a call cannot be carried out now, or
 * would change nothing, is left out as a whole.
 */
export async function previewCalls(plan: Plan, context: PreviewContext): Promise<PreviewedSteps> {
  const { state, services, io } = context;
  const written = new WrittenCounts(state.effects);
  const round: Round = { state, plan, services, io, written };
  const previewed = new Map<number, readonly UnconfirmedCall[]>();
  for (const [step, { stepType }] of plan.steps.entries()) {
    if (stepType !== "write" || state.stepResults[step] !== undefined) continue;
    const calls: UnconfirmedCall[] = [];
    const pending = listPending(step, round);
    for (const call of pending) {
      const listed = await previewCall(call, round, context.registry);
      if (listed !== null) calls.push(listed);
    }
    if (calls.length > 0 && calls.length === pending.length) previewed.set(step, calls);
  }
  return previewed;
}

/** The calls of a step as Act will decide them. */
function listPending(step: number, { state, plan, services }: Round): readonly PendingCall[] {
  const calls = joinCalls(listPlannedCalls(openStep(step), plan, services), services.toolbox);
  // More than one round of calls is left to the step.
  if (calls.length > services.limits.callsPerRound) return [];
  return calls.map(({ id, name, args }, index) => ({
    step,
    call: index + 1,
    callId: id,
    tool: name,
    args: cloneAsJson(args),
    argsError: null,
    effectKey: mintEffectKey(requireRun(state), {
      turn: state.turn,
      step: `proposed.${step}`,
      call: index + 1,
    }),
  }));
}

async function previewCall(
  pending: PendingCall,
  round: Round,
  registry: Registry,
): Promise<UnconfirmedCall | null> {
  const tool = round.services.toolbox.tools.find(({ name }) => name === pending.tool);
  const args = JsonObjectSchema.safeParse(pending.args);
  if (tool === undefined || !args.success) return null;
  return previewWrite({ tool, args: args.data, pending, registry, round });
}
