import { Client } from "@langchain/langgraph-sdk";

// node chat.ts "What do I have in the pantry?": sends a message, disconnects in the middle of the turn,
// and receives the rest of it.

/** The part of a turn event that is printed here. */
interface TurnEvent {
  readonly type: string;
  readonly node?: string;
  readonly text?: string;
  readonly message?: string;
}

interface ThreadState extends Record<string, unknown> {
  readonly messages: readonly { readonly role?: string; readonly content: string }[];
}

const client = new Client<ThreadState, ThreadState, TurnEvent>({
  apiUrl: process.env["CONCIERGE_URL"] ?? "http://127.0.0.1:8123",
  apiKey: process.env["CONCIERGE_API_KEY"] ?? null,
});
const message = process.argv[2] ?? "What do I have in the pantry?";

/** `custom` carries the turn's events, as `POST /chat` streams them. */
const streamMode = "custom";

const { thread_id: threadId } = await client.threads.create({ metadata: { title: message } });
console.log(`thread ${threadId}`);

const { run_id: runId } = await client.runs.create(threadId, "concierge", {
  input: { messages: [{ role: "human", content: message }] },
  streamMode,
});
// -1: from the first event.
let lastEventId = "-1";
for await (const part of client.runs.joinStream(threadId, runId, { lastEventId, streamMode })) {
  lastEventId = part.id ?? lastEventId;
  if (part.event !== "custom") continue;
  const event: TurnEvent = part.data;
  show(event);
  // As when a page is closed. The run continues.
  if (event.type === "understood") break;
}
console.log(`left after event ${lastEventId}`);

// First come the events that were missed, then the rest as it happens.
for await (const part of client.runs.joinStream(threadId, runId, { lastEventId, streamMode })) {
  if (part.event === "custom") show(part.data);
}

const { values } = await client.threads.getState(threadId);
console.log(`\nin the thread: ${values.messages.length} messages`);

function show({ type, node, text, message: reason }: TurnEvent): void {
  if (type === "node-start") console.log(`· ${node}`);
  if (type === "reply") console.log(`\n${text}`);
  if (type === "error") console.error(`error: ${reason}`);
}
