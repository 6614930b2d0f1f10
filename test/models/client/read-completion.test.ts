import { expect, test } from "vitest";
import { readCompletion, readCompletionStream } from "../../../models/client/read-completion.ts";

/** A response whose bytes arrive in pieces of a few characters. */
function respond(text: string, type = "text/event-stream"): Response {
  const pieces = text.match(/.{1,5}/gsu) ?? [];
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
  return new Response(body, { headers: { "content-type": type } });
}

const piece = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] })}`;
const WHOLE = JSON.stringify(
  {
    choices: [{ index: 0, message: { role: "assistant", content: "Soup, salad." } }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  },
  null,
  2,
);

/** The text of a stream and every reason of its end. */
async function readAll(response: Response) {
  const read = { text: "", ends: [] as string[] };
  for await (const { choices } of readCompletionStream(response)) {
    for (const { delta, finish_reason: reason } of choices) {
      read.text += delta.content ?? "";
      if (reason !== null) read.ends.push(reason);
    }
  }
  return read;
}

const DONE = "data: [DONE]";
test.each([
  ["names its end", [piece("Soup, "), piece("salad."), piece("", "length"), DONE], ["length"]],
  ["says only that it is done", [piece("Soup, "), piece("salad."), DONE], ["stop"]],
  ["ends without a word", [piece("Soup, "), piece("salad.")], []],
  [
    "has comments, names and fields in several lines",
    [": wait", `event: chunk\n${piece("Soup, ").replace(",", ",\ndata:")}`, piece("salad."), DONE],
    ["stop"],
  ],
] satisfies readonly (readonly [string, readonly string[], readonly string[]])[])(
  "readCompletionStream() reads a stream that %s",
  async (_, events, ends) => {
    for (const mark of ["\n", "\r\n"]) {
      const text = events.map((event) => `${event}\n\n`).join("");

      const read = await readAll(respond(text.replaceAll("\n", mark)));

      expect(read).toEqual({ text: "Soup, salad.", ends });
    }
  },
);

test("readCompletionStream() declares nothing complete of which nothing came", async () => {
  expect(await readAll(respond(`${piece("")}\n\n${DONE}\n\n`))).toEqual({ text: "", ends: [] });
});

test.each(["application/json", "text/plain", "text/event-stream"])(
  "readCompletionStream() reads a whole answer of type %s, complete as it is",
  async (type) => {
    expect(await readAll(respond(WHOLE, type))).toEqual({ text: "Soup, salad.", ends: ["stop"] });
  },
);

test.each([
  ['data: {"error":{"message":"Provider disconnected","code":502}}\n\n', { code: 502 }],
  ['data: {"error":"Provider disconnected"}\n\n', { message: "Provider disconnected" }],
  ['event: error\ndata: {"reason":"gone"}\n\n', { name: "Error" }],
  ['{"error":{"message":"Provider disconnected","code":502}}', { status: 502 }],
  ['{"message":"Welcome"}', { name: "NotAnAnswerError" }],
  ['data: {"choi\n\n', { name: "NotAnAnswerError" }],
  ["data: 75\n\n", { name: "NotAnAnswerError" }],
])("readCompletionStream() fails where %j comes", async (text, error) => {
  await expect(readAll(respond(text))).rejects.toMatchObject(error);
});

test.each(["application/json", "text/plain", ""])(
  "readCompletion() reads an answer of type %j",
  async (type) => {
    const { choices } = await readCompletion(respond(WHOLE, type));

    expect(choices[0]?.message.content).toBe("Soup, salad.");
  },
);

test.each([
  ["a stream", `${piece("Soup")}\n\n`, "text/event-stream", "it is a stream"],
  ["a stream of another type", `\n${piece("Soup")}\n\n`, "text/plain", "it is a stream"],
  ["a web page", "<html>Welcome</html>", "text/html", "it is not JSON"],
  ["nothing", "", "application/json", "it is not JSON"],
  ["JSON without an answer", '{"choices":[]}', "application/json", 'it has no "choices"'],
])("readCompletion() refuses %s", async (_, text, type, words) => {
  await expect(readCompletion(respond(text, type))).rejects.toThrow(
    `Cannot read the answer: ${words}`,
  );
});
