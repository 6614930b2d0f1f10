/** A text without the thinking that stood at its beginning, and that thinking without its tags. */
export interface SplitText {
  readonly thought: string;
  readonly rest: string;
}

/** The tags between which models think (models.md §1, "Normalisation"). */
export const THINKING_TAGS = ["think", "thinking", "reasoning"] as const;

const NAMES = THINKING_TAGS.join("|");
/** The opening tag of a thinking block at the beginning of a text. */
export const OPENING_TAG: RegExp = new RegExp(`^\\s*<(${NAMES})>`, "i");
/** A closing tag, wherever it stands. */
export const CLOSING_TAG: RegExp = new RegExp(`</(?:${NAMES})>`, "i");
/** A closing tag inside an answer is a part of one of its texts. */
const ANSWER_BEGINS = /^\s*(?:[[{"]|```|<tool_call>)/iu;

/** Returns the pattern of the closing tag that ends what an opening tag began. */
export function closingTag(name: string): RegExp {
  return new RegExp(`</${name}>`, "i");
}

/**
 * Takes one block of thinking out of the beginning of a text: a whole one, one that does not end
 * (all of the text is thinking then), and one whose opening tag stood in the prompt, so that only
 * its closing tag is there. Text that begins like JSON, a code fence or a tool call has no such closing tag.
 */
export function splitThinking(text: string): SplitText {
  const opening = OPENING_TAG.exec(text);
  const [tag = "", name] = opening ?? [];
  const inner = text.slice(tag.length);
  const closing = name === undefined ? findLoneClosing(text) : closingTag(name).exec(inner);
  if (closing === null) return name === undefined ? keep(text) : { thought: inner, rest: "" };
  return {
    thought: inner.slice(0, closing.index),
    rest: inner.slice(closing.index + closing[0].length).trimStart(),
  };
}

function findLoneClosing(text: string): RegExpExecArray | null {
  return ANSWER_BEGINS.test(text) ? null : CLOSING_TAG.exec(text);
}

function keep(text: string): SplitText {
  return { thought: "", rest: text };
}
