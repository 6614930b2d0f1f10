import { NotAnAnswerError } from "./not-an-answer.ts";

/** Characters of an answer in pieces, thoughts included: far more than a window holds. */
const MOST_CHARACTERS = 1 << 26;

/** Yields the lines of a body as they come, without their ends. */
export async function* readBodyLines({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  let open = "";
  let length = 0;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    length += piece.length;
    if (length > MOST_CHARACTERS)
      throw new NotAnAnswerError("Cannot read the answer: it has no end");
    const lines = `${open}${piece}`.split(/\r?\n/);
    open = lines.pop() ?? "";
    yield* lines;
  }
  if (open !== "") yield open;
}
