import type { RecordedTurn } from "../conversation/record-conversation.ts";
import type { Json, JsonObject } from "../../../state/json.ts";
import { JsonObjectSchema } from "../../../state/json.ts";

/** A tool call that an agent makes, with what comes back. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly result: string;
}

/** What an agent does with a message: calls in rounds, then the reply. */
export interface ScriptedTurn {
  readonly turn: number;
  readonly message: string;
  readonly rounds: readonly (readonly ScriptedCall[])[];
  readonly reply: string;
}

/**
 * What one agent does to say the same and to do the same: the reads and writes of each turn with
 * the same results, as many at once as were made at once, and the same reply. Only calls of the
 * tools that are named count; what plans, judges or recalls is this project's own.
 *
 * An agent keeps no drafts: to save one it gives all of its content.
 */
export function scriptOf(
  turns: readonly RecordedTurn[],
  toolNames: ReadonlySet<string>,
): readonly ScriptedTurn[] {
  let drafts: ReadonlyMap<string, JsonObject> = new Map();
  return turns.map((recorded) => {
    const { turn, message, reply } = recorded;
    // A draft that is saved in this turn was there before it, or is there no longer.
    const known = new Map([...drafts, ...recorded.drafts]);
    drafts = recorded.drafts;
    const rounds = roundsOf(recorded, toolNames).map((calls, round) =>
      calls.map((call, index): ScriptedCall => ({
        id: `call_${turn}_${round + 1}_${index + 1}`,
        name: call.name,
        args: withContent(call.args, known),
        result: call.result,
      })),
    );
    return { turn, message, rounds, reply };
  });
}

function roundsOf(
  { calls, results }: RecordedTurn,
  toolNames: ReadonlySet<string>,
): readonly (readonly Omit<ScriptedCall, "id">[])[] {
  const waiting = [...results];
  const rounds = new Map<number, Omit<ScriptedCall, "id">[]>();
  for (const { node, round, answer } of calls) {
    if (node !== "act") continue;
    for (const { name, args } of answer.toolCalls) {
      if (!toolNames.has(name)) continue;
      const at = waiting.findIndex(
        (result) => result.tool === name && JSON.stringify(result.args) === JSON.stringify(args),
      );
      // A call that was asked for twice at once was made once.
      if (at === -1) continue;
      const [result] = waiting.splice(at, 1);
      const call = { name, args: JsonObjectSchema.parse(args), result: result?.text ?? "" };
      rounds.set(round, [...(rounds.get(round) ?? []), call]);
    }
  }
  return [...rounds.values()];
}

/** Names of drafts become rows with all their columns. */
function withContent(args: JsonObject, drafts: ReadonlyMap<string, JsonObject>): JsonObject {
  const named = args["drafts"];
  if (!Array.isArray(named) || named.length === 0) return args;
  const rows = named.map((ref) => rowOf(drafts.get(String(ref)) ?? {}));
  const given = args["rows"];
  return { ...args, rows: [...(Array.isArray(given) ? given : []), ...rows], drafts: [] };
}

function rowOf(content: JsonObject): JsonObject {
  const columns = Object.entries(content);
  return {
    fields: columns
      .filter(([, value]) => !isList(value))
      .map(([name, value]) => ({ name, value: value ?? null })),
    children: columns.flatMap(([list, items]) =>
      isList(items) ? items.map((item) => ({ list, fields: fieldsOf(item) })) : [],
    ),
  };
}

/** Whether a column holds child rows, not plain values. */
function isList(value: Json | undefined): value is Json[] {
  return Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null);
}

function fieldsOf(item: Json): Json {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return [];
  return Object.entries(item).map(([name, value]) => ({ name, value: value ?? null }));
}
