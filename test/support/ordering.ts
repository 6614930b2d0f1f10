import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import type { ModelRequest } from "../../state/model.ts";
import { call } from "./step-script.ts";
import type { Behaviour } from "./test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "./turn-state.ts";

/** A service outside the database, at which goods are ordered. */
export interface OrderService {
  readonly url: string;
  /** It carries out calls with the same key once. */
  readonly takesKey: boolean;
}

/** A tool that orders goods at a service over HTTP, once the person has said yes. */
export function orderGoods({ url, takesKey }: OrderService): DomainTool {
  return defineTool({
    name: "order_goods",
    subdomain: "shopping",
    description: "Order goods.",
    parameters: z.strictObject({ goods: z.string().describe("their name") }),
    effect: "call",
    takesKey,
    confirm: "always",
    run: async ({ goods }, { effectKey, signal }) => {
      const headers = { "idempotency-key": effectKey ?? "" };
      const answer = await fetch(url, { method: "POST", body: goods, headers, signal });
      if (!answer.ok) throw new Error(`Cannot order goods: the service answered ${answer.status}`);
      return answer.text();
    },
  });
}

/** Models of a thread in which "order flour" orders flour, after a "yes". */
export const ORDERING: Behaviour = {
  understand: (request) => {
    if (isMessage(request, "yes")) return { json: understandAnswer({ answersPending: "accept" }) };
    return isMessage(request, "order flour")
      ? { json: understandAnswer({ needs: "change" }) }
      : null;
  },
  think: (request) => {
    if (!isMessage(request, "order flour")) return null;
    const step = makeStep({ description: "Order flour", stepType: "write", subdomain: "shopping" });
    return { json: thinkAnswer({ steps: [step] }) };
  },
  act: () => call("order_goods", { goods: "flour" }),
};

function isMessage({ messages }: ModelRequest, text: string): boolean {
  return messages.at(-1)?.text.includes(`<message>\n${text}\n</message>`) ?? false;
}
