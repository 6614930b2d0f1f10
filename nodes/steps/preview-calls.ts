import type { Breach } from "../../state/change.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingCall } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import { previewWrite, type CallPreview } from "./domain-call.ts";
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

/** The outcome of trying a proposal's calls. */
export interface PreviewedProposal {
  /** The calls of its write steps with what they would change, by the step's place in the plan. */
  readonly steps: ReadonlyMap<number, readonly UnconfirmedCall[]>;
  /** Rules that its first change breaks and nobody can override: it would be refused after a "yes". */
  readonly breaches: readonly Breach[];
}

/** The preview where nothing is proposed. */
export const NO_PREVIEW: PreviewedProposal = { steps: new Map(), breaches: [] };

/**
 * Runs the calls of a proposal's write steps, looks at what they change, and takes it back: the
 * proposal lists that, and a "yes" covers it. A step of which a call cannot be carried out now, or
 * would change nothing, is left out as a whole. Each call is tried alone: one that breaks a rule now
 * may keep it once those before it are done, so only the first is known to be refused.
 */
export async function previewCalls(
  plan: Plan,
  context: PreviewContext,
): Promise<PreviewedProposal> {
  const { state, services, io } = context;
  const written = new WrittenCounts(state.effects);
  const round: Round = { state, plan, services, io, written };
  const steps = new Map<number, readonly UnconfirmedCall[]>();
  const open = [...plan.steps.entries()].filter(
    ([step, { stepType }]) => stepType === "write" && state.stepResults[step] === undefined,
  );
  const first = open[0]?.[0];
  for (const [step] of open) {
    const pending = listPending(step, round);
    const previews: CallPreview[] = [];
    for (const call of pending) previews.push(await previewCall(call, round, context.registry));
    const [earliest] = previews;
    if (step === first && earliest?.kind === "breach") {
      return { steps: new Map(), breaches: earliest.breaches };
    }
    const calls = previews.flatMap((preview) => (preview.kind === "listed" ? [preview.call] : []));
    if (calls.length > 0 && calls.length === pending.length) steps.set(step, calls);
  }
  return { steps, breaches: [] };
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
): Promise<CallPreview> {
  const tool = round.services.toolbox.tools.find(({ name }) => name === pending.tool);
  const args = JsonObjectSchema.safeParse(pending.args);
  if (tool === undefined || !args.success) return { kind: "open" };
  return previewWrite({ tool, args: args.data, pending, registry, round });
}
