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

const PARTS = [
  { type: "text", text: "Soup, " },
  { type: "image" },
  { type: "text", text: "salad." },
];
const CALL = { id: "1", type: "function", function: { name: "find", arguments: { text: "soup" } } };
const BARE = { id: "2", type: "function", function: { name: "find" } };
const ODD = { role: "assistant", content: PARTS, tool_calls: [CALL, BARE] };
const UNIFIED = {
  role: "assistant",
  content: "Soup, salad.",
  tool_calls: [
    { ...CALL, function: { name: "find", arguments: '{"text":"soup"}' } },
    { ...BARE, function: { name: "find", arguments: "" } },
  ],
};

test("readCompletion() reads the first answer, its parts as one text and arguments that are an object", async () => {
  const second = { index: 1, message: { role: "assistant", content: "Pie." } };
  const text = JSON.stringify({ choices: [{ index: 0, message: ODD }, second] });

  const { choices } = await readCompletion(respond(text, "application/json"));

  expect(choices).toEqual([{ index: 0, message: UNIFIED }]);
});

test("readCompletionStream() reads them in pieces, too", async () => {
  const events = [
    { choices: [{ index: 1, delta: ODD, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: "Pie." }, finish_reason: "stop" }] },
    { choices: [{ index: 1, delta: {}, finish_reason: "stop" }] },
  ];
  const read = [];

  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  for await (const { choices } of readCompletionStream(respond(text))) read.push(...choices);

  expect(read).toEqual([
    { index: 1, delta: UNIFIED, finish_reason: null },
    { index: 1, delta: {}, finish_reason: "stop" },
  ]);
});
