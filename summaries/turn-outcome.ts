import type { TurnState } from "../state/turn.ts";
import type { Notice, TurnFailure } from "../state/turn-summary.ts";

/** The parts of a turn that its outcome is judged by. */
export type JudgedTurn = Pick<
  TurnState,
  "understanding" | "plan" | "stepResults" | "notices" | "replies" | "effects" | "planNews"
>;

/** Returns true for a turn that has changed data or the plan. Pure. */
export function hasChanged({
  effects = [],
  planNews,
}: Partial<Pick<TurnState, "effects" | "planNews">>): boolean {
  return effects.length > 0 || planNews?.isChanged === true;
}

/** Code of a turn whose model answered, and nothing of it could be used. */
const UNUSABLE = "model_answer_unusable";

/** Codes of notices that say that a node got no answer, by the code that a turn ends with. */
const FAILURES: Readonly<Record<string, string>> = {
  invalid: UNUSABLE,
  gate: UNUSABLE,
  "turn-time": "model_timeout",
  "turn-budget": "budget_reached",
};

/**
 * Judges a turn (models.md, section 2): `failed` where the node that had to produce the reply's
 * content got no answer and nothing was changed, `degraded` where it was, or another node got none; null
 * where the message was answered.
 * Summarize, experts and mapper have substitutes and do not count. Pure.
 */
export function judgeOutcome(turn: JudgedTurn): TurnFailure | null {
  const { understanding, plan, stepResults, notices, replies } = turn;
  const early = notices.find(({ node, code }) => node === "driver" && ENDED_EARLY.has(code));
  if (early !== undefined) {
    return { outcome: early.code === "given-up" ? "failed" : "degraded", code: early.code };
  }
  const planFailed = plan !== null && plan.failure !== null;
  const silent = notices.find(({ code }) => code === "no-answer");
  const replyFailure = findFailure(notices, "reply");
  const isIdle = !stepResults.some(({ status }) => status === "done" || status === "partial");
  // A message that has changed something must not be sent again.
  const failed = hasChanged(turn)
    ? []
    : [
        ...(planFailed && isIdle ? ["think"] : []),
        ...(silent !== undefined && replies.length <= 1 ? [silent.node] : []),
        ...(replyFailure !== null && stepResults.length === 0 ? ["reply"] : []),
      ];
  const [node] = failed;
  if (node !== undefined) {
    return { outcome: "failed", code: findFailure(notices, node) ?? UNUSABLE };
  }
  const code =
    (understanding?.degraded === true ? findFailure(notices, "understand") : null) ??
    findFailure(notices, "think") ??
    findFailure(notices, "act") ??
    (silent === undefined ? null : findFailure(notices, silent.node)) ??
    replyFailure;
  return code === null ? null : { outcome: "degraded", code };
}

/** Notices of the driver about a turn that it has ended. */
const ENDED_EARLY: ReadonlySet<string> = new Set(["stopped", "given-up"]);

/** Returns why a node got no answer in the end; null where it got one, or was not asked. */
function findFailure(notices: readonly Notice[], node: string): string | null {
  const code = notices.findLast(
    (notice) =>
      notice.node === node && (notice.code in FAILURES || notice.code.startsWith("model_")),
  )?.code;
  return code === undefined ? null : (FAILURES[code] ?? code);
}
