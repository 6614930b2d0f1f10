import type { Json } from "../../../state/json.ts";
import type { ShownRow } from "../prompt/read-entities.ts";
import type { ShownTable } from "../prompt/read-tables.ts";
import type { MadeUp, MadeUpFields, MadeUpValue } from "../world/world.ts";
import { avoidedBy, type Job } from "./job.ts";

/** A row with the change of the description; null where the world does not know how. */
export function alteredRow(row: ShownRow, job: Job, table: ShownTable): MadeUp | null {
  const draft = rowAsMadeUp(row, table, job);
  return job.world.alter({ draft, change: changeIn(job), avoid: avoidedBy(job) });
}

/** What a step's description asks to be changed. */
export function changeIn({ description }: Job): string {
  return /^Change .*?: (.+)$/.exec(description)?.[1] ?? description;
}

/** Only the fields that change; children are given whole. */
export function changedParts(before: MadeUp, after: MadeUp): MadeUp {
  const fields = Object.entries(after.fields).filter(
    ([name, value]) => JSON.stringify(before.fields[name]) !== JSON.stringify(value),
  );
  return { fields: Object.fromEntries(fields), children: after.children };
}

/** A shown row read back into values: numbers where the columns hold numbers, children field by field. */
export function rowAsMadeUp(row: ShownRow, table: ShownTable, { world }: Job): MadeUp {
  const fields = table.columns.flatMap(({ name, kind }): [string, MadeUpValue][] => {
    const cell = row.cells[name];
    return cell === undefined || cell === "" ? [] : [[name, readCell(cell, kind)]];
  });
  const [list] = table.lists;
  const lines = list === undefined ? [] : (row.lists[list.name] ?? []);
  return {
    fields: Object.fromEntries(fields),
    children:
      list === undefined
        ? null
        : {
            list: list.name,
            rows: lines.map((line) => readChild(line, list.columns, world.units)),
          },
  };
}

function readCell(cell: string, kind: string): MadeUpValue {
  if (kind === "integer" || kind === "number") return Number(cell);
  if (kind === "boolean") return cell === "true";
  return kind === "tags" ? cell.split(", ") : cell;
}

/** "feta 60 g crumbled": name, number, unit and what is left, in the order of the columns. */
function readChild(
  line: string,
  columns: readonly { readonly name: string; readonly kind: string }[],
  units: readonly string[],
): MadeUpFields {
  const [first, ...others] = columns;
  if (first === undefined) return {};
  const bare = line.replace(/ (?:true|false)$/, "");
  const number = others.find(({ kind }) => kind === "number");
  const [, name, amount, rest = ""] = /^(.+?) (\d+(?:\.\d+)?)(?: (.+))?$/.exec(bare) ?? [];
  if (name === undefined || number === undefined) return { [first.name]: bare };
  const texts = others.filter(({ kind }) => kind === "text").map((column) => column.name);
  const [head = "", ...tail] = rest.split(" ");
  const hasUnit = units.includes(head);
  const [unit, note] = texts;
  const remark = (hasUnit ? tail : [head, ...tail]).join(" ").trim();
  return {
    [first.name]: name,
    [number.name]: Number(amount),
    ...(unit !== undefined && hasUnit ? { [unit]: head } : {}),
    ...(note !== undefined && remark !== "" ? { [note]: remark } : {}),
  };
}

/** A draft as it is handed over. */
export interface Draft {
  readonly [key: string]: Json;
  readonly type: string;
  readonly ref: string | null;
  readonly fields: readonly Json[];
  readonly children: readonly Json[] | null;
}

/** A draft with only those columns that the table has. */
export function draftOf(
  made: MadeUp,
  { ref, table }: { readonly ref: string | null; readonly table: ShownTable },
): Draft {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const list = table.lists.find(({ name }) => name === made.children?.list);
  return {
    type: table.type,
    ref,
    fields: fieldList(made.fields, new Set(columns.keys())),
    children:
      made.children === null || list === undefined
        ? null
        : made.children.rows.map((row) => ({
            list: list.name,
            fields: fieldList(row, new Set(list.columns.map(({ name }) => name))),
          })),
  };
}

function fieldList(fields: MadeUpFields, columns: ReadonlySet<string>): Json[] {
  return Object.entries(fields)
    .filter(([name, value]) => columns.has(name) && value !== null)
    .map(([name, value]) => ({ name, value }));
}
