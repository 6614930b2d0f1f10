import { defineCommand, readId, readWholeNumber, type Values } from "../command-line.ts";

/** The table of `npm run inspect`. */
export const INSPECT = defineCommand({
  start: "npm run --silent inspect --",
  about: `
Prints what is stored of a conversation, as JSON: its state (registry, candidates, turn summaries,
ledger, history, constraints, the pending question, the concierge's phase, handovers and plan, and
the sizes of the concierge's and the experts' transcripts), waiting messages, tokens used, the last
turns with the manifest of each node's last prompt, and the last batch: what the experts were asked,
how each ended, and what they claim.`,
  settings: "inspect",
  strayWord: "name one thread at a time",
  arguments: {
    threadId: ["THREAD", "the id of a thread; /threads in the chat lists them", readId],
    userId: ["--user ID", "whose conversation it is", readId, "demo"],
    turns: ["--turns N", "how many of the last turns to show", readWholeNumber(1, 1_000), 5],
  },
});

/** The arguments of `inspect`. */
export type InspectOptions = Values<typeof INSPECT.arguments>;
