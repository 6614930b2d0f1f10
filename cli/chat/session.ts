import type { Readable } from "node:stream";
import type { TurnEvent } from "../../state/event.ts";
import type { ChatContext } from "./chat.ts";
import { COMMANDS, readTypedLine, type TypedLine } from "./commands.ts";
import { Dialogue } from "./dialogue.ts";
import { LineEditor } from "./line-editor.ts";
import { describeStatus, ProgressRenderer } from "./progress.ts";
import { renderPrompt } from "./render-traced-prompt.ts";
import { renderPlan } from "./render-plan.ts";
import { Screen, type Look, type TerminalStream } from "./screen.ts";
import { showCommand } from "./show-command.ts";

/** The streams of a terminal. */
export interface Terminal {
  readonly input: Readable;
  readonly output: TerminalStream;
}

interface ShownLine {
  readonly text: string;
  readonly look: Look;
}

/**
 * A conversation at a prompt: streams replies, shows the activity and runs the commands of
 * `commands.ts`. The prompt returns while experts still work on the plan's next step. Ctrl-C stops
 * a turn; a second Ctrl-C, or Ctrl-D, leaves and stops a running turn.
 */
export class Session {
  readonly #chat: ChatContext;
  readonly #screen: Screen;
  readonly #editor: LineEditor;
  readonly #dialogues: Dialogue[] = [];
  #threadId: string;
  #dialogue: Dialogue;
  /** True once the thread has a message, with which it is stored. */
  #isStored: boolean;
  #hasLeft = false;

  constructor(chat: ChatContext, threadId: string, { input, output }: Terminal) {
    this.#chat = chat;
    this.#threadId = threadId;
    this.#isStored = chat.options.threadId !== null;
    this.#screen = new Screen(output);
    this.#editor = new LineEditor({
      input,
      output,
      words: Object.keys(COMMANDS),
      onInterrupt: (typed) => this.#interrupt(typed),
    });
    this.#dialogue = this.#openDialogue();
  }

  /** Runs the conversation until the person leaves. */
  async run(): Promise<void> {
    const { interrupts } = this.#chat;
    try {
      while (interrupts.departure() === null) {
        this.#screen.endStream();
        const message = await Promise.race([this.#editor.next(), interrupts.left.then(() => null)]);
        if (message === null) return;
        interrupts.reset();
        const typed = readTypedLine(message);
        if (typed.kind === "/quit") return;
        await this.#process(typed);
      }
    } finally {
      await this.#leave();
    }
  }

  /** Shows a line that belongs to no turn, also while a message is being typed. */
  showNotice(line: string): void {
    this.#editor.writeAbove(() => this.#screen.line(line, "dim"));
  }

  async #process(typed: TypedLine): Promise<void> {
    switch (typed.kind) {
      case "nothing":
      case "/quit":
        return;
      case "/new":
        this.#startThread();
        return;
      case "unknown":
        this.#screen.line(typed.problem, "red");
        return;
      case "message":
        this.#isStored = true;
        this.#screen.startClock();
        await this.#dialogue.send(typed.text);
        return;
      case "command":
        await showCommand(typed, {
          chat: this.#chat,
          threadId: this.#threadId,
          screen: this.#screen,
        });
        return;
      default:
        typed satisfies never;
    }
  }

  #startThread(): void {
    this.#threadId = this.#chat.newThreadId();
    this.#dialogue = this.#openDialogue();
    this.#isStored = false;
    this.#screen.line(`A new conversation: ${this.#threadId}`, "dim");
  }

  #openDialogue(): Dialogue {
    const threadId = this.#threadId;
    const progress = new ProgressRenderer((text) => dialogue.isAwaitingAnswer(text));
    const dialogue = new Dialogue(this.#chat, {
      threadId,
      onEvent: (event) => {
        // Events of a conversation that was left, or after the prompt closed, are not shown.
        if (threadId === this.#threadId && !this.#hasLeft) this.#show(event, progress);
      },
      onWaiting: (line) => this.#screen.status(line),
    });
    this.#dialogues.push(dialogue);
    return dialogue;
  }

  #show(event: TurnEvent, progress: ProgressRenderer): void {
    const lines = renderEvent(event, progress, this.#screen.columns());
    const isTyping = this.#editor.isOpen();
    // Only whole lines can be written above the line being typed.
    if (isTyping && event.type === "reply") lines.push({ text: event.text, look: "plain" });
    if (lines.length > 0) {
      this.#editor.writeAbove(() => {
        for (const { text, look } of lines) this.#screen.line(text, look);
      });
    }
    if (isTyping) return;
    const status = describeStatus(event);
    if (status !== null) this.#screen.status(status);
    if (event.type === "text-delta") this.#screen.stream(event.text);
    if (event.type === "reply") this.#screen.endStream();
  }

  #interrupt(typed: string): void {
    const { interrupts } = this.#chat;
    if (typed !== "") interrupts.reset();
    const outcome = interrupts.interrupt();
    if (outcome === "leaves") return;
    if (!this.#editor.isOpen()) {
      this.#screen.status("stopping");
      return;
    }
    this.#screen.line("");
    this.#screen.line(outcome === "stops" ? STOPPING : LEAVING, "dim");
    this.#editor.discard();
  }

  async #leave(): Promise<void> {
    this.#hasLeft = true;
    this.#screen.endStream();
    this.#editor.close();
    if (this.#isStored) {
      this.#screen.line(`Continue later with:\nnpm run chat -- --thread ${this.#threadId}`, "dim");
    }
    if (this.#dialogues.some((one) => one.isBusy())) this.#chat.interrupts.terminate(0);
    await Promise.all(this.#dialogues.map(async (one) => one.waitUntilIdle()));
  }
}

const STOPPING = "Stopping the experts. Ctrl-C again leaves.";
const LEAVING = "Ctrl-C again, Ctrl-D or /quit leaves.";

function renderEvent(event: TurnEvent, progress: ProgressRenderer, columns: number): ShownLine[] {
  const lines = progress.render(event).map(({ kind, text }): ShownLine => {
    return { text: `  ${text}`, look: kind === "problem" ? "red" : "dim" };
  });
  switch (event.type) {
    case "workflow":
      return [...lines, { text: renderPlan(event.workflow, columns), look: "plain" }];
    case "prompt":
      return [...lines, { text: renderPrompt(event), look: "dim" }];
    case "error":
      return [...lines, { text: event.message, look: "red" }];
    default:
      return lines;
  }
}
