import type { Column, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { Registry } from "../../state/registry.ts";
import { writeMoments } from "./expected-words.ts";
import { toText } from "./made-up-domain.ts";
import type { RawRow } from "./memory-tables.ts";

type RawRows = ReadonlyMap<string, RawRow>;

/** The rows of a person before a turn and after it. */
export interface RowsOfTurn {
  readonly rows: readonly [before: RawRows, after: RawRows];
  readonly types: readonly EntityType[];
  readonly timeZone: string;
}

/** Returns the words that a receipt has to have for each updated row, by its ref: what was there and what is there now. */
export function expectUpdates(
  { entries }: Pick<Registry, "entries">,
  { rows: [before, after], types, timeZone }: RowsOfTurn,
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { ref, id } of entries) {
    const [was, is] = [before.get(id ?? ""), after.get(id ?? "")];
    const type = types.find((one) => one.type === is?.type);
    if (was === undefined || is === undefined || type === undefined || was.text === is.text)
      continue;
    const labels = new Map([...before, ...after].map(([key, row]) => [key, row.label]));
    words.set(ref, writeUpdate(type, [parse(was.text), parse(is.text)], { labels, timeZone }));
  }
  return words;
}

/** Returns the columns of each new row whose values a message does not have, by its ref. */
export function expectUnnamed(
  { entries }: Pick<Registry, "entries">,
  { rows: [before, after], types }: RowsOfTurn,
  message: string,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entries.flatMap(({ ref, id }): [string, readonly string[]][] => {
      const row = after.get(id ?? "");
      const type = types.find((one) => one.type === row?.type);
      if (row === undefined || type === undefined || before.has(id ?? "")) return [];
      const values = parse(row.text);
      const names = type.columns
        .filter(({ name, references }) => name !== "name" && references === undefined)
        .filter(
          ({ name }) => toText(values[name]) !== "" && !message.includes(toText(values[name])),
        )
        .map(({ name }) => name);
      return [[ref, names]];
    }),
  );
}

interface Wording {
  readonly labels: ReadonlyMap<string, string>;
  readonly timeZone: string;
}

function writeUpdate(
  { columns }: EntityType,
  [was, is]: readonly [JsonObject, JsonObject],
  wording: Wording,
): string {
  const differs = ({ name }: Column): boolean => toText(was[name]) !== toText(is[name]);
  const changed = columns.filter(differs);
  const others = changed.filter(({ name }) => name !== "name");
  const [only] = changed;
  const amounts = columns.filter(({ kind }) => kind === "integer" || kind === "number");
  const isAlone = changed.length === 1 && amounts.length === 1 && only === amounts[0];
  const parts = others.map((column) => {
    const bounds = [was, is].map((row) => writeValue(row[column.name] ?? null, column, wording));
    const name = column.name.replace(/_id$/u, "").split("_").join(" ");
    return `${isAlone ? "" : `${name}: `}${bounds.join(" → ")}`;
  });
  const label = others.length < changed.length ? [`was ${cut(toText(was["name"]))}`] : [];
  return [...label, ...parts].join(", ");
}

function writeValue(
  value: Json,
  { references, kind }: Column,
  { labels, timeZone }: Wording,
): string {
  if (value === null || toText(value) === "") return "none";
  if (references !== undefined) return labels.get(toText(value)) ?? references;
  if (kind === "date") return writeDay(toText(value));
  return kind === "timestamp" ? writeMoments(toText(value), timeZone) : cut(toText(value));
}

/** Writes a day as a question and a receipt have it; nothing for none. */
export function writeDay(text: string): string {
  if (text === "") return "";
  const [weekday, day, month, year] = new Date(text).toUTCString().split(/,? /u);
  return `${weekday} ${Number(day)} ${month} ${year}`;
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > 40 ? `${letters.slice(0, 40).join("")}…` : text;
}

function parse(text: string): JsonObject {
  const row: JsonObject = JSON.parse(text);
  return row;
}
