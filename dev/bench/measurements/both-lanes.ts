import { longConversation } from "../../../test/support/long-conversation.ts";
import { recordConversation } from "../long-recording.ts";
import type { BenchContext, Measurement } from "../measurement.ts";
import { ALL_NODES, growthTable, listTalk, OPENING } from "./prompt-size.ts";
import { blockTable, callTable, priceMethods, totalTable } from "./turn-cost.ts";

/**
 * Prompts and cost of a long conversation in which every fourth message goes to the concierge: the
 * kitchen's messages with those of the talk between them.
 */
export const bothLanes: Measurement = {
  name: "both-lanes",
  about: "Prompts and cost where every fourth message goes to the concierge",
  async run(context) {
    const database = await context.openDatabase();
    try {
      const messages = weave(context);
      const { turns } = await recordConversation(database, messages, context);
      const methods = priceMethods(turns);
      return [
        growthTable("where every fourth message goes to the concierge", turns, ALL_NODES),
        blockTable(methods),
        totalTable(methods, [
          "An agent answers the concierge's messages itself, in the same words: it asks no experts.",
        ]),
        { ...callTable(turns), bars: [] },
      ];
    } finally {
      await database.close();
    }
  },
};

/** Messages that only make sense right after the one before them. */
const CONTINUES = /^(?:yes|not|actually|put|cancel)\b/u;

/** Lays a message of the talk after every three of the kitchen, or as soon after as none is cut off; those that lead to the plan at once. */
function weave({ quick, seed }: Pick<BenchContext, "quick" | "seed">): readonly string[] {
  const count = quick ? 40 : 200;
  const talk = listTalk(count / 4);
  const kitchen = longConversation((count * 3) / 4, seed);
  let laid = 0;
  const messages: string[] = [];
  for (const [index, message] of kitchen.entries()) {
    const share = Math.max(OPENING.length, Math.floor(index / 3));
    const due = CONTINUES.test(message) ? laid : share;
    messages.push(...talk.slice(laid, due), message);
    laid = due;
  }
  return [...messages, ...talk.slice(laid)];
}
