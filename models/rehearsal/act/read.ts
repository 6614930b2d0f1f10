import type { Json } from "../../../state/json.ts";
import type { AnswerCall } from "../answer.ts";
import { datesIn } from "../language/calendar.ts";
import { columnOfKind, nameColumn, type ShownTable, tableOf } from "../prompt/read-tables.ts";
import { complete, fail } from "./ends.ts";
import { choiceIn } from "./items.ts";
import type { Job } from "./job.ts";

/** One condition of a filter. */
interface Condition {
  readonly [key: string]: Json;
  readonly column: string;
  readonly op: string;
  readonly value: string | readonly string[] | null;
}

/** Finds what a read step asks for: one call, and a plainer one where that was refused. */
export function read(job: Job): AnswerCall {
  const { table, calls } = job;
  if (table === null) return fail(`There is no table for ${job.subdomain}`);
  const last = calls.at(-1);
  if (last === undefined) return firstRead(job, table);
  if (!last.result.startsWith("Cannot ")) {
    return complete({ summary: last.result.split("\n")[0] ?? "Found nothing" });
  }
  return calls.length > 1 ? fail(last.result) : readCall(table, {});
}

function firstRead(job: Job, table: ShownTable): AnswerCall {
  const { description, refs } = job;
  if (refs.length > 0) return readCall(table, { refs, columns: ["*"] });
  if (description.startsWith("Find ")) return find(description, job, table);
  const phrase = /^Look at \w+: (.*)$/.exec(description)?.[1];
  return readCall(table, {
    where: phrase === undefined ? [] : conditionsIn(phrase, table, job),
  });
}

/** "Find recipes that are quick and use eggs or rice and take at most 30 minutes", "Find inventory called eggs". */
function find(description: string, job: Job, table: ShownTable): AnswerCall {
  const { world, tools } = job;
  const listed = (pattern: RegExp, by: string): string[] =>
    pattern.exec(description)?.[1]?.split(by) ?? [];
  const name = / called (.+)$/.exec(description)?.[1] ?? null;
  const wanted = {
    name,
    tags: listed(/ that are (.+?)(?: and (?:use|take) |$)/, " and "),
    terms: listed(/ use (.+?)(?: and take |$)/, " or "),
    minutes: Number(/ take at most (\d+) minutes/.exec(description)?.[1] ?? Number.NaN),
  };
  const minutes = Number.isNaN(wanted.minutes) ? null : wanted.minutes;
  const call =
    tableOf(world.parts.choices, job.tables) === table ? world.find({ ...wanted, minutes }) : null;
  return call !== null && tools.has(call.name) ? call : findByTable(table, wanted);
}

/** Any of the words, in the names of the first list of children, else in the name. */
function findByTable(
  table: ShownTable,
  wanted: {
    readonly terms: readonly string[];
    readonly tags: readonly string[];
    readonly name: string | null;
  },
): AnswerCall {
  const { terms, tags, name } = wanted;
  const [list] = table.lists;
  const child = list?.columns[0];
  const column =
    list === undefined || child === undefined ? nameColumn(table) : `${list.name}.${child.name}`;
  if (name !== null) {
    return readCall(table, {
      where: [{ column: nameColumn(table), op: "ilike", value: beginningOf(name) }],
    });
  }
  const any = terms.map((term) => ({ column, op: "ilike", value: beginningOf(term) }));
  const tagged = columnOfKind(table, "tags");
  const where =
    tagged === null ? [] : tags.map((tag) => ({ column: tagged.name, op: "contains", value: tag }));
  return readCall(table, { where, anyOf: any.length === 0 ? [] : [any] });
}

/** "berries" is also found as "berry". */
function beginningOf(term: string): string {
  return term.replace(/(?:ies|y|es|s)$/, "") || term;
}

/** What a look names: a place, days, a time of day. */
export function conditionsIn(phrase: string, table: ShownTable, job: Job): Condition[] {
  const chosen = table.columns
    .filter(({ kind }) => kind === "choice")
    .flatMap(({ name, values }): Condition[] => {
      const value = choiceIn(phrase, values, job.world);
      return value === null ? [] : [{ column: name, op: "=", value }];
    });
  const date = columnOfKind(table, "date");
  const days = datesIn(phrase, job.calendar);
  const [first] = days;
  const last = days.at(-1);
  if (date === null || first === undefined || last === undefined) return chosen;
  if (days.length === 1) return [...chosen, { column: date.name, op: "=", value: first }];
  return [
    ...chosen,
    { column: date.name, op: ">=", value: first },
    { column: date.name, op: "<=", value: last },
  ];
}

/** A call of `db_read`; what is left out is everything. */
export function readCall(
  table: ShownTable,
  rest: {
    readonly refs?: readonly string[];
    readonly where?: readonly Condition[];
    readonly anyOf?: readonly (readonly Condition[])[];
    readonly columns?: readonly string[];
  },
): AnswerCall {
  const { refs, where = [], anyOf = [], columns } = rest;
  return {
    name: "db_read",
    args: {
      table: table.table,
      refs: refs ?? null,
      where,
      anyOf,
      columns: columns ?? null,
      orderBy: null,
      limit: null,
    },
  };
}
