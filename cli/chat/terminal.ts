import type { Readable } from "node:stream";
import type { TurnEvent } from "../../graph/events.ts";
import { listThreads } from "../../storage/threads.ts";
import { readThreadState } from "../thread-state.ts";
import { renderUsage, sumUsage } from "../thread-usage.ts";
import { say, type Chat } from "./chat.ts";
import { COMMANDS, readTypedLine, renderHelp, type CommandName } from "./commands.ts";
import { createLineEditor } from "./line-editor.ts";
import { createProgressTeller, shorten, statusOf } from "./progress.ts";
import { renderPrompt } from "./prompt-text.ts";
import { renderState } from "./render-state.ts";
import { createScreen, type Screen, type TerminalStream } from "./screen.ts";

/** A terminal to converse in. */
export interface Terminal {
  readonly input: Readable;
  readonly output: TerminalStream;
}

/**
 * Converses at a prompt until the person leaves: streams replies, shows what is being done, obeys
 * the commands of `commands.ts`. Ctrl-C stops a turn, a second one leaves; Ctrl-D leaves.
 */
export async function runTerminalChat(
  chat: Chat,
  { threadId: first, terminal }: { readonly threadId: string; readonly terminal: Terminal },
): Promise<void> {
  const { interrupts } = chat;
  const screen = createScreen(terminal.output);
  const editor = createLineEditor({
    ...terminal,
    prompt: "> ",
    words: Object.keys(COMMANDS),
    onInterrupt: (typed) => {
      if (typed !== "") interrupts.forget();
      const outcome = interrupts.interrupt();
      if (outcome === "stops") screen.status("stopping");
      if (outcome !== "warns") return;
      screen.line("");
      screen.line("Ctrl-C again, Ctrl-D or /quit leaves.", "dim");
      editor.discard();
    },
  });
  let threadId = first;
  // A thread exists once something was said in it.
  let stored = chat.options.threadId !== null;
  try {
    while (interrupts.departure() === null) {
      const line = await Promise.race([editor.next(), interrupts.left.then(() => null)]);
      if (line === null) return;
      interrupts.forget();
      const typed = readTypedLine(line);
      if (typed.kind === "unknown") screen.line(typed.problem, "red");
      if (typed.kind === "message") {
        stored = true;
        await answer(chat, { threadId, text: typed.text, screen });
      }
      if (typed.kind !== "command") continue;
      if (typed.name === "/quit") return;
      if (typed.name === "/new") {
        threadId = chat.newThreadId();
        stored = false;
        screen.line(`A new conversation: ${threadId}`, "dim");
        continue;
      }
      await obey(typed.name, { chat, threadId, screen });
    }
  } finally {
    screen.endStream();
    editor.close();
    if (stored) screen.line(`Go on later with:\nnpm run chat -- --thread ${threadId}`, "dim");
  }
}

async function answer(
  chat: Chat,
  message: { readonly threadId: string; readonly text: string; readonly screen: Screen },
): Promise<void> {
  const { threadId, text, screen } = message;
  const show = eventPrinter(screen, text);
  const onWaiting = (line: string): void => screen.status(line);
  await say(chat, { threadId, text, onEvent: show, onWaiting });
  screen.endStream();
}

function eventPrinter(screen: Screen, sent: string): (event: TurnEvent) => void {
  const teller = createProgressTeller(sent);
  return (event) => {
    for (const line of teller.tell(event)) {
      const look = line.kind === "problem" ? "red" : "dim";
      screen.line(`  ${line.text}`, look);
    }
    const status = statusOf(event);
    if (status !== null) screen.status(status);
    switch (event.type) {
      case "text-delta":
        screen.stream(event.text);
        return;
      case "reply":
        screen.endStream();
        return;
      case "prompt":
        screen.line(renderPrompt(event), "dim");
        return;
      case "error":
        screen.line(event.message, "red");
        return;
      default:
    }
  };
}

async function obey(
  name: Exclude<CommandName, "/new" | "/quit">,
  context: { readonly chat: Chat; readonly threadId: string; readonly screen: Screen },
): Promise<void> {
  const { chat, screen } = context;
  try {
    screen.line(await textOf(name, context));
  } catch (error) {
    chat.log.error(error, `${name} failed`);
    screen.line(error instanceof Error ? error.message : String(error), "red");
  }
}

async function textOf(
  name: Exclude<CommandName, "/new" | "/quit">,
  { chat, threadId }: { readonly chat: Chat; readonly threadId: string },
): Promise<string> {
  const { storage } = chat.assistant;
  const { userId } = chat.options;
  const { userData } = storage.database;
  switch (name) {
    case "/help":
      return renderHelp();
    case "/threads": {
      const threads = await userData.read(userId, listThreads);
      if (threads.length === 0) return "No conversations yet.";
      return threads
        .map(({ threadId: id, title, updatedAt }) => {
          const mark = id === threadId ? "*" : " ";
          return `${mark} ${id}  ${updatedAt.slice(0, 16).replace("T", " ")}  ${shorten(title ?? "", 60)}`;
        })
        .join("\n");
    }
    case "/state":
      return renderState(await readThreadState(storage, threadId));
    case "/cost":
      return renderUsage(await userData.read(userId, (tx) => sumUsage(tx, threadId)));
    default:
      return name satisfies never;
  }
}
