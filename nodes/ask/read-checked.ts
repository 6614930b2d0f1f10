import type { z } from "zod";
import type { ShownIds } from "../../state/ids.ts";
import type { ModelAnswer, NamedSchema, ToolCall } from "../../state/model.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import { checkIds, dropIds } from "./answer-ids.ts";

/** The schema of a node's structured answer, made once: it is the same in every call. */
export interface AnswerSchema<T> {
  readonly named: NamedSchema;
  readonly parse: (value: unknown) => z.ZodSafeParseResult<T>;
}

/** Makes the constant answer schema of a node. */
export function answerSchema<T>(
  name: string,
  description: string,
  schema: z.ZodType<T>,
): AnswerSchema<T> {
  return {
    named: nameSchema(name, { description, schema }),
    parse: (value) => schema.safeParse(value),
  };
}

/** An answer that was read: its value, or what is wrong with it. */
export type CheckedAnswer<T> =
  | { readonly kind: "value"; readonly value: T }
  | {
      readonly kind: "problems";
      readonly problems: readonly string[];
      /** The usable part of an answer that stays wrong; absent where there is none. */
      readonly usable?: T;
    };

/** Checks of a structured answer. */
export interface AnswerChecks<T> {
  readonly schema: AnswerSchema<T>;
  readonly check: (value: T) => readonly string[];
  /** `value` is the answer without the ids that are not shown, `given` has them. */
  readonly salvage?: (value: T, given: T) => T | null;
}

/** Reads a structured answer against the ids that the prompt shows. */
export function readStructured<T>(
  answer: ModelAnswer,
  ask: AnswerChecks<T>,
  ids: ShownIds,
): CheckedAnswer<T> {
  if (answer.json === undefined) {
    // An example of the prompt is none either.
    const none = answer.text.includes("{")
      ? "it held no whole answer of its own"
      : "it was not JSON";
    return { kind: "problems", problems: [none] };
  }
  const given = ask.schema.parse(answer.json);
  if (!given.success) {
    const problems = given.error.issues.map(
      (issue) => `${issue.path.join(".") || "answer"}: ${issue.message}`,
    );
    return { kind: "problems", problems };
  }
  const unknown = checkIds(answer.json, ask.schema.named, ids);
  const problems = [...unknown.map(({ problem }) => problem), ...ask.check(given.data)];
  const kept = ask.schema.parse(dropIds(answer.json, unknown));
  const usable = kept.success ? ask.salvage?.(kept.data, given.data) : null;
  return toReading(given.data, problems, usable);
}

/** Checks of tool calls. */
export interface CallChecks {
  readonly tools: readonly NamedSchema[];
  /** Selects the calls that count; the ids of others are not checked. */
  readonly select: (calls: readonly ToolCall[]) => readonly ToolCall[];
  readonly check: (calls: readonly ToolCall[]) => readonly string[];
  /** The calls come without the ids that are not shown. */
  readonly salvage?: (calls: readonly ToolCall[]) => readonly ToolCall[] | null;
}

/** Reads tool calls against the ids that the prompt shows. */
export function readToolCalls(
  calls: readonly ToolCall[],
  { tools, ...ask }: CallChecks,
  ids: ShownIds,
): CheckedAnswer<readonly ToolCall[]> {
  const selected = new Set(ask.select(calls));
  const checked = calls.map((call) => {
    const tool = selected.has(call) ? tools.find(({ name }) => name === call.name) : undefined;
    return { call, unknown: tool === undefined ? [] : checkIds(call.args, tool, ids) };
  });
  const unknown = checked.flatMap(({ call, unknown }) =>
    unknown.map(({ problem }) => `${call.name}: ${problem}`),
  );
  const kept = checked.map(({ call, unknown }) => dropUnknown(call, unknown));
  return toReading(calls, [...unknown, ...ask.check(calls)], ask.salvage?.(kept));
}

function dropUnknown(call: ToolCall, unknown: Parameters<typeof dropIds>[1]): ToolCall {
  return unknown.length === 0 ? call : { ...call, args: dropIds(call.args, unknown) };
}

/** A value without problems; else the problems, with the part that can be used all the same. */
export function toReading<T>(
  value: T,
  problems: readonly string[],
  usable: T | null = null,
): CheckedAnswer<T> {
  if (problems.length === 0) return { kind: "value", value };
  return { kind: "problems", problems, ...(usable === null ? {} : { usable }) };
}
