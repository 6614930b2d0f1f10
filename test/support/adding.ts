import type { ModelRequest } from "../../state/model.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { Behaviour } from "./test-thread.ts";
import { adding, call, complete } from "./step-script.ts";
import { makeStep, thinkAnswer } from "./turn-state.ts";

/** Models of a thread in which "add figs" puts figs on the shopping list, and nothing else does anything. */
export const ADDING: Behaviour = {
  think: (request) => {
    const item = itemIn(request);
    if (item === null) return null;
    const step = makeStep({ description: `Add ${item}`, stepType: "write", subdomain: "shopping" });
    return { json: thinkAnswer({ steps: [step] }) };
  },
  act: (request) =>
    request.messages.some(({ role }) => role === "tool")
      ? complete("Added it")
      : call(...adding(itemIn(request) ?? "nothing")),
  reply: (request) => {
    const item = itemIn(request);
    return item === null ? null : `${item} is on the list.`;
  },
};

/** Returns the item that the request's message wants added; null for another request. */
export function itemIn({ messages }: ModelRequest): string | null {
  const texts = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  const found = [...texts.join("\n").matchAll(/<message>\nadd (\S+)\n<\/message>/gu)].at(-1);
  return found?.[1] ?? null;
}

/** The reply to "add figs": the receipt, then the model's words. */
export function addedReply(item: string): string {
  return `${renderSentence("receiptCreated", { rows: item })}\n\n${item} is on the list.`;
}
