import type { Understanding } from "../../state/understanding.ts";

/**
 * Returns true where the message, as it was read, asks for no change and agrees to none, or where no
 * model could read it: whatever a plan changes is a question first (decision 0059). Pure.
 */
export function asksForNoChange(understanding: Understanding | null): boolean {
  if (understanding === null) return true;
  const { degraded, needs, answersPending, route } = understanding;
  if (degraded) return true;
  // An answer to what was pending asks for what was pending, as it was or otherwise.
  const isAnswer = answersPending === "accept" || answersPending === "adjust";
  return needs !== "change" && !isAnswer && route !== "undo";
}
