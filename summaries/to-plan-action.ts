import type { PlanAction, ShortPlanAction } from "../state/plan-action.ts";

const EMPTY = { target: null, after: null, parts: [], mark: null, text: null } as const;

/**
 * Makes the change that a message asks for outright. A step that is added has a title alone: what needs
 * more words is a rework. Pure, total.
 *
 * @example
 * toPlanAction({ kind: "done", step: "step_1", after: null, text: null, words: "step 1 is done" }).mark; // "done"
 */
export function toPlanAction(asked: ShortPlanAction): PlanAction {
  const { kind, step, after, text, words } = asked;
  const action = { ...EMPTY, parts: [], target: step, words };
  switch (kind) {
    case "add":
      return { ...action, kind, target: null, after, parts: [titled(text ?? "")] };
    case "move":
      return { ...action, kind, after };
    case "done":
      return { ...action, kind: "mark", mark: "done" };
    case "open":
      return { ...action, kind: "mark", mark: "open" };
    case "skip":
      return { ...action, kind: "mark", mark: "skipped" };
    case "note":
      return { ...action, kind: "annotate", text };
    case "decide":
      return { ...action, kind, text };
    case "remove":
    case "focus":
      return { ...action, kind };
    case "undo":
      return { ...action, kind, target: null };
    default:
      return kind satisfies never;
  }
}

function titled(title: string): PlanAction["parts"][number] {
  return {
    title,
    description: "",
    doneWhen: "",
    phase: "",
    time: "",
    pitfall: "",
    restsOn: null,
  };
}
