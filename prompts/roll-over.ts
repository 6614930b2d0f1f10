import type { EnvelopePart } from "../state/envelope.ts";
import { fence, oneLine } from "../text/fence.ts";
import type { IntentHandover } from "../state/handover.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, section, stablePart, volatilePart } from "./part.ts";
import { renderDataRule, renderSystemText } from "./system-text.ts";

export interface RollOverPromptInput {
  /** The handover that the instance began from. */
  readonly handover: IntentHandover;
  /** The messages in it since, oldest first, without prompts and wrappers. */
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
  }[];
}

const RULES = [
  "Say only what is new since the notes, field by field; what the notes have stays without your saying it.",
  "Each entry is one short line that is understood alone. Leave out what was only considered.",
  "What replaces an entry that no longer holds goes into its list. Never end a limit that the person did not lift.",
  "A reading of what is going on that nothing has ruled out yet goes into `stillUnclear`.",
  "When nothing is new, write null or [].",
] as const;

/** Asks what has emerged since a handover, as its patch. Pinned by `test/golden/roll-over.*.md`. */
export function buildRollOverPrompt({ handover, messages }: RollOverPromptInput): EnvelopePart[] {
  return [
    stablePart(
      "rules",
      "prompt:roll-over",
      renderSystemText({
        duty: "You keep the notes of a conversation that has grown long, for the one who goes on with it. You bring them up to date.",
        rules: RULES,
        dataRule: renderDataRule(["said"], "written by others"),
      }),
    ),
    volatilePart("handover", "handover:intent", section(HEADINGS.notes, renderNotes(handover))),
    volatilePart(
      "said",
      "concierge-thread",
      section(HEADINGS.messagesSince, renderMessages(messages)),
    ),
  ];
}

/** Under the names of the answer's fields, so that entries can be named word for word. */
function renderNotes(handover: IntentHandover): string {
  return Object.entries(handover)
    .map(([field, value]) =>
      Array.isArray(value)
        ? value.length === 0
          ? `${field}: []`
          : `${field}:\n${bullets(value)}`
        : `${field}: ${oneLine(value ?? "null")}`,
    )
    .join("\n");
}

function renderMessages(messages: RollOverPromptInput["messages"]): string {
  return messages
    .map(({ role, text }) => `${role === "user" ? "Person" : "You"}:\n${fence("said", text)}`)
    .join("\n\n");
}
