import type { PlanStep } from "../../state/plan.ts";
import type { Json } from "../../state/json.ts";
import { scriptedRoles, type ScriptedRoles, type Scripts } from "./node-services.ts";
import { NARRATIVE_ANSWER, thinkAnswer, understandAnswer } from "./turn-state.ts";

/** A message that is planned in these steps, that answers the open question, or that undoes the last turn. */
export type ScriptedTurn = readonly PlanStep[] | "yes" | "undo";

function understand(turn: ScriptedTurn): Json {
  if (turn === "yes") return understandAnswer({ answersPending: "accept" });
  return understandAnswer(turn === "undo" ? { undo: { effects: [] } } : { needs: "change" });
}

/** Makes the models of a conversation in the task lane; `act` and `reply` are scripted as given. */
export function scriptTurns(
  turns: readonly ScriptedTurn[],
  script: Required<Pick<Scripts, "act" | "reply">>,
): ScriptedRoles {
  return scriptedRoles({
    understand: turns.map((turn) => ({ json: understand(turn) })),
    think: turns.flatMap((turn) =>
      typeof turn === "string" ? [] : [{ json: thinkAnswer({ steps: [...turn] }) }],
    ),
    ...script,
    summarize: turns.map(() => ({ json: NARRATIVE_ANSWER })),
  });
}
