import type { TurnEvent } from "../../state/event.ts";
import { sendText, type ChatContext } from "./chat.ts";
import type { Output } from "./output.ts";
import { plainText } from "./plain-text.ts";
import { renderPrompt } from "./render-traced-prompt.ts";
import { readLines, type InputLine } from "./read-lines.ts";

/** The streams of a conversation without a terminal. */
export interface PipedStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Output;
  /** Receives one line for the person: a warning or an error. */
  readonly warn: (line: string) => void;
}

/**
 * The worst that became of a message: `failed` where one failed or was left without an answer, else
 * `stopped` where Ctrl-C stopped its turn.
 */
export type PipedOutcome = "answered" | "stopped" | "failed";

/** The bytes kept of one line, far more than a message may have. */
const KEPT_BYTES = 1 << 20;

/**
 * Answers one message per line until the input ends: prints the replies as text, or with `--json`
 * every event as one line of JSON. Skips empty lines. When the reader of the output goes away or a
 * signal arrives, the conversation ends after the running turn.
 */
export async function runPipedChat(
  chat: ChatContext,
  threadId: string,
  streams: PipedStreams,
): Promise<PipedOutcome> {
  const { input, output, warn } = streams;
  const { interrupts } = chat;
  const limit = chat.assistant.limits.messageCharacters;
  const lines = readLines(input, { keepBytes: Math.max(KEPT_BYTES, limit * 4) });
  // By run: a message whose turn fails and is answered later is not one of them.
  const outcomes = new Map<string, PipedOutcome>();
  while (interrupts.departure() === null && output.isOpen()) {
    const next = await Promise.race([nextLine(lines), interrupts.left.then(() => null)]);
    if (next === null || next.done === true) break;
    const line = next.value;
    if (line.text === "") continue;
    if (line.damaged) {
      warn(`Line ${line.number} is not UTF-8: invalid bytes were replaced with \uFFFD`);
    }
    const print = chat.options.json ? jsonPrinter(output, warn) : textPrinter(streams, line);
    await sendText(chat, {
      threadId,
      text: line.text,
      onEvent: (event) => {
        if (event.type === "error" || event.type === "turn-end") {
          outcomes.set(event.run, readOutcome(event));
        }
        print(event);
      },
      onWaiting: warn,
    });
    await output.drain();
  }
  const found = new Set(outcomes.values());
  return (["failed", "stopped"] as const).find((one) => found.has(one)) ?? "answered";
}

/** Reads what became of a message from the end of its turn. */
function readOutcome(end: Extract<TurnEvent, { type: "error" | "turn-end" }>): PipedOutcome {
  if (end.code === "stopped") return "stopped";
  return end.type === "error" || end.outcome === "failed" ? "failed" : "answered";
}

async function nextLine(lines: AsyncGenerator<InputLine>): Promise<IteratorResult<InputLine>> {
  try {
    return await lines.next();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read messages from standard input: ${reason}`, { cause: error });
  }
}

function jsonPrinter(output: Output, warn: (line: string) => void): (event: TurnEvent) => void {
  const warnOfModel = createModelWarner(warn);
  return (event) => {
    output.write(`${JSON.stringify(event)}\n`);
    if (event.type === "error") warn(event.message);
    else warnOfModel(event);
  };
}

/** Prints why a model gave no answer, which a reply does not say. Nodes that fail alike are one line. */
function createModelWarner(warn: (line: string) => void): (event: TurnEvent) => void {
  let shown = "";
  return (event) => {
    const reason = findModelFailure(event);
    if (reason === null || reason === shown) return;
    shown = reason;
    warn(shown);
  };
}

/** Codes of notices about an answer that was not asked for or could not be used, besides a model's own. */
const UNANSWERED: ReadonlySet<string> = new Set([
  "gate",
  "invalid",
  "turn-time",
  "turn-budget",
  "batch-budget",
]);

/** Returns why a model gave no answer; null for an event that says nothing of it. */
function findModelFailure(event: TurnEvent): string | null {
  if (event.type === "notice") {
    return event.code.startsWith("model_") || UNANSWERED.has(event.code) ? event.text : null;
  }
  if (event.type !== "expert-end" || event.outcome !== "failed") return null;
  return `An expert gave no answer: ${event.reason ?? "no reason is known"}`;
}

function textPrinter({ output, warn }: PipedStreams, line: InputLine): (event: TurnEvent) => void {
  const warnOfModel = createModelWarner((text) => warn(`Line ${line.number}: ${text}`));
  return (event) => {
    switch (event.type) {
      case "reply":
        output.write(`${plainText(event.text)}\n\n`);
        return;
      case "error":
        warn(`Line ${line.number}: ${event.message}`);
        return;
      case "prompt":
        warn(renderPrompt(event));
        return;
      default:
        warnOfModel(event);
    }
  };
}
