import { inAnyCase } from "./in-any-case.ts";

/** Called where all that has passed so far turns out to be no part of the answer, before what follows is returned. */
export type TakeBack = () => void;

/** Returns a text without what its model thought: for one that a model reads again. */
export function removeThoughts(text: string): string {
  return new ThoughtFilter().end(text);
}

const NAMES = `(?:${inAnyCase("think|thinking|thought|reasoning")})`;
const CLOSING = String.raw`(?:</${NAMES}>|\[/THINK\])`;
/** Tokens around the channels of a Harmony text. */
const TOKEN = String.raw`<\|(?<token>start|channel|constrain|message|end|return|call)\|>`;

/** In capitals alone: "[think]" may be a stage direction. A closing tag as a piece of code is spoken of. */
const SIGN = new RegExp(
  String.raw`(?<spokenOf>(?<!\x60)\x60${CLOSING}\x60(?!\x60))|<(?<opening>${NAMES})>|\[THINK\]|(?<closing>${CLOSING})|${TOKEN}`,
);
const TOKEN_SIGN = new RegExp(TOKEN);
/** The end of a text that what comes next may make a sign, or another one. */
const BEGUN = new RegExp(String.raw`(?<!\x60)\x60*(?:${CLOSING}\x60*|[<[][/|]?[a-zA-Z]{0,9}\|?)?$`);

type Place =
  | { readonly kind: "shown" }
  /** In a block of thoughts. */
  | { readonly kind: "thought"; readonly closing: RegExp }
  /** In the name of a channel. */
  | { readonly kind: "name" }
  /** Outside the final channel; its channel is null where that has not begun. */
  | { readonly kind: "left-out"; readonly channel: string | null };

/**
 * Leaves out what a model thought, from a text that comes in pieces: blocks of thoughts, where one
 * without an end hides the rest; all before a closing tag whose opening tag stood in the prompt; of a
 * Harmony text all but its final channel. A closing tag in code marks of its own is spoken of, and passes.
 *
 * Contract: for any text and any chunking, what `push` and `end` return after the last `takeBack` is,
 * joined, the same text.
 */
export class ThoughtFilter {
  readonly #takeBack: TakeBack;
  #place: Place = { kind: "shown" };
  #held = "";
  #hasChannels = false;

  constructor(takeBack: TakeBack = () => undefined) {
    this.#takeBack = takeBack;
  }

  push(chunk: string): string {
    this.#held += chunk;
    return this.#drain(BEGUN.exec(this.#held)?.index ?? this.#held.length);
  }

  /** Takes the last piece and returns the rest. To be called once. */
  end(chunk = ""): string {
    this.#held += chunk;
    return this.#drain(this.#held.length);
  }

  /** Returns what of the text up to a place may be shown. */
  #drain(end: number): string {
    let passed = "";
    let left = end;
    for (;;) {
      const text = this.#held.slice(0, left);
      const sign = findSign(text, this.#place);
      // The name of a channel counts as a whole.
      if (sign === null && this.#place.kind === "name") return passed;
      const before = text.slice(0, sign?.index);
      if (this.#place.kind === "shown") passed += before;
      const read = before.length + (sign?.[0].length ?? 0);
      this.#held = this.#held.slice(read);
      left -= read;
      if (sign === null) return passed;
      if (sign.groups?.["spokenOf"] !== undefined) passed += sign[0];
      if (this.#takesBack(sign)) {
        passed = "";
        this.#takeBack();
      }
      this.#place = this.#move(sign, before);
    }
  }

  /** Returns true for a closing tag without an opening one, and for the first channel: no other text is an answer then. */
  #takesBack({ groups }: RegExpExecArray): boolean {
    if (groups?.["token"] === "channel") return !this.#hasChannels;
    return groups?.["closing"] !== undefined;
  }

  #move({ groups, 0: sign }: RegExpExecArray, before: string): Place {
    const place = this.#place;
    if (place.kind === "thought") return { kind: "shown" };
    if (sign === "[THINK]") return { kind: "thought", closing: /\[\/THINK\]/ };
    const opening = groups?.["opening"];
    if (opening !== undefined)
      return { kind: "thought", closing: new RegExp(`</${opening}>`, "i") };
    const token = groups?.["token"];
    if (token === undefined) return place;
    const channel =
      place.kind === "name" ? readName(before) : place.kind === "left-out" ? place.channel : null;
    switch (token) {
      case "channel":
        this.#hasChannels = true;
        return { kind: "name" };
      case "constrain":
        return place.kind === "shown" ? place : { kind: "left-out", channel };
      case "message":
        return place.kind === "shown" || channel === "final"
          ? { kind: "shown" }
          : { kind: "left-out", channel };
      case "start":
        return { kind: "left-out", channel: null };
      default:
        // Other models end their answers with such a token.
        return place.kind === "shown" && !this.#hasChannels
          ? place
          : { kind: "left-out", channel: null };
    }
  }
}

function findSign(text: string, place: Place): RegExpExecArray | null {
  switch (place.kind) {
    case "shown":
      return SIGN.exec(text);
    case "thought":
      return place.closing.exec(text);
    case "name":
    case "left-out":
      return TOKEN_SIGN.exec(text);
    default:
      return place satisfies never;
  }
}

/** Returns the channel's name: a recipient may stand behind it. */
function readName(text: string): string {
  return text.trim().split(/\s/u)[0] ?? "";
}
