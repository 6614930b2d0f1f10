import type { Json } from "../../state/json.ts";
import type { ToolCall } from "../../state/model.ts";
import type { PendingCall, StepResult } from "../../state/step.ts";
import { requireRun } from "../require-run.ts";
import { mintEffectKey } from "./effect-key.ts";
import type { ActRound } from "./round.ts";

interface CallOrigin {
  readonly result: StepResult;
  readonly round: ActRound;
}

/** Returns the calls in the form in which they are checkpointed. */
export function toPendingCalls(
  calls: readonly ToolCall[],
  { result, round }: CallOrigin,
): PendingCall[] {
  const { state, plan } = round;
  const run = requireRun(state);
  const before = result.calls.length;
  return calls.map((call, index) => {
    const number = before + index + 1;
    return {
      step: result.step,
      call: number,
      callId: call.id,
      tool: call.name,
      args: cloneAsJson(call.args),
      argsError: call.argsError,
      effectKey: mintEffectKey(run, {
        turn: state.turn,
        step: `${plan.replans}.${result.step}`,
        call: number,
      }),
    };
  });
}

/** Returns a value as the strict JSON in which calls are checkpointed. */
export function cloneAsJson(value: unknown): Json {
  const json: Json = value === undefined ? null : JSON.parse(JSON.stringify(value));
  return json;
}
