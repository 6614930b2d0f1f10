import type { EventNamed } from "../../state/event.ts";

/** A prompt as `--trace` shows it to a person: its sections with their tokens, then its messages. */
export function renderPrompt(event: EventNamed<"prompt">): string {
  return [
    `── prompt of ${event.node}: ${event.tokens} tokens ──`,
    ...event.sections.map(({ kind, source, tokens }) => `${kind} (${source}): ${tokens}`),
    ...event.messages.map((message) =>
      typeof message === "string" ? message : JSON.stringify(message, null, 2),
    ),
    "──",
  ].join("\n");
}
