import type { EnvelopePart } from "../state/envelope.ts";
import { oneLine } from "../text/fence.ts";
import { chooseReplyExample } from "./examples.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection, section, stablePart, volatilePart } from "./part.ts";
import { DATA_RULE, renderSystemText } from "./system-text.ts";
import type { ConversationView, PromptContext } from "./view.ts";
import { UNREAD_LINE } from "./unread-line.ts";
import { workingSetParts } from "./working-set.ts";

export interface ReplyPromptInput {
  readonly view: ConversationView;
  /** Rendered `## Conversation Flow`. */
  readonly conversationFlow: string;
  readonly goal: string;
  readonly reasoning: string;
  /** One line a step: its outcome, or why it failed. */
  readonly outcomes: readonly string[];
  /** True where no model has read the message, so that nothing of it was kept. */
  readonly isUnread: boolean;
  /** The receipts' lines, which stand above the reply; empty where there are none. */
  readonly shown: string;
  /** Rows and drafts that may be named or shown, rendered. */
  readonly rows: string;
  /** True where the answer comes from what is known, and not from work: it may be about what was said. */
  readonly isAnswer: boolean;
  readonly profile: string;
  readonly snapshot: string;
  readonly locale: string;
}

const RULES = [
  "Answer in the language of the message, as a person would: short, concrete, no headings unless a draft is shown.",
  "Name things by their labels exactly as they stand; never show a ref, an id or how the work was done.",
  "The lines under Already Shown stand above your text. Do not repeat them. Say nothing else about what was or was not stored, changed, removed or scheduled. What stands under Drafts is not saved: say so and offer to save it.",
  "Say what else failed and why, and what can be done. Never smooth it over.",
  "Show a draft in full the first time and when asked for it.",
  "Offer only what is left under Choices, in its order; name what was left out and why when asked. When something is left out of a list, say how many.",
  "End with the natural next step where there is one.",
] as const;

/** Asks for the reply. Pinned by `test/golden/reply.*.md`. */
export function buildReplyPrompt(input: ReplyPromptInput, context: PromptContext): EnvelopePart[] {
  const { view } = input;
  const { domain } = context;
  const turn = `turn-${view.turn}`;
  return [
    stablePart(
      "rules",
      "prompt:reply",
      renderSystemText({
        duty: `You are ${domain.persona}. You tell the person what came of their message.`,
        rules: RULES,
        example: chooseReplyExample(domain),
        dataRule: DATA_RULE,
      }),
    ),
    stablePart(
      "guidance",
      `domain:${domain.name}`,
      section(HEADINGS.houseRules, bullets(domain.rules)),
    ),
    volatilePart("profile", "profile", section(HEADINGS.profile, input.profile)),
    volatilePart("snapshot", "snapshot", section(HEADINGS.snapshot, input.snapshot)),
    volatilePart(
      "earlier-turns",
      "ledger",
      dataSection(HEADINGS.earlierTurns, input.isAnswer ? view.earlierTurns : ""),
    ),
    volatilePart("recent-turns", "transcript", dataSection(HEADINGS.recentTurns, view.recentTurns)),
    ...workingSetParts(view.workingSet, { ...context, refs: false, facts: false }),
    volatilePart("rows", "registry", dataSection(HEADINGS.rows, input.rows)),
    volatilePart("conversation-flow", "records", input.conversationFlow),
    volatilePart(
      "execution",
      `plan:${turn}`,
      section(
        HEADINGS.execution,
        [
          `Goal: ${oneLine(input.goal)}`,
          input.reasoning === "" ? "" : `Why: ${oneLine(input.reasoning)}`,
          bullets(input.outcomes),
        ]
          .filter((line) => line !== "")
          .join("\n"),
      ),
    ),
    volatilePart("receipts", `effects:${turn}`, dataSection(HEADINGS.receipts, input.shown)),
    volatilePart(
      "this-turn",
      `understanding:${turn}`,
      section(HEADINGS.thisTurn, input.isUnread ? UNREAD_LINE : ""),
    ),
    volatilePart("constraints", "constraints", section(HEADINGS.wishes, view.constraints)),
    volatilePart(
      "message",
      `input:${turn}`,
      section(HEADINGS.message, `${view.message}\n(locale ${input.locale})`),
    ),
  ];
}
