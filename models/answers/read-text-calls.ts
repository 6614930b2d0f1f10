import { isJsonObject, type Json } from "../../state/json.ts";
import type { NamedSchema, ToolCall } from "../../state/model.ts";
import { listJson, readLooseObject } from "./find-json.ts";
import { splitThinking } from "./split-thinking.ts";

const TAGGED = /<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/giu;
const FENCED = /```[^\n`]*\n([\s\S]*?)```/gu;

/**
 * Reads the tool calls that a model wrote into its text (models.md §1, "Normalisation"): in
 * `<tool_call>` tags, or `{ "name", "arguments" }` ("parameters" too), fenced or bare, one or a list.
 * Only what names an offered tool and has an object as its arguments, or the JSON text of one, is a
 * call; everything else is text. Ids count from `call_1`. Pure and total.
 */
export function readTextCalls(text: string, tools: readonly NamedSchema[]): readonly ToolCall[] {
  const { rest } = splitThinking(text);
  const offered = new Set(tools.map(({ name }) => name));
  // Of several objects among words nobody knows which are meant.
  const bare = listJson(rest).length === 1 ? [rest] : [];
  const places = [listContents(rest, TAGGED), listContents(rest, FENCED), bare];
  // A tag within a text of the arguments holds no call: its quotes are escaped.
  const found = places
    .map((contents) => readCalls(contents, offered))
    .find(({ length }) => length > 0);
  return (found ?? []).map(({ name, args }, at) => ({
    id: `call_${at + 1}`,
    name,
    args,
    argsError: null,
  }));
}

function listContents(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, content = ""]) => content);
}

type NamedCall = Pick<ToolCall, "name" | "args">;

function readCalls(texts: readonly string[], offered: ReadonlySet<string>): readonly NamedCall[] {
  return texts
    .flatMap((text) => listJson(text).map(({ value }) => value))
    .flatMap((value) => (Array.isArray(value) ? value.map((each: Json) => each) : [value]))
    .flatMap((value) => readCall(value, offered) ?? []);
}

function readCall(value: Json, offered: ReadonlySet<string>): NamedCall | null {
  if (!isJsonObject(value)) return null;
  const { name, arguments: given = value["parameters"] } = value;
  if (typeof name !== "string" || !offered.has(name)) return null;
  const args = typeof given === "string" ? readLooseObject(given) : given;
  return isJsonObject(args) ? { name, args } : null;
}
