import type { Json } from "../../../state/json.ts";
import type { AnswerCall } from "../answer.ts";
import { withoutDays } from "../language/calendar.ts";
import { stem } from "../language/stem.ts";
import { indexOfWords, joinWords, stems, tidyWords } from "../language/words.ts";
import { paleWords } from "../language/world-words.ts";
import { readRows, type ShownRow } from "../prompt/read-entities.ts";
import type { PastCall } from "../prompt/read-prompt.ts";
import { nameColumn, type ShownTable, tableOf } from "../prompt/read-tables.ts";
import { call, collect, markDone, move, schedule } from "./calls.ts";
import { askUser, fail } from "./ends.ts";
import type { Job } from "./job.ts";
import { conditionsIn, readCall } from "./read.ts";

const NAMED = /^(Delete from \w*|Mark as done|Put on the plan|Move|Build the list for): (.+)$/;

/** What is done with one of a domain's choices, such as its recipes. */
const CHOOSING: ReadonlySet<string> = new Set(["Put on the plan", "Build the list for"]);

/** A thing that is only named is looked for first; null where the step names none. */
export function lookupOf(job: Job, table: ShownTable): AnswerCall | null {
  const [, lead = "", phrase = ""] = NAMED.exec(job.description) ?? [];
  if (lead === "") return null;
  if (CHOOSING.has(lead)) {
    const choices = tableOf(job.world.parts.choices, job.tables);
    return choices === null ? null : readCall(choices, {});
  }
  const where = lead.startsWith("Delete") ? conditionsIn(phrase, table, job) : [];
  if (where.length > 0 || lead === "Move") return readCall(table, { where });
  const [noun = phrase] = stems(phrase).toSorted((a, b) => b.length - a.length);
  return readCall(table, { where: [{ column: nameColumn(table), op: "ilike", value: noun }] });
}

/** What follows once a thing that was only named has been looked for. */
export function afterLookup(job: Job, table: ShownTable, last: PastCall): AnswerCall[] {
  const rows = readRows(last.result);
  const { description } = job;
  const listed = /^Add (?!to )(.+) to the (\w+)$/.exec(description);
  if (listed !== null) return [addToList(listed, rows, table)];
  const [, lead = "", phrase = ""] = NAMED.exec(description) ?? [];
  const found = namesNothing(phrase, job) ? rows : matching(phrase, rows);
  if (found.length === 0) {
    return [fail(missing(phrase, { isChoice: CHOOSING.has(lead), isEmpty: rows.length === 0 }))];
  }
  if (found.length > 1) {
    const names = joinWords(found.map(labelOf));
    return [askUser(`There are several: ${names}.`, "Which one do you mean?")];
  }
  const chosen = found.map(({ ref }) => ref);
  if (lead === "Mark as done") return [markDone(chosen, table)];
  if (lead === "Put on the plan") return [schedule(chosen, job, table)];
  if (lead === "Move") return [move(chosen, job, table)];
  if (lead === "Build the list for") return [collect(phrase, { ...job, refs: chosen })];
  return [call("db_delete", { table: table.table, refs: chosen, where: [], all: null })];
}

/** A choice is looked for among all there are, anything else by its name. */
function missing(
  phrase: string,
  { isChoice, isEmpty }: { readonly isChoice: boolean; readonly isEmpty: boolean },
): string {
  if (!isEmpty) return `Nothing there is called "${phrase}"`;
  return isChoice ? `There is nothing to choose from yet for "${phrase}"` : `There is no ${phrase}`;
}

/** "thursday's dinner" says where something stands and not what it is called. */
function namesNothing(phrase: string, { world }: Job): boolean {
  const asking =
    "delete remove cancel take out off get rid of drop the my our a an from on for in please";
  const pale = new Set(paleWords(world).map(stem));
  const words = tidyWords(withoutDays(phrase), asking).split(" ");
  return words.every((word) => word === "" || pale.has(stem(word)));
}

/** Rows whose whole name stands in the words, else rows that share a word with them. */
function matching(name: string, rows: readonly ShownRow[]): ShownRow[] {
  const words = stems(name);
  const whole = rows.filter((row) => indexOfWords(words, stems(labelOf(row))) !== -1);
  if (whole.length > 0) return whole;
  return rows.filter((row) =>
    stems(labelOf(row)).some((word) => word.length > 2 && words.includes(word)),
  );
}

function labelOf({ cells, ref }: ShownRow): string {
  return cells["name"] ?? cells["title"] ?? ref;
}

/** One value more in a list column of the only row; a row is made where there is none. */
function addToList(
  listed: RegExpExecArray,
  rows: readonly ShownRow[],
  table: ShownTable,
): AnswerCall {
  const [, value = "", column = ""] = listed;
  const [row] = rows;
  const before = (row?.cells[column] ?? "").split(", ").filter((item) => item !== "");
  const fields: Json = [{ name: column, value: [...new Set([...before, value])] }];
  if (row === undefined) {
    return call("db_create", {
      table: table.table,
      rows: [{ fields, children: [] }],
      drafts: null,
    });
  }
  return call("db_update", { table: table.table, refs: [row.ref], fields, children: null });
}
