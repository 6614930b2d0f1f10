import type { Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState, type FormEvent, type ReactNode } from "react";

/** The part of the thread's state that the page shows. */
interface ChatState extends Record<string, unknown> {
  readonly messages: Message[];
}

const THREAD = "concierge-thread";

/** Shows a conversation with streamed replies, the current activity, and a thread that outlives the page. */
export function Chat({ apiUrl }: { readonly apiUrl: string }): ReactNode {
  const [threadId, setThreadId] = useState(() => localStorage.getItem(THREAD));
  const [doing, setDoing] = useState("");
  const { messages, submit, stop, isLoading, error } = useStream<ChatState>({
    apiUrl,
    assistantId: "concierge",
    threadId,
    onThreadId: (id) => {
      localStorage.setItem(THREAD, id);
      setThreadId(id);
    },
    // A reopened page continues reading the active run.
    reconnectOnMount: true,
    onCustomEvent: (event) => setDoing(describe(event)),
  });

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const text = new FormData(form).get("message");
    if (typeof text !== "string" || text.trim() === "") return;
    form.reset();
    const message: Message = { id: crypto.randomUUID(), type: "human", content: text };
    void submit(
      { messages: [message] },
      {
        // Shows the message at once; the thread has it when the turn begins.
        optimisticValues: (previous) => ({
          ...previous,
          messages: [...(previous.messages ?? []), message],
        }),
        streamResumable: true,
        onDisconnect: "continue",
      },
    );
  }

  return (
    <main>
      {messages.map((message) => (
        <p key={message.id} className={message.type}>
          {readText(message)}
        </p>
      ))}
      {isLoading && <p aria-live="polite">{doing}</p>}
      {error !== undefined && (
        <p role="alert">{error instanceof Error ? error.message : "That failed"}</p>
      )}
      <form onSubmit={send}>
        <input name="message" aria-label="Message" autoComplete="off" />
        {isLoading ? (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </main>
  );
}

function readText({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Describes the current activity from the events of the turn. */
function describe(event: unknown): string {
  if (typeof event !== "object" || event === null || !("type" in event)) return "";
  if (event.type === "node-start" && "node" in event) return `${String(event.node)} …`;
  if (event.type === "tool-start" && "tool" in event) return `${String(event.tool)} …`;
  return "";
}
