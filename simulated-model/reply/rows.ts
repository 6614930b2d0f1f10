import { readLabel, type ShownRow } from "../prompt/read-entities.ts";

/** A cell longer than this is a text of its own. */
const SHORT = 60;

/** Rows as a numbered list, or by place where all of a table have one. */
export function listRows(rows: readonly ShownRow[]): string {
  return [...Map.groupBy(rows, ({ table }) => table).values()].map(listTable).join("\n\n");
}

function listTable(rows: readonly ShownRow[]): string {
  const byPlace = rows.every(({ cells }) => "location" in cells);
  if (!byPlace) return rows.map((row, index) => `${index + 1}. ${describeRow(row)}`).join("\n");
  const groups = [...Map.groupBy(rows, ({ cells }) => cells["location"] ?? "")];
  return groups
    .map(([place, own]) =>
      [`**${capitalise(place)}**`, ...own.map((row) => `- ${describeRow(row)}`)].join("\n"),
    )
    .join("\n\n");
}

function describeRow(row: ShownRow): string {
  const cell = (name: string): string => row.cells[name] ?? "";
  const minutes = Number(cell("prep_minutes")) + Number(cell("cook_minutes"));
  const amount = `${cell("quantity")} ${cell("unit")}`.trim();
  const when = [cell("date"), cell("slot"), cell("due_on")].filter((text) => text !== "").join(" ");
  const details = [amount, when, minutes > 0 ? `${minutes} min` : ""].filter((text) => text !== "");
  return details.length === 0 ? readLabel(row) : `${readLabel(row)} (${details.join(", ")})`;
}

function isRef(value: string): boolean {
  return /^(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+(?: \(|$)/.test(value);
}

/** One row in full: its name, its short fields, its lists, its long texts. */
export function showWhole(row: ShownRow): string {
  const label = readLabel(row);
  const cells = Object.entries(row.cells).filter(
    ([, value]) => value !== "" && value !== label && value !== "false" && !isRef(value),
  );
  const fields = cells
    .filter(([, value]) => value.length <= SHORT)
    .map(([name, value]) => `${name.replaceAll("_", " ")}${value === "true" ? "" : ` ${value}`}`);
  const lists = Object.entries(row.lists).map(([name, items]) =>
    [
      `${capitalise(name)}:`,
      ...items.map((item) => `- ${item.replace(/ (?:true|false)$/, "")}`),
    ].join("\n"),
  );
  const long = cells.map(([, value]) => value).filter((value) => value.length > SHORT);
  return [`**${label}**`, capitalise(fields.join(", ")), ...lists, ...long]
    .filter((text) => text !== "")
    .join("\n\n");
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
