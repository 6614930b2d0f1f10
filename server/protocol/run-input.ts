import { z } from "zod";
import { REPLY_PREFIX } from "../../state/message-ids.ts";
import { Problem, toPointer } from "../problems.ts";

/** A run's message, as its client sent it. */
export interface SentInput {
  readonly text: string;
  /** The text's place in the body, as a JSON pointer. */
  readonly field: string;
  /** The id that the client gave its message; null where it gave none. */
  readonly messageId: SentId | null;
}

/** An id, and where it was sent. */
export interface SentId {
  readonly value: string;
  /** A JSON pointer into the body, or to a header. */
  readonly field: string;
}

/**
 * Returns the id that a client gave its message at a place, or null if it gave none.
 *
 * @throws Problem `invalid_request` for an id that replies have.
 */
export function idAt(field: string, value: string | null | undefined): SentId | null {
  if (value == null) return null;
  if (!value.startsWith(REPLY_PREFIX)) return { value, field };
  throw new Problem("invalid_request", {
    detail: `Cannot use the message's id: it begins with "${REPLY_PREFIX}", as the ids of replies do; give the message another id`,
    field,
  });
}

/** The header with a message's id; it takes precedence over the id in the body. */
export const IDEMPOTENCY_KEY = "/Idempotency-Key";

/** A message id: text that can be stored and looked up. */
export const MessageIdSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, { message: "it has characters that cannot be part of an id" });

const PartSchema = z.looseObject({ type: z.string() });
const ContentSchema = z.union([z.string(), z.array(z.union([z.string(), PartSchema]))]);
type Content = z.infer<typeof ContentSchema>;

const NamedMessageSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  id: MessageIdSchema.nullish(),
  content: ContentSchema,
});

/** A message of LangChain's classes, such as `new HumanMessage("…")`, as JSON has it. */
const SerializedMessageSchema = z.looseObject({
  lc: z.literal(1),
  /** The path of its class: `["langchain_core", "messages", "HumanMessage"]`. */
  id: z.array(z.string()).min(1),
  kwargs: NamedMessageSchema,
});

/** A message as LangChain's clients write it: an object of either form, a text, or a pair of role and content. */
const MessageSchema = z.union([
  z.string(),
  SerializedMessageSchema,
  NamedMessageSchema,
  z.tuple([z.string(), ContentSchema]),
]);
type Message = z.infer<typeof MessageSchema>;

/** A run's input: text, a list of messages, or null. */
export const RunInputSchema = z
  .union([
    z.string(),
    z.looseObject({
      messages: z.union([
        z.array(MessageSchema),
        z.string(),
        SerializedMessageSchema,
        NamedMessageSchema,
      ]),
    }),
  ])
  .nullish()
  .describe(
    "The last human message of `messages` is the person's, or all those at the end. Null resumes unfinished work.",
  );
export type RunInput = z.infer<typeof RunInputSchema>;

/**
 * Returns the person's message: the last human one in the list; where the list ends with several, all of
 * them; null where the run is to resume.
 *
 * @throws Problem `invalid_request` where there is none, `not_supported` for anything but text in it.
 */
export function readRunInput(input: RunInput): SentInput | null {
  if (input === null || input === undefined) return null;
  if (typeof input === "string") return { text: input, field: "/input", messageId: null };
  const { messages } = input;
  if (!Array.isArray(messages)) {
    if (!isHuman(messages)) throw noMessage("/input/messages");
    return readMessage(messages, ["input", "messages"]);
  }
  const index = messages.findLastIndex(isHuman);
  const first =
    index === messages.length - 1
      ? messages.findLastIndex((message) => !isHuman(message)) + 1
      : index;
  const read = messages
    .slice(first, index + 1)
    .map((message, at) => readMessage(message, ["input", "messages", first + at]));
  const last = read.at(-1);
  if (last === undefined) throw noMessage("/input/messages");
  return { ...last, text: read.map(({ text }) => text).join("\n") };
}

const HUMAN: ReadonlySet<string> = new Set(["human", "user", "HumanMessage", "HumanMessageChunk"]);

function isSerialized(message: Message): message is z.infer<typeof SerializedMessageSchema> {
  return typeof message === "object" && "kwargs" in message && "lc" in message;
}

function isHuman(message: Message): boolean {
  if (typeof message === "string") return true;
  if (isSerialized(message)) return HUMAN.has(message.id.at(-1) ?? "");
  const type = Array.isArray(message) ? message[0] : (message.type ?? message.role ?? "");
  return HUMAN.has(type);
}

function readMessage(message: Message, path: readonly PropertyKey[]): SentInput {
  if (typeof message === "string") {
    return { text: message, field: toPointer(path), messageId: null };
  }
  if (isSerialized(message)) return readMessage(message.kwargs, [...path, "kwargs"]);
  const [content, at, messageId] = Array.isArray(message)
    ? [message[1], [...path, 1], null]
    : [message.content, [...path, "content"], idAt(toPointer([...path, "id"]), message.id)];
  return { text: joinTextParts(content, at), field: toPointer(at), messageId };
}

const TextPartSchema = z.looseObject({ type: z.literal("text"), text: z.string() });

function joinTextParts(content: Content, path: readonly PropertyKey[]): string {
  if (typeof content === "string") return content;
  const texts = content.map((part, index) => {
    if (typeof part === "string") return part;
    const text = TextPartSchema.safeParse(part);
    if (text.success) return text.data.text;
    throw new Problem("not_supported", {
      detail: `Cannot read a part of type "${part.type.slice(0, 40)}": messages are text; leave it out`,
      field: toPointer([...path, index]),
    });
  });
  return texts.join("\n");
}

function noMessage(field: string): Problem {
  return new Problem("invalid_request", {
    detail:
      'Cannot find a human message: there is none; send {"messages": [{"type": "human", "content": "…"}]} or a text',
    field,
  });
}
