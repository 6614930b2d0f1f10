import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** The streams of a question. */
interface QuestionStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Asks whether to go on in spite of what was just said; anything but a yes is a no, and so is the end of the input. */
export async function askToGoOn({ input, output }: QuestionStreams): Promise<boolean> {
  const editor = createInterface({ input, output });
  try {
    return await new Promise<boolean>((resolve) => {
      editor.on("close", () => resolve(false));
      editor.question("Go on all the same? (y/N) ", (answer) => {
        resolve(/^\s*y(?:es)?\s*$/iu.test(answer));
      });
    });
  } finally {
    editor.close();
  }
}
