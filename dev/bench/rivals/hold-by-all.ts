import { mealsDomain } from "../../../meals/index.ts";
import { createToolbox } from "../../../domain/toolbox.ts";
import type { RecordedTurn } from "../conversation/record-conversation.ts";
import { paidTurns, type PaidTurn } from "../prompts/cost.ts";
import { holdWith, RIVALS, type Rival } from "./agents.ts";
import { scriptOf } from "./script.ts";
import { agentSystemPrompt } from "./system-prompt.ts";

/** How a conversation was held: by this project, or by an agent of LangChain. */
export type Method = "this project" | Rival;

/** A conversation as one method held it. */
export interface HeldConversation {
  readonly method: Method;
  readonly turns: readonly PaidTurn[];
  /** What its model was sent last; of this project, all prompts of the last turn. */
  readonly lastPrompt: string;
}

/** Lets every rival hold the conversation that was recorded; this project's own comes first. */
export async function holdByAll(
  recorded: readonly RecordedTurn[],
  progress: (text: string) => void,
): Promise<readonly HeldConversation[]> {
  const { schemas } = createToolbox(mealsDomain);
  const script = scriptOf(recorded, new Set(schemas.map(({ name }) => name)));
  const systemPrompt = agentSystemPrompt(mealsDomain.persona, recorded);
  const turns = paidTurns(recorded);
  const lastPrompt = (turns.at(-1)?.calls ?? [])
    .flatMap(({ prompt }) => prompt.messages)
    .join("\n");
  const held: HeldConversation[] = [{ method: "this project", turns, lastPrompt }];
  for (const rival of RIVALS) {
    progress(`the same conversation, ${rival}`);
    held.push({ method: rival, ...(await holdWith(rival, { script, systemPrompt, schemas })) });
  }
  return held;
}
