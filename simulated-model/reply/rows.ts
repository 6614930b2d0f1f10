import { nameInWords } from "../../text/blot-machinery.ts";
import { joinParagraphs, lowerFirst, upperFirst } from "../phrase.ts";
import { isRef, withLabels } from "../prompt/read-entities.ts";
import type { ShownRow } from "../prompt/read-rows.ts";
import { selectNames } from "../prompt/read-tables.ts";

/** A cell longer than this is a text of its own. */
const SHORT = 60;

/** Rows as one numbered list, so that "the third one" counts as it reads; what is somewhere by place, under a heading what is not. */
export function listRows(rows: readonly ShownRow[], heading?: string): string {
  const placed = rows.filter(({ cells }) => "location" in cells);
  const others = rows.filter((row) => !placed.includes(row));
  const title = heading === undefined || others.length === 0 ? [] : [`**${upperFirst(heading)}**`];
  const list = title.concat(others.map((row, index) => `${index + 1}. ${describeRow(row)}`));
  const places = Map.groupBy(placed, ({ cells }) => cells["location"] ?? "");
  const groups = [...places].map(([place, own]) =>
    [`**${upperFirst(place)}**`].concat(own.map((row) => `- ${describeRow(row)}`)),
  );
  return joinParagraphs([list, ...groups].map((lines) => lines.join("\n")));
}

function describeRow(row: ShownRow): string {
  const cell = (name: string): string => row.cells[name] ?? "";
  const minutes = readMinutes(row);
  const amount = `${cell("quantity")} ${cell("unit")}`.trim();
  const when = [cell("date"), cell("slot"), cell("due_on")].filter((text) => text !== "").join(" ");
  const fields = Object.entries(row.cells).filter(([, value]) => value !== "");
  const names = selectNames(Object.keys(row.cells));
  const others = fields.filter(([name]) => !names.includes(name)).flatMap(describeField);
  if (names.length === 0) return others.join(", ");
  const allergies = cell("allergies") === "" ? "" : `allergic to ${cell("allergies")}`;
  const time = minutes > 0 ? `${minutes} min` : "";
  const marks = fields.flatMap(([name, value]) => (value === "true" ? name : []));
  const until = cell("expires_on") === "" ? "" : `, until ${cell("expires_on")}`;
  const known = [amount, when, time, allergies, ...marks].filter((text) => text !== "");
  const details = /^(?:name|title)$/.test(names[0] ?? "") ? known : others;
  const all = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${row.label}${all}${details === known ? until : ""}`;
}

/** The minutes that a row takes; 0 where it does not say. */
export function readMinutes({ cells }: ShownRow): number {
  return Number(cells["prep_minutes"] ?? "") + Number(cells["cook_minutes"] ?? "");
}

/** A field with its name; one that only holds a ref means nothing to a person. */
function describeField([name, value]: readonly [string, string]): string[] {
  const text = withLabels(value);
  return text === "" ? [] : [`${lowerFirst(nameInWords(name))} ${text}`];
}

/** One row in full: its name, its short fields, its lists, its long texts. */
export function showWhole(row: ShownRow): string {
  const label = row.label;
  const names = selectNames(Object.keys(row.cells)).map((name) => row.cells[name]);
  const known = new Set(["", "false", label, ...names]);
  const cells = Object.entries(row.cells).filter(([, value]) => !known.has(value) && !isRef(value));
  const fields = cells
    .filter(([, value]) => value.length <= SHORT)
    .map(
      ([name, value]) => `${lowerFirst(nameInWords(name))}${value === "true" ? "" : ` ${value}`}`,
    );
  const lists = Object.entries(row.lists).map(([name, items]) =>
    [
      `${upperFirst(name)}:`,
      ...items.map((item) => `- ${item.replace(/ (?:true|false)$/, "")}`),
    ].join("\n"),
  );
  const long = cells.map(([, value]) => value).filter((value) => value.length > SHORT);
  return joinParagraphs([`**${label}**`, upperFirst(fields.join(", ")), ...lists, ...long]);
}
