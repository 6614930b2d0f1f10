import { buildRollOverPrompt } from "../../prompts/roll-over.ts";
import { HandoverPatchSchema } from "../../state/handover-patch.ts";
import type { IntentHandover } from "../../state/handover.ts";
import type { TurnState } from "../../state/turn.ts";
import { applyHandoverPatch } from "../../summaries/patch-handover.ts";
import { shorten } from "../../summaries/recent-turns.ts";
import { gated } from "../../control-blocks/gate.ts";
import { askForAnswer } from "../ask/ask-model.ts";
import { answerSchema } from "../ask/read-checked.ts";
import { extractPersonWords } from "./concierge-thread.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** The answer that brings the notes of a conversation up to date. */
export const ROLL_OVER_ANSWER = answerSchema(
  "handover_patch",
  "What has emerged since the handover was written.",
  HandoverPatchSchema,
);

/** Exchanges and tokens of each text that the notes are brought up to date from. */
const MESSAGES = 40;
const MESSAGE_TOKENS = 120;

interface RollOverHandoverOptions {
  readonly handover: IntentHandover;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Updates the handover for a fresh explorer, when the old one's transcript has grown too
 * long: patched field by field by a model; where that fails, the person's last words are added.
 */
export async function rollOverHandover(
  state: TurnState,
  facts: RollOverHandoverOptions,
): Promise<{ readonly handover: IntentHandover } & Pick<TurnState, "calls" | "notices">> {
  const { handover, services, io } = facts;
  const messages = listThreadMessages(state, services);
  const asked = await askForAnswer(
    {
      node: "roll-over",
      role: "concierge",
      run: requireRun(state),
      turn: state.turn,
      parts: buildRollOverPrompt({ handover, messages }),
      required: ["rules", "handover"],
      thread: [],
      maxOutputTokens: services.limits.handoverOutputTokens,
    },
    { schema: ROLL_OVER_ANSWER, check: () => [], services, io },
  );
  const rolled = {
    node: "explorer",
    code: "rolled-over",
    text: "The explorer's thread was full; a fresh one goes on from the notes",
  };
  const calls = [...asked.calls];
  const notices = [...asked.notices, rolled];
  if (asked.kind === "answered") {
    return { handover: applyHandoverPatch(handover, asked.value), calls, notices };
  }
  const words = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  return {
    handover: applyHandoverPatch(handover, { ...NO_PATCH, unpromptedReveals: words.slice(-6) }),
    calls,
    notices,
  };
}

const NO_PATCH = HandoverPatchSchema.parse({
  keyFindings: [],
  tensions: [],
  gaps: [],
  impliedGoal: null,
  revealedConstraints: [],
  acceptedFraming: null,
  resistedFraming: null,
  unpromptedReveals: [],
  stillUnclear: [],
  effectiveStance: null,
  noLongerHolds: [],
});

/** Returns the messages of the instance, shortened and without its prompts. */
function listThreadMessages(
  state: TurnState,
  { countTokens }: NodeServices,
): { readonly role: "user" | "assistant"; readonly text: string }[] {
  return state.conciergeThread.messages
    .filter(({ role }) => role !== "system")
    .slice(-MESSAGES)
    .map(({ role, text }) => ({
      role: role === "assistant" ? ("assistant" as const) : ("user" as const),
      text: shorten(role === "assistant" ? gated(text) : extractPersonWords(text), {
        tokens: MESSAGE_TOKENS,
        countTokens,
      }),
    }));
}
