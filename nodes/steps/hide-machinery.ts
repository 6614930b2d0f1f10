import type { Toolbox } from "../../domain/toolbox.ts";
import type { Tool } from "../../state/domain.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { renderSentence } from "../../text/sentences.ts";
import { REPAIR_CLOSING } from "../ask/ask-model.ts";
import type { StepEnd } from "./step-tools.ts";

/** Returns the end of a step without names of tools and without what went back to its model: its words may reach the person. */
export function hideMachinery(end: StepEnd, toolbox: Pick<Toolbox, "tools">): StepEnd {
  const hide = (text: string): string => hideInText(text, toolbox);
  switch (end.kind) {
    case "complete":
      return { ...end, resultSummary: hide(end.resultSummary) };
    case "ask":
      return {
        ...end,
        partialAnalysis: hide(end.partialAnalysis),
        question: hide(end.question),
      };
    case "block":
    case "fail":
      return { ...end, reason: hide(end.reason) };
    default:
      return end satisfies never;
  }
}

function hideInText(text: string, { tools }: Pick<Toolbox, "tools">): string {
  if (text.includes(REPAIR_CLOSING)) return renderSentence("stepWithoutResult");
  return hideToolNames(text, tools);
}

/** Returns a text with the names of tools as plain words. */
export function hideToolNames(text: string, tools: readonly Pick<Tool, "name">[]): string {
  const names = new Set(tools.map(({ name }) => name));
  return text.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/gu, (word) =>
    names.has(word) ? nameInWords(word) : word,
  );
}
