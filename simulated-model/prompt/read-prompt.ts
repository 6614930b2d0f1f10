import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../state/json.ts";
import { HEADINGS } from "../../prompts/headings.ts";

/** The parts that a prompt can ask the model to play, by the first sentence of its system message. */
const IDENTITIES = [
  ["understand", /^You read the newest message for /],
  ["think", /^You plan the work of /],
  ["act", /^You carry out one step of the work of /],
  ["reply", /^You are .+\. You tell the person /s],
  ["summarize", /^You keep the minutes of a conversation\b/],
  ["concierge", /^You are the concierge\b/],
  ["expert", /^You are an expert adviser\b/],
  ["mapper", /^You map what several answers\b/],
  ["workflow", /^You read the steps and the decisions out of a plan\b/],
  ["roll-over", /^You keep the notes of a conversation\b/],
] as const;

export type Role = (typeof IDENTITIES)[number][0];

/** A call of an earlier round of a step, with its result. */
export interface PastCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** One message of a transcript. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A tool that may be called. */
export interface OfferedTool {
  readonly name: string;
  /** Its JSON Schema. */
  readonly parameters: JsonObject;
}

/** A prompt taken apart. Total: what is not there is empty. */
export interface ParsedPrompt {
  /** Null where the prompt does not say who is asked. */
  readonly role: Role | null;
  /** Returns the text of a section, by its heading. */
  readonly section: (heading: string) => string;
  /** The person's words of this turn. */
  readonly message: string;
  /** Calls that have answered, in order. */
  readonly calls: readonly PastCall[];
  /** Why the last answer was sent back; empty where it was not. */
  readonly sentBack: string;
  readonly tools: readonly OfferedTool[];
  /** All messages from the first user message on. */
  readonly transcript: readonly Turn[];
}

/** Opening words of code that sends an answer back. */
const SENT_BACK = "This could not be used: ";

/** Takes a prompt apart: who is asked, the sections by heading, the message, the calls so far. */
export function readPrompt(
  messages: readonly BaseMessage[],
  tools: readonly OfferedTool[] = [],
): ParsedPrompt {
  const system = messages.find((message) => message.getType() === "system")?.text ?? "";
  const firstUser = messages.findIndex((message) => message.getType() === "human");
  const user = messages[firstUser]?.text ?? "";
  const sections = new Map([...readSections(system), ...readSections(user)]);
  const later = firstUser === -1 ? [] : messages.slice(firstUser);
  const last = later.at(-1)?.text ?? "";
  return {
    role: IDENTITIES.find(([, sentence]) => sentence.test(system))?.[0] ?? null,
    section: (heading) => sections.get(heading) ?? "",
    message: readFenced("message", sections.get(HEADINGS.message) ?? ""),
    calls: readCalls(later).filter(({ result }) => !result.startsWith(SENT_BACK)),
    sentBack: last.startsWith(SENT_BACK) ? last.slice(SENT_BACK.length) : "",
    tools,
    transcript: later.flatMap(readTurn),
  };
}

/** The content of delimited text; the text itself where it is not delimited. */
export function readFenced(name: string, text: string): string {
  const start = text.indexOf(`<${name}>\n`);
  const end = text.lastIndexOf(`\n</${name}>`);
  return start === -1 || end < start ? text : text.slice(start + name.length + 3, end);
}

/** The lines of a text that are not empty. */
export function nonEmptyLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** The texts of bullets. */
export function readBullets(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
}

/** The sections of a message; what people typed between delimiters cannot open one. */
export function readSections(text: string): Map<string, string> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const heading = open === null ? (/^## (.+)$/.exec(line)?.[1] ?? null) : null;
    if (open === null) open = /^<([a-z_]+)>$/.exec(line)?.[1] ?? null;
    else if (line === `</${open}>`) open = null;
    if (heading === null) current.push(line);
    else sections.set(heading, (current = []));
  }
  return new Map([...sections].map(([heading, lines]) => [heading, lines.join("\n").trim()]));
}

function readTurn(message: BaseMessage): Turn[] {
  const type = message.getType();
  if (type !== "human" && type !== "ai") return [];
  return [{ role: type === "human" ? "user" : "assistant", text: message.text }];
}

function readCalls(messages: readonly BaseMessage[]): PastCall[] {
  const answers = messages.filter((message): message is ToolMessage =>
    ToolMessage.isInstance(message),
  );
  const results = new Map(answers.map((answer) => [answer.tool_call_id, answer.text]));
  return messages
    .filter((message): message is AIMessage => AIMessage.isInstance(message))
    .flatMap((message) => message.tool_calls ?? [])
    .map(({ id, name, args }) => ({ name, args, result: results.get(id ?? "") ?? "" }));
}

/** Reads the names that wishes leave out: `cod` of `- no cod (until 2026-01-18)`. */
export function readUnwanted(wishes: string): string[] {
  return [...wishes.matchAll(/^- no (.+?)(?: \([^()]*\))?$/gm)].map(([, name = ""]) => name);
}
