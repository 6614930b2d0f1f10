import type { Readable } from "node:stream";
import type { TurnEvent } from "../../state/event.ts";
import { describeTurn, type TrailRow } from "../../view/describe-turn.ts";
import { reduceTurn, startTurn } from "../../view/reduce-turn.ts";
import { shortenToWidth } from "../../view/words.ts";
import type { ChatContext } from "./chat.ts";
import { COMMANDS, readTypedLine, type TypedLine } from "./commands.ts";
import { Dialogue } from "./dialogue.ts";
import { LineEditor } from "./line-editor.ts";
import { renderPrompt } from "./render-traced-prompt.ts";
import { renderChecklist } from "./render-checklist.ts";
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
  /** The turn that is shown. */
  #view = startTurn("");
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

  /** Runs the conversation until the person leaves; first what an earlier process left unfinished. */
  async run(): Promise<void> {
    const { interrupts } = this.#chat;
    try {
      if (this.#isStored) await Promise.race([this.#dialogue.resume(), interrupts.left]);
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
      case "command": {
        const text = await showCommand(typed, {
          chat: this.#chat,
          threadId: this.#threadId,
          screen: this.#screen,
        });
        if (text !== null) await this.#process({ kind: "message", text });
        return;
      }
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
    const dialogue = new Dialogue(this.#chat, {
      threadId,
      onEvent: (event) => {
        // Events of a conversation that was left, or after the prompt closed, are not shown.
        if (threadId === this.#threadId && !this.#hasLeft) this.#show(event);
      },
      onWaiting: (line) => this.#screen.status(line),
    });
    this.#dialogues.push(dialogue);
    return dialogue;
  }

  #show(event: TurnEvent): void {
    // A turn that is tried again has the run of its first attempt, and counts from 1.
    const before = event.type === "turn-start" ? startTurn(event.message) : this.#view;
    this.#view = reduceTurn(before, event);
    const { status, rows } = describeTurn(this.#view);
    const lines = [
      ...this.#announceOlder(event),
      ...rows.filter(({ seq }) => seq > before.seq).map(({ kind, text }) => rowLine(kind, text)),
      ...renderEvent(event, this.#screen.columns()),
    ];
    const isTyping = this.#editor.isOpen();
    // Only whole lines can be written above the line being typed.
    if (isTyping && event.type === "reply") lines.push({ text: event.text, look: "plain" });
    if (lines.length > 0) {
      this.#editor.writeAbove(() => {
        for (const { text, look } of lines) this.#screen.line(text, look);
      });
    }
    if (isTyping) return;
    if (status !== null && status.seq > before.seq) this.#screen.status(status.text);
    if (event.type === "text-delta") this.#screen.stream(event.text);
    if (event.type === "reply") this.#screen.endStream();
  }

  /** Announces a turn that answers none of the messages sent here. */
  #announceOlder(event: TurnEvent): ShownLine[] {
    const isOlder =
      event.type === "turn-start" &&
      event.turn !== 0 &&
      !this.#dialogue.isAwaitingAnswer(event.message);
    if (!isOlder) return [];
    const message = shortenToWidth(event.message, 60);
    return [rowLine("detail", `first, an unfinished message: "${message}"`)];
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

function rowLine(kind: TrailRow["kind"], text: string): ShownLine {
  return { text: `  ${text}`, look: kind === "problem" ? "red" : "dim" };
}

/** Renders what is shown of an event besides the rows of its turn. */
function renderEvent(event: TurnEvent, columns: number): ShownLine[] {
  switch (event.type) {
    case "plan-change":
      return [{ text: renderChecklist(event.plan, columns), look: "plain" }];
    case "step-help-ready":
      return [{ text: event.text, look: "plain" }];
    case "prompt":
      return [{ text: renderPrompt(event), look: "dim" }];
    case "error":
      return [{ text: event.message, look: "red" }];
    default:
      return [];
  }
}
