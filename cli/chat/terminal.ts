import type { Readable } from "node:stream";
import type { TurnEvent } from "../../driver/events.ts";
import { createDialogue, type Dialogue } from "./dialogue.ts";
import type { Chat } from "./chat.ts";
import { COMMANDS, readTypedLine } from "./commands.ts";
import type { InterruptOutcome } from "./interrupts.ts";
import { createLineEditor, type LineEditor } from "./line-editor.ts";
import { runCommand } from "./obey-command.ts";
import { createProgressRenderer, describeStatus } from "./progress.ts";
import { renderPlan } from "./render-plan.ts";
import { renderPrompt } from "./prompt-text.ts";
import { createScreen, type Look, type Screen, type TerminalStream } from "./screen.ts";

/** The streams of a terminal. */
export interface Terminal {
  readonly input: Readable;
  readonly output: TerminalStream;
}

/**
 * Runs a conversation at a prompt until the person leaves: streams replies, shows the activity and
 * runs the commands of `commands.ts`. The prompt returns while experts still work on the plan's next
 * step. Ctrl-C stops a turn; a second Ctrl-C, or Ctrl-D, leaves and stops a running turn.
 */
export async function runTerminalChat(
  chat: Chat,
  first: string,
  terminal: Terminal,
): Promise<void> {
  const { interrupts } = chat;
  const screen = createScreen(terminal.output);
  const editor = createLineEditor({
    ...terminal,
    prompt: "> ",
    words: Object.keys(COMMANDS),
    onInterrupt: (typed) => {
      if (typed !== "") interrupts.reset();
      takeInterrupt(interrupts.interrupt(), { screen, editor });
    },
  });
  const dialogues: Dialogue[] = [];
  let threadId = first;
  function open(): Dialogue {
    const own = threadId;
    const print = eventPrinter({ screen, editor }, (text) => dialogue.isAwaitingAnswer(text));
    const dialogue = createDialogue(chat, {
      threadId: own,
      onEvent: (event) => {
        // Events of a conversation that was left, or after the prompt closed, are not shown.
        if (own === threadId && !left) print(event);
      },
      onWaiting: (line) => screen.status(line),
    });
    dialogues.push(dialogue);
    return dialogue;
  }
  let left = false;
  let dialogue = open();
  // A thread is stored with its first message.
  let stored = chat.options.threadId !== null;
  try {
    while (interrupts.departure() === null) {
      screen.endStream();
      const line = await Promise.race([editor.next(), interrupts.left.then(() => null)]);
      if (line === null) return;
      interrupts.reset();
      const typed = readTypedLine(line);
      if (typed.kind === "unknown") screen.line(typed.problem, "red");
      if (typed.kind === "message") {
        stored = true;
        await dialogue.send(typed.text);
      }
      if (typed.kind !== "command") continue;
      if (typed.name === "/quit") return;
      if (typed.name === "/new") {
        threadId = chat.newThreadId();
        dialogue = open();
        stored = false;
        screen.line(`A new conversation: ${threadId}`, "dim");
        continue;
      }
      await runCommand(typed, { chat, threadId, screen });
    }
  } finally {
    left = true;
    screen.endStream();
    editor.close();
    if (stored) screen.line(`Continue later with:\nnpm run chat -- --thread ${threadId}`, "dim");
    if (dialogues.some((one) => one.isBusy())) interrupts.terminate(0);
    await Promise.all(dialogues.map(async (one) => one.waitUntilIdle()));
  }
}

/** The screen for a turn's events and the editor in which the person may be typing. */
interface View {
  readonly screen: Screen;
  readonly editor: LineEditor;
}

function takeInterrupt(outcome: InterruptOutcome, { screen, editor }: View): void {
  if (outcome === "leaves") return;
  if (!editor.isOpen()) {
    screen.status("stopping");
    return;
  }
  screen.line("");
  const words = outcome === "stops" ? STOPPING : "Ctrl-C again, Ctrl-D or /quit leaves.";
  screen.line(words, "dim");
  editor.discard();
}

const STOPPING = "Stopping the experts. Ctrl-C again leaves.";

function eventPrinter(
  { screen, editor }: View,
  isAwaited: (message: string) => boolean,
): (event: TurnEvent) => void {
  const progress = createProgressRenderer(isAwaited);
  return (event) => {
    const lines: ShownLine[] = [
      ...progress.render(event).map(({ kind, text }): ShownLine => {
        return { text: `  ${text}`, look: kind === "problem" ? "red" : "dim" };
      }),
      ...renderEventLines(event, screen.columns()),
    ];
    const show = (): void => {
      for (const { text, look } of lines) screen.line(text, look);
    };
    if (editor.isOpen()) {
      // Only whole lines can be written above the line being typed.
      if (event.type === "reply") lines.push({ text: event.text, look: "plain" });
      if (lines.length > 0) editor.above(show);
      return;
    }
    show();
    const status = describeStatus(event);
    if (status !== null) screen.status(status);
    if (event.type === "text-delta") screen.stream(event.text);
    if (event.type === "reply") screen.endStream();
  };
}

interface ShownLine {
  readonly text: string;
  readonly look: Look;
}

function renderEventLines(event: TurnEvent, columns: number): ShownLine[] {
  switch (event.type) {
    case "workflow":
      return [{ text: renderPlan(event.workflow, columns), look: "plain" }];
    case "prompt":
      return [{ text: renderPrompt(event), look: "dim" }];
    case "error":
      return [{ text: event.message, look: "red" }];
    default:
      return [];
  }
}
