import { mealsDomain } from "../../meals/index.ts";
import { toolSchema } from "../../domain/tool-schema.ts";
import { Toolbox } from "../../domain/toolbox.ts";
import { countTokens } from "../../models/tokens.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { NamedSchema, PromptMessage } from "../../state/model.ts";
import type { RecordedTurn } from "./long-recording.ts";
import { writeOutput, writePrompt, type PaidCall } from "./token-cost.ts";

/** Agents with tools and one list of messages: with all of them, with the latest, or with a summary of the older ones. */
export const RIVALS = ["plain", "trimming", "summarising"] as const;
export type Rival = (typeof RIVALS)[number];

/** Tools of a rival: this project's, typed by each table, or four short ones for rows of any table. */
export type RivalTools = "typed" | "short";

/** A turn of a rival. */
export interface RivalTurn {
  /** Those that ask for tools, the reply's, and in some turns one that folds older messages into the summary. */
  readonly calls: readonly PaidCall[];
  /** Index of the reply's call. */
  readonly reply: number;
}

/** Tokens of messages at which LangChain's documentation begins to summarise; trimming has the same room. */
const MOST_TOKENS = 4_000;
/** Messages that it keeps as they are. */
const KEPT_MESSAGES = 20;
/** Tokens of a summary. */
const SUMMARY_TOKENS = 400;

/**
 * Returns the turns of an agent that holds the same conversation: the same tool calls with the same
 * results, all of a turn at once, and the same replies.
 *
 * In its favour: it never errs, asks by itself before it deletes, names rows by refs, has short tools
 * in place of one typed by each table, writes no column that it leaves empty, folds after the reply,
 * and leaves tool results out of what it folds. Its prompt begins alike from call to call; what is
 * cut or folded is cut to so much less than the room that this seldom happens.
 */
export function playRival(
  rival: Rival,
  turns: readonly RecordedTurn[],
  tools: RivalTools,
): readonly RivalTurn[] {
  const agent = new RivalAgent(rival, writeSystemPrompt(turns, tools), tools);
  return turns.map((turn) => agent.answer(turn));
}

type MadeCall = Pick<RecordedTurn["toolCalls"][number], "callId" | "tool" | "args" | "text">;

const REF = /\b[a-z]+(?:_[a-z]+)*_\d+\b/gu;

class RivalAgent {
  readonly #rival: Rival;
  readonly #system: PromptMessage;
  readonly #tools: readonly NamedSchema[];
  /** The line that was last read of each row. */
  readonly #lines = new Map<string, string>();
  #messages: PromptMessage[] = [];
  #summary = "";

  constructor(rival: Rival, system: string, tools: RivalTools) {
    this.#tools = listTools(tools);
    this.#rival = rival;
    this.#system = { role: "system", text: system };
  }

  answer({ message, reply, toolCalls }: RecordedTurn): RivalTurn {
    const calls: PaidCall[] = [];
    this.#messages.push({ role: "user", text: message });
    const done = toolCalls.filter(({ ok }) => ok);
    for (const round of [this.#listLookUps(done), done]) {
      if (round.length === 0) continue;
      const asked = round.map(({ callId, tool, args }) => ({
        id: callId,
        name: tool,
        args: leaveOutEmpty(args),
        argsError: null,
      }));
      calls.push(this.#call(writeOutput("", asked)));
      this.#messages.push({ role: "assistant", text: "", toolCalls: asked });
      for (const { callId, tool, text } of round)
        this.#messages.push({ role: "tool", callId, name: tool, text });
    }
    for (const { text } of done) for (const line of text.split("\n")) this.#remember(line);
    calls.push(this.#call(reply));
    this.#messages.push({ role: "assistant", text: reply, toolCalls: [] });
    const fold = this.#makeRoom();
    return { calls: fold === null ? calls : [...calls, fold], reply: calls.length - 1 };
  }

  /** The reads for rows that its calls name and its messages no longer show, each with the line that was last read of it. */
  #listLookUps(calls: readonly MadeCall[]): readonly MadeCall[] {
    const shown = [this.#summary, ...this.#messages.map(({ text }) => text)].join("\n");
    const named = calls.flatMap(({ args }) => JSON.stringify(args).match(REF) ?? []);
    return [...new Set(named)]
      .filter((ref) => !new RegExp(`\\b${ref}\\b`, "u").test(shown))
      .map((ref) => ({
        callId: `look_up_${ref}`,
        tool: "read_rows",
        args: { where: [{ column: "name", op: "=", value: ref }] },
        text: this.#lines.get(ref) ?? ref,
      }));
  }

  #remember(line: string): void {
    for (const ref of line.match(REF) ?? []) this.#lines.set(ref, line);
  }

  #call(output: string): PaidCall {
    const summary: PromptMessage[] =
      this.#summary === "" ? [] : [{ role: "user", text: `Before this:\n${this.#summary}` }];
    const messages = [this.#system, ...summary, ...this.#messages];
    return { prompt: writePrompt({ messages, schema: null, tools: this.#tools }), output };
  }

  /** Cuts or folds the older messages where there are too many; returns the call that takes. */
  #makeRoom(): PaidCall | null {
    if (this.#rival === "plain" || countMessages(this.#messages) <= MOST_TOKENS) return null;
    if (this.#rival === "trimming") {
      this.#removeOldest(() => countMessages(this.#messages) > MOST_TOKENS / 2);
      return null;
    }
    const folded = this.#removeOldest(() => this.#messages.length > KEPT_MESSAGES);
    const turns = folded.filter(({ role, text }) => role !== "tool" && text !== "");
    const messages: PromptMessage[] = [
      { role: "system", text: SUMMARISE },
      { role: "user", text: [this.#summary, ...turns.map(writeLine)].join("\n") },
    ];
    this.#summary = summarise(this.#summary, turns);
    return { prompt: writePrompt({ messages, schema: null, tools: [] }), output: this.#summary };
  }

  /** Removes the oldest turns while there are too many. */
  #removeOldest(isTooMuch: () => boolean): PromptMessage[] {
    const removed: PromptMessage[] = [];
    while (isTooMuch()) {
      const next = this.#messages.findIndex(({ role }, index) => index > 0 && role === "user");
      if (next === -1) break;
      removed.push(...this.#messages.splice(0, next));
    }
    return removed;
  }
}

const SUMMARISE =
  "Summarise the conversation for the assistant that goes on with it: what the person asked for, what was done, what holds.";

function writeLine({ role, text }: PromptMessage): string {
  return `${role === "user" ? "Asked" : "Answered"}: ${text}`;
}

/** Stands in for the model that summarises: the latest that fits of what was asked and how answers began, in their own words. */
function summarise(summary: string, texts: readonly PromptMessage[]): string {
  const lines = [
    ...summary.split("\n"),
    ...texts.map((each) => writeLine(each).split("\n")[0] ?? ""),
  ];
  let tokens = 0;
  const first = lines.findLastIndex((line) => (tokens += countTokens(line) + 1) > SUMMARY_TOKENS);
  return lines.slice(first + 1).join("\n");
}

function countMessages(messages: readonly PromptMessage[]): number {
  return messages.reduce(
    (sum, message) =>
      sum +
      countTokens(message.text) +
      (message.role === "assistant" ? countTokens(JSON.stringify(message.toolCalls)) : 0),
    0,
  );
}

/** Sections of this project's prompts that describe the domain and the person. */
const SECTIONS = [
  HEADINGS.houseRules,
  HEADINGS.subdomains,
  HEADINGS.columns,
  HEADINGS.profile,
  HEADINGS.calendar,
] as const;

function writeSystemPrompt(turns: readonly RecordedTurn[], tools: RivalTools): string {
  const texts = turns
    .flatMap(({ calls }) => calls)
    .filter(({ request }) => request.role !== "act")
    .flatMap(({ request }) => request.messages)
    .filter(({ role }) => role !== "assistant")
    .map(({ text }) => text);
  const wanted = SECTIONS.filter((heading) => heading !== HEADINGS.columns || tools === "short");
  const sections = wanted.map((heading) => {
    const found = texts.map((text) => findSection(text, heading)).find((text) => text !== null);
    if (found !== undefined && found !== null) return found;
    throw new Error(`Cannot describe "${heading}" to an agent: no prompt of the conversation does`);
  });
  return [
    `You are ${mealsDomain.persona}. Use the tools; name rows by their refs.`,
    ...sections,
  ].join("\n\n");
}

/** Finds a section with its heading, up to the next heading or delimiter. */
function findSection(text: string, heading: string): string | null {
  const start = `\n${text}`.indexOf(`\n## ${heading}\n\n`);
  if (start === -1) return null;
  const rest = text.slice(start);
  const end = rest.slice(3).search(/\n\n(?=## |<)/u);
  return end === -1 ? rest : rest.slice(0, end + 3);
}

function listTools(tools: RivalTools): readonly NamedSchema[] {
  const toolbox = new Toolbox(mealsDomain);
  if (tools === "typed") return toolbox.tools.map(toolSchema);
  return [
    ...ROW_TOOLS,
    ...toolbox.tools.filter((tool) => !toolbox.isGenerated(tool)).map(toolSchema),
  ];
}

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const VALUES = { type: "object" };

const ROW_TOOLS: readonly NamedSchema[] = [
  describeTool(
    "read_rows",
    "Reads rows of a type: those of the refs, or all that meet the conditions.",
    {
      refs: TEXTS,
      where: {
        type: "array",
        items: { type: "object", properties: { column: TEXT, op: TEXT, value: {} } },
      },
    },
  ),
  describeTool("create_rows", "Creates rows of a type.", {
    rows: { type: "array", items: VALUES },
  }),
  describeTool("update_rows", "Sets columns of rows.", { refs: TEXTS, set: VALUES }),
  describeTool("delete_rows", "Deletes rows.", { refs: TEXTS }),
];

function describeTool(name: string, description: string, properties: JsonObject): NamedSchema {
  const schema = { type: "object", properties: { type: TEXT, ...properties } };
  return { name, description, schema };
}

/** Leaves out what is null or holds nothing: a lenient schema does not ask for it. */
function leaveOutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => leaveOutEmpty(each));
  if (!isJsonObject(value)) return value;
  const filled = Object.entries(value).filter(
    ([, each]) => each !== null && !(Array.isArray(each) && each.length === 0),
  );
  return Object.fromEntries(filled.map(([key, each]) => [key, leaveOutEmpty(each)]));
}
