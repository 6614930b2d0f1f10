import type { AnswerCall } from "../answer.ts";
import type { Clause } from "../language/request.ts";
import { singular, splitWords } from "../language/tokens.ts";
import {
  findChoice,
  findColumn,
  findNameColumn,
  findTable,
  type ShownTable,
} from "../prompt/read-tables.ts";
import { completeStep, type Condition, failStep, readCall } from "./calls.ts";
import type { Job } from "./job.ts";

/** Finds what a read step asks for, in one call. */
export function read({ calls, refs, clauses, words, subdomain, tables }: Job): AnswerCall {
  const table = findTable(subdomain, tables);
  const result = calls.at(-1)?.result;
  if (table === null) return failStep(`There is no table for ${subdomain}.`);
  if (result?.startsWith("Cannot ") === true) return failStep(result);
  if (result !== undefined) return completeStep(result.split("\n")[0] ?? "");
  const [clause] = clauses;
  if (refs.length > 0 || clause === undefined)
    return readCall(table, { refs, whole: refs.length > 0 });
  const { names, uses, kind } = clause;
  const isWhole = names.length > 0 && !uses && subdomain === words.roles.choices;
  return readCall(table, {
    where: findPlace(clause, table),
    anyOf: names.map(({ text }) => findName(text, table, uses)),
    whole: kind === "open" || isWhole,
  });
}

/** The conditions that a row is in the named place, on the named days, at the named time of day. */
export function findPlace({ part, day, slot }: Clause, table: ShownTable): Condition[] {
  const date = findColumn(table, "date");
  const choices = [part?.value ?? null, slot].flatMap((value) => {
    const column = findChoice(table, value);
    return column === null ? [] : [{ column, op: "=", value }];
  });
  if (date === null || day === null) return choices;
  return [
    ...choices,
    { column: date, op: ">=", value: day.first },
    { column: date, op: "<=", value: day.last },
  ];
}

/** The condition that a row's name, or the names of what it is made with, hold a name in any number. */
export function findName(name: string, table: ShownTable, uses = false): Condition {
  const [list] = uses ? table.lists : [];
  const words = splitWords(name);
  const stem = singular(words.at(-1) ?? "").replace(/(?<=.{3})y$/, "");
  const column =
    list?.columns[0] === undefined ? findNameColumn(table) : `${list.name}.${list.columns[0].name}`;
  return { column, op: "ilike", value: [...words.slice(0, -1), stem].join(" ") };
}
