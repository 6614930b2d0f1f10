import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/** What a prompt's first sentence says the model is. */
type Role =
  | "understand"
  | "think"
  | "act"
  | "reply"
  | "summarize"
  | "fold"
  | "concierge"
  | "expert"
  | "mapper"
  | "workflow"
  | "roll-over";

/** A call of an earlier round of a step, with what came of it. */
export interface PastCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** A prompt taken apart. Total: what is not there is empty. */
export interface ParsedPrompt {
  /** Null where the prompt does not say who is asked. */
  readonly role: Role | null;
  /** Everything before the first heading of the system message. */
  readonly identity: string;
  /** All of it before the first heading. */
  readonly preamble: string;
  /** The text of a section, by its heading; `conversation_history` by its tag. */
  readonly section: (heading: string) => string;
  /** The person's words of this turn. */
  readonly message: string;
  /** Calls that have answered, in order. */
  readonly calls: readonly PastCall[];
  /** Calls of the last answer that code did not let through. */
  readonly refused: readonly PastCall[];
  /** Why the last answer was sent back; empty where it was not. */
  readonly sentBack: string;
  /** What was said so far, from the first user message on. */
  readonly thread: readonly Turn[];
}

/** One message of a thread. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

const IDENTITIES: readonly (readonly [RegExp, Role])[] = [
  [/^You are the memory of /, "understand"],
  [/^You plan the work of /, "think"],
  [/^You carry out one step of the work of /, "act"],
  [/^You are .+\. You tell the person /s, "reply"],
  [/^You keep the minutes of a conversation\b/, "summarize"],
  [/^You keep the minutes of a long conversation\b/, "fold"],
  [/^You are the concierge\b/, "concierge"],
  [/^You are an expert adviser\b/, "expert"],
  [/^You map what several answers\b/, "mapper"],
  [/^You read the steps out of a plan\b/, "workflow"],
  [/^You keep the notes of a conversation\b/, "roll-over"],
];

const HISTORY = "conversation_history";

/** Takes a prompt apart: who is asked, the sections by heading, the message, the calls so far. */
export function readPrompt(messages: readonly BaseMessage[]): ParsedPrompt {
  const system = messages.find((message) => message.getType() === "system")?.text ?? "";
  const firstUser = messages.findIndex((message) => message.getType() === "human");
  const user = messages[firstUser]?.text ?? "";
  const sections = new Map([...sectionsOf(system), ...sectionsOf(user)]);
  const thread = firstUser === -1 ? [] : messages.slice(firstUser + 1);
  return {
    role: IDENTITIES.find(([sentence]) => sentence.test(system))?.[1] ?? null,
    identity: system.split("\n\n")[0] ?? "",
    preamble: system.split(/^## /m)[0] ?? "",
    section: (heading) => sections.get(heading) ?? "",
    message: unfenced("message", sections.get("Message") ?? ""),
    calls: callsOf(thread).filter(({ result }) => !result.startsWith(SENT_BACK)),
    refused: callsOf(thread).filter(({ result }) => result.startsWith(SENT_BACK)),
    sentBack: sentBackOf(thread),
    thread: messages.slice(Math.max(0, firstUser)).flatMap(turnOf),
  };
}

/** The content of a fence; the text itself where there is none. */
export function unfenced(name: string, text: string): string {
  const start = text.indexOf(`<${name}>\n`);
  const end = text.lastIndexOf(`\n</${name}>`);
  return start === -1 || end < start ? text : text.slice(start + name.length + 3, end);
}

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/**
 * The sections of one message. A heading inside a fence belongs to the data: what people typed
 * cannot open a section.
 */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const opened: string | null = fence === null ? (/^<([a-z_]+)>$/.exec(line)?.[1] ?? null) : null;
    const heading = fence === null ? (/^## (.+)$/.exec(line)?.[1] ?? null) : null;
    if (opened === HISTORY) {
      current = [];
      sections.set(HISTORY, current);
      fence = opened;
    } else if (fence !== null && line === `</${fence}>`) {
      if (fence === HISTORY) current = [];
      else current.push(line);
      fence = null;
    } else if (heading === null) {
      current.push(line);
      fence = opened ?? fence;
    } else {
      current = [];
      sections.set(heading, current);
    }
  }
  return new Map([...sections].map(([heading, lines]) => [heading, lines.join("\n").trim()]));
}

function turnOf(message: BaseMessage): Turn[] {
  const type = message.getType();
  if (type !== "human" && type !== "ai") return [];
  return [{ role: type === "human" ? "user" : "assistant", text: message.text }];
}

function callsOf(thread: readonly BaseMessage[]): PastCall[] {
  const results = new Map(
    thread
      .filter((message): message is ToolMessage => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message.text]),
  );
  return thread
    .filter((message): message is AIMessage => AIMessage.isInstance(message))
    .flatMap((message) => message.tool_calls ?? [])
    .map(({ id, name, args }) => ({ name, args, result: results.get(id ?? "") ?? "" }));
}

const SENT_BACK = "This could not be used: ";

/** The reason why the answer before was refused by code. */
function sentBackOf(thread: readonly BaseMessage[]): string {
  const text = thread.at(-1)?.text ?? "";
  return text.startsWith(SENT_BACK) ? text.slice(SENT_BACK.length) : "";
}

/** What the person said before this message. */
export function lastUserMessage(recentTurns: string): string {
  const said = linesOf(recentTurns).filter((line) => line.startsWith("User: "));
  return said.at(-1)?.slice("User: ".length) ?? "";
}
