import { composeReply, renderReceipts, type ReplyParts } from "../../registry/receipts.ts";
import { wordMoments } from "../../state/calendar.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Reply } from "../../state/turn.ts";
import type { NodeIO } from "../node.ts";

interface ReplyStreamOptions extends Omit<ReplyParts, "at" | "body" | "receipts"> {
  readonly receipts: readonly Receipt[];
  /** The part that another node has sent; empty where none was. */
  readonly sent: string;
}

/**
 * A reply on its way to the person. The receipts are sent at once, as an event and as the first lines
 * of the text; then the words as they come. What was sent and does not stand is replaced as a whole.
 */
export class ReplyStream {
  /** The receipts' lines, as the person reads them; empty where there are none. */
  readonly lines: string;
  readonly #io: Pick<NodeIO, "emit">;
  readonly #options: ReplyStreamOptions;
  /** Everything sent so far. */
  #sent: string;
  #hasBody = false;

  constructor(io: Pick<NodeIO, "emit">, options: ReplyStreamOptions) {
    this.#io = io;
    this.#options = options;
    const { receipts, sent } = options;
    this.lines = renderReceipts(receipts, options);
    this.#sent = sent;
    if (this.lines === "") return;
    // Receipts stand above everything else of a reply.
    if (sent !== "") this.#reset();
    this.#sendReceipts();
  }

  /** Sends a piece of the words, cut between two of them. */
  push(piece: string): void {
    const worded = wordMoments(piece, this.#options.timeZone);
    const text = this.#hasBody ? worded : worded.trimStart();
    if (text === "") return;
    if (!this.#hasBody && this.#sent !== "") this.#send("\n\n");
    this.#hasBody = true;
    this.#send(text);
  }

  /** Takes the words back; the receipts stand. */
  restart(): void {
    if (!this.#hasBody) return;
    this.#hasBody = false;
    this.#reset();
    if (this.lines !== "") this.#sendReceipts();
  }

  /** Sends what is missing of the reply, or all of it where something else was sent, and returns it. */
  end(body: string, at: string): Reply {
    const { id, receipts, registry, timeZone } = this.#options;
    const reply = composeReply({ id, at, body, receipts: [...receipts], registry, timeZone });
    if (!reply.text.startsWith(this.#sent)) this.#reset();
    this.#send(reply.text.slice(this.#sent.length));
    return reply;
  }

  #sendReceipts(): void {
    const { id, receipts } = this.#options;
    this.#io.emit({ type: "receipts", reply: id, receipts: [...receipts], text: this.lines });
    this.#send(this.lines);
  }

  #reset(): void {
    this.#io.emit({ type: "reply-reset", reply: this.#options.id });
    this.#sent = "";
  }

  #send(text: string): void {
    if (text === "") return;
    this.#sent += text;
    this.#io.emit({ type: "text-delta", reply: this.#options.id, text });
  }
}
