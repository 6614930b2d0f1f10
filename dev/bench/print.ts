import { holdsBar, type Bar, type Cell, type ResultTable } from "./measurement.ts";

/** Renders a table as lines of text: figures to the right, texts to the left, notes below. */
export function renderTable({ title, columns, rows, notes, bars = [] }: ResultTable): string {
  const cells = [columns, ...rows.map((row) => row.map(renderCell))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const left = columns.map((_, at) => rows.some((row) => typeof row[at] === "string"));
  const lines = cells.map((row) =>
    row
      .map((cell, at) =>
        left[at] === true ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const [head = "", ...body] = lines;
  const below = [...notes.map((note) => `  * ${note}`), ...bars.map(renderBar)];
  return [title, "", head, rule, ...body, ...below, ""].join("\n");
}

/** Renders "  held: model calls a turn 1.81, at most 2.4". */
function renderBar(bar: Bar): string {
  const word = holdsBar(bar) ? "held" : "NOT HELD";
  return `  ${word}: ${bar.figure} ${renderCell(bar.measured)}, at most ${renderCell(bar.most)}`;
}

/** Renders a figure with three significant digits, or whole with its thousands separated; "–" for none. */
function renderCell(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if (!Number.isFinite(cell)) return String(cell);
  const size = Math.abs(cell);
  if (Number.isInteger(cell) || size >= 100) return separateThousands(Math.round(cell));
  const digits = size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return cell.toFixed(digits);
}

function separateThousands(whole: number): string {
  return String(whole).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
