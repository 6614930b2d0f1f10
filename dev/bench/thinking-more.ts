import type { LanguageModel } from "../../state/model.ts";
import { GivenUnderstandAnswerSchema } from "../../state/understanding.ts";
import { longConversation } from "../../test/support/long-conversation.ts";
import { recordConversation, type RecordedTurn } from "./long-recording.ts";
import type { BenchContext } from "./measurement.ts";

/** The long conversation, with more plans than its messages need. */
export interface MoreThinking {
  readonly turns: readonly RecordedTurn[];
  /** Number of turns with Think added. */
  readonly more: number;
}

/** Records the long conversation anew, where a share of the messages that need no plan is taken to need one. */
export async function recordThinkingMore(
  { openDatabase, progress, seed }: BenchContext,
  count: number,
  share: number,
): Promise<MoreThinking> {
  const database = await openDatabase();
  const thinking = new ThinkingMore(share);
  try {
    const wrap = (model: LanguageModel): LanguageModel => thinking.wrap(model);
    const messages = longConversation(count, seed);
    const { turns } = await recordConversation(database, messages, { progress, wrap });
    return { turns, more: thinking.count };
  } finally {
    await database.close();
  }
}

/** Makes Understand call for Think in an even share of the turns for which it would not. */
class ThinkingMore {
  readonly #share: number;
  #due = 0;
  #count = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** Number of turns with Think added. */
  get count(): number {
    return this.#count;
  }

  wrap(model: LanguageModel): LanguageModel {
    return {
      ...model,
      complete: async (request) => {
        const answer = await model.complete(request);
        const { data } = GivenUnderstandAnswerSchema.safeParse(answer.json);
        // A yes runs what was agreed to, whatever else it needs.
        const isAnswer = (data?.extras?.answersPending ?? null) !== null;
        const isLed = !isAnswer && (data?.needs === "look" || data?.needs === "talk");
        if (request.role !== "understand" || !isLed || !this.#isDue()) return answer;
        return { ...answer, json: { ...Object(answer.json), needs: "work", look: null } };
      },
    };
  }

  #isDue(): boolean {
    this.#due += this.#share;
    if (this.#due < 1 - Number.EPSILON) return false;
    this.#due -= 1;
    this.#count += 1;
    return true;
  }
}
