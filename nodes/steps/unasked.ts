import type { Understanding } from "../../state/understanding.ts";

/**
 * Returns true where the message, as it was read, asks for no change and agrees to none, or where no
 * model could read it: whatever a plan changes is a question first (decision 0059). Pure.
 */
export function asksForNoChange(understanding: Understanding | null): boolean {
  if (understanding === null) return true;
  const { degraded, needs, answersPending, route } = understanding;
  if (degraded) return true;
  return needs !== "change" && !isAnswer({ answersPending }) && route !== "undo";
}

/** Returns true for an answer that asks for what was pending, as it was or otherwise. Pure. */
export function isAnswer({ answersPending }: Pick<Understanding, "answersPending">): boolean {
  return answersPending === "accept" || answersPending === "adjust";
}
