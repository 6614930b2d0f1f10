import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { AnswerCall } from "../answer.ts";
import type { Clause } from "../language/request.ts";
import { singular } from "../language/tokens.ts";
import {
  findChoice,
  findColumn,
  findNameColumns,
  findTable,
  type ShownTable,
} from "../prompt/read-tables.ts";
import {
  cannotDo,
  completeStep,
  type FilterCondition,
  createFailStepCall,
  type ReadFilter,
  readCall,
} from "./calls.ts";
import { isWholeLabel } from "../understand/match-things.ts";
import type { Job } from "./job.ts";

/** Finds what a read step asks for, in one call. */
export function read(job: Job): AnswerCall {
  const { calls, refs, clauses, words, subdomain, tables } = job;
  const table = findTable(subdomain, tables);
  const result = calls.at(-1)?.result;
  if (table === null) return createFailStepCall(`There is no table for ${subdomain}.`);
  if (result?.startsWith("Cannot ") === true) return createFailStepCall(cannotDo(job));
  if (result !== undefined) return completeStep(result.split("\n")[0] ?? "");
  const [clause] = clauses;
  if (refs.length > 0 || clause === undefined)
    return readCall(table, { refs, whole: refs.length > 0 });
  return readCall(table, boundRead(clause, table, { words, subdomain }));
}

/** Returns the bounds of a read that shows what a clause asks to see. */
export function boundRead(
  clause: Clause,
  table: ShownTable,
  { words, subdomain }: Pick<Job, "words" | "subdomain">,
): Required<Pick<ReadFilter, "where" | "anyOf" | "whole" | "every">> {
  const { names, uses, kind } = clause;
  // Of a kind, and of what is tagged, there are many.
  const { trait: traits = [] } = words.verbs;
  const isChoice = kind === "open" || subdomain === words.roles.choices;
  return {
    where: findPlace(clause, table),
    anyOf: names.flatMap(({ text }) => {
      const all = [text, ...listKind(text, words)];
      return isChoice
        ? findChoices(all, table, uses)
        : all.flatMap((name) => findName(name, table));
    }),
    every: names.length === 1 && findNameColumns(table).length > 1,
    whole:
      isChoice &&
      names.some(({ text }) => listKind(text, words).length === 0 && !traits.includes(text)) &&
      !uses,
  };
}

/** The conditions that a row is in the named place, on the named days, at the named time of day. */
export function findPlace({ part, day, slot }: Clause, table: ShownTable): FilterCondition[] {
  const date = findColumn(table, "date");
  const choices = [part?.value ?? null, slot].flatMap((value) => {
    const column = findChoice(table, value);
    return column === null ? [] : [{ column, op: "=" as const, value }];
  });
  if (date === null || day === null) return choices;
  return [
    ...choices,
    { column: date, op: ">=", value: day.first },
    { column: date, op: "<=", value: day.last },
  ];
}

/** The conditions one of which holds where a row's name holds a name in any number; of a name in several columns, that one holds a word of it. */
export function findName(name: string, table: ShownTable): FilterCondition[] {
  const columns = findNameColumns(table);
  const texts = columns.length > 1 ? splitLoosely(name) : [name];
  return columns.flatMap((column) =>
    texts.map((text) => ({ column, op: "ilike" as const, value: searchText(text) })),
  );
}

/** The conditions that a choice is called so, is tagged so, or is made with what a kind stands for. */
function findChoices(
  [name = "", ...kind]: readonly string[],
  table: ShownTable,
  uses: boolean,
): FilterCondition[] {
  const [list] = table.lists;
  const [child] = list?.columns ?? [];
  const tags = findColumn(table, "tags");
  const column = list === undefined || child === undefined ? null : `${list.name}.${child.name}`;
  const made = uses || kind.length > 0 ? [name, ...kind] : [];
  const contains = { op: "contains", value: name.toLowerCase() } as const;
  return [
    ...(uses ? [] : findName(name, table)),
    ...(tags === null ? [] : [{ column: tags, ...contains }]),
    ...(column === null
      ? []
      : made.map((each) => ({ column, op: "ilike" as const, value: searchText(each) }))),
  ];
}

/** Members of a kind; empty for a name that is none. */
function listKind(name: string, { kinds }: SimulatedWords): readonly string[] {
  return Object.entries(kinds).find(([kind]) => isWholeLabel(kind, name))?.[1] ?? [];
}

/** The letters of a name as they can stand in any spelling: "o", "reilly". */
function splitLoosely(name: string): readonly string[] {
  return name
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== "");
}

/** The parts of a name that its spellings share: singular and plural, with and without a hyphen or an apostrophe. */
function searchText(name: string): string {
  const stems = splitLoosely(name).map((word) => singular(word).replace(/(?<=.{3})y$/, ""));
  return stems.length > 1 ? `%${stems.join("%")}%` : stems.join("");
}
