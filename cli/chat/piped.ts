import type { TurnEvent } from "../../state/event.ts";
import { sendText, type ChatContext } from "./chat.ts";
import type { Output } from "./output.ts";
import { plainText } from "./plain-text.ts";
import { renderPrompt } from "./render-traced-prompt.ts";
import { readLines, type InputLine } from "./read-lines.ts";
import { UnansweredCount } from "./unanswered.ts";

/** The streams of a conversation without a terminal. */
export interface PipedStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Output;
  /** Receives one line for the person: a warning or an error. */
  readonly warn: (line: string) => void;
}

/** The bytes kept of one line, far more than a message may have. */
const KEPT_BYTES = 1 << 20;

/**
 * Answers one message per line until the input ends: prints the replies as text, or with `--json`
 * every event as one line of JSON. Skips empty lines. When the reader of the output goes away or a
 * signal arrives, the conversation ends after the running turn. Returns the number of messages
 * without an answer.
 */
export async function runPipedChat(
  chat: ChatContext,
  threadId: string,
  streams: PipedStreams,
): Promise<number> {
  const { input, output, warn } = streams;
  const { interrupts } = chat;
  const limit = chat.assistant.limits.messageCharacters;
  const lines = readLines(input, { keepBytes: Math.max(KEPT_BYTES, limit * 4) });
  const unanswered = new UnansweredCount();
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
        unanswered.receive(event);
        print(event);
      },
      onWaiting: warn,
    });
    await output.drain();
  }
  return unanswered.count();
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
  return (event) => {
    output.write(`${JSON.stringify(event)}\n`);
    if (event.type === "error") warn(event.message);
  };
}

function textPrinter({ output, warn }: PipedStreams, line: InputLine): (event: TurnEvent) => void {
  let shown = "";
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
      case "notice":
        // The reply does not name the setting to check. Nodes that fail alike are one line.
        if (!event.code.startsWith("model_") || event.text === shown) return;
        shown = event.text;
        warn(`Line ${line.number}: ${shown}`);
        return;
      default:
    }
  };
}
