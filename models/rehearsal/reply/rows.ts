import { capital } from "../language/words.ts";
import type { ShownRow } from "../prompt/read-entities.ts";
import { readProfile } from "../prompt/read-profile.ts";
import type { World } from "../world/world.ts";
import { outcomeText } from "./plain.ts";
import type { Telling } from "./telling.ts";

/** The rows that were asked for: drafts in full, everything else as a list. */
export function rowsText(telling: Telling): string {
  const { rows, goal, outcomes, more } = telling;
  const whole = rows.filter(({ table }) => table === null);
  const saved = whole.filter(({ draft }) => !draft);
  const listed = rows.filter(({ table }) => table !== null);
  const draws = goal.startsWith("Show a draft") || goal.endsWith("as it is now");
  const asksWhole =
    whole.length > 0 &&
    (goal.includes("draft") ||
      /\b(?:again|as it is now)$/.test(goal) ||
      /^Show [^:]+ \(/.test(goal));
  const parts = [
    asksWhole ? wholeTexts(whole, telling) : "",
    listed.length > 0 && !(asksWhole && draws)
      ? `${leadText(telling)}\n${listText({ ...telling, rows: listed })}`
      : "",
    !asksWhole && saved.length > 0 ? listText({ ...telling, rows: saved }) : "",
    more > 0 && !draws ? `${more} more are not shown here.` : "",
  ];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? outcomeText(outcomes) : text;
}

function leadText({ goal, rows, flow, outcomes }: Telling): string {
  const count = rows.filter(({ table }) => table !== null).length;
  if (goal.startsWith("Show the options that remain") || flow.excluded.length > 0) {
    return `${count === 1 ? "This is" : "These are"} left to choose from:`;
  }
  if (goal.startsWith("Show what there is to choose from")) {
    const judged = outcomes
      .map((line) => /: (\d+ [\w ]+ fit [\w ]+|\d+ [\w ]+ are possible)/.exec(line)?.[1])
      .find((text) => text !== undefined);
    return judged === undefined
      ? "Here is what there is to choose from:"
      : `Here is what you could choose (${judged}):`;
  }
  return `Here is what I found (${count}):`;
}

/** Labels in their order, numbered or by group, each with a few of its cells. */
export function listText(telling: Telling): string {
  const tables = [...Map.groupBy(telling.rows, ({ table }) => table ?? "")];
  if (tables.length < 2) return oneList(telling);
  return tables
    .map(
      ([table, rows]) =>
        `**${capital(table.replaceAll("_", " "))}**\n${oneList({ ...telling, rows })}`,
    )
    .join("\n\n");
}

function oneList({ rows, world }: Telling): string {
  const column = world.groupedBy.find((name) => rows.every(({ cells }) => name in cells));
  if (column === undefined) {
    return rows
      .map((row, index) => `${index + 1}. ${labelOf(row)}${detailText(row, world)}`)
      .join("\n");
  }
  return [...Map.groupBy(rows, ({ cells }) => cells[column] ?? "")]
    .map(([value, group]) => {
      const lines = group.map((row) => `- ${labelOf(row)}${detailText(row, world)}`);
      return [`**${capital(value)}**`, ...lines].join("\n");
    })
    .join("\n\n");
}

function labelOf({ cells }: ShownRow): string {
  return cells["name"] ?? cells["title"] ?? Object.values(cells).find((cell) => cell !== "") ?? "";
}

function detailText({ cells }: ShownRow, world: World): string {
  const minutes = world.minutesOf(cells);
  const amount = [cells["quantity"], cells["unit"]]
    .filter((cell) => cell !== undefined && cell !== "")
    .join(" ");
  const when = [cells["date"], cells["slot"], cells["due_on"]]
    .filter((cell) => cell !== undefined && cell !== "")
    .join(" ");
  const details = [amount, when, minutes === null ? "" : `${minutes} min`].filter(
    (detail) => detail !== "",
  );
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}

/** Rows in full; rows that are only short fields take a line each. */
function wholeTexts(rows: readonly ShownRow[], telling: Telling): string {
  const short = rows.filter(isShort);
  const long = rows.filter((row) => !isShort(row)).map((row) => wholeText(row, telling));
  // Drafts are called as they will be called when they are saved.
  const labels = short.length === telling.unsaved.length ? telling.unsaved : short.map(labelOf);
  const lines = short.map((row, index) => `- ${labels[index]} (${fieldsOf(row).join(", ")})`);
  const fits = rows.length === 1 ? fitText(rows[0], telling) : "";
  return [lines.join("\n"), ...long, fits].filter((text) => text !== "").join("\n\n");
}

function isShort({ cells, lists }: ShownRow): boolean {
  return (
    Object.keys(lists).length === 0 && Object.values(cells).every((value) => value.length <= SHORT)
  );
}

const SHORT = 60;

/** Fields worth a word: no refs of other rows, no "false". */
function fieldsOf(row: ShownRow): string[] {
  const label = labelOf(row);
  return Object.entries(row.cells).flatMap(([name, value]) => {
    const isRef = /^[a-z]+(?:_[a-z]+)*_\d+(?: \(|$)/.test(value);
    if (value === "" || value === label || value === "false" || isRef || value.length > SHORT)
      return [];
    const words = name.replaceAll("_", " ");
    return [
      value === "true" ? words : /^\d{4}-|^[a-z]+$/.test(value) ? value : `${words} ${value}`,
    ];
  });
}

/** A row in full: its name, its short fields, its lists, its long texts. */
function wholeText(row: ShownRow, { world }: Telling): string {
  const long = Object.values(row.cells).filter((value) => value.length > SHORT);
  const lists = Object.entries(row.lists).map(
    ([name, items]) =>
      `${capital(name)}:\n${items.map((item) => `- ${itemText(item, world)}`).join("\n")}`,
  );
  return [`**${labelOf(row)}**`, capital(fieldsOf(row).join(", ")), ...lists, ...long]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Whether it is made for as many as the profile says live there. */
function fitText(row: ShownRow | undefined, { profile, world }: Telling): string {
  const { household } = readProfile(profile);
  const fits = household !== null && row?.cells[world.size.column] === `${household}`;
  return fits ? `That is right for the ${household} of you.` : "";
}

/** "eggs 4" as people say it: "4 eggs". */
function itemText(item: string, world: World): string {
  const [, name, amount, rest = ""] =
    /^(.+?) (\d+(?:\.\d+)?)(?: (.+))?$/.exec(item.replace(/ (?:true|false)$/, "")) ?? [];
  if (name === undefined) return item;
  const [head = "", ...tail] = rest.split(" ");
  if (!world.units.includes(head))
    return [amount, name].join(" ") + (rest === "" ? "" : `, ${rest}`);
  return [amount, head, name].join(" ") + (tail.length === 0 ? "" : `, ${tail.join(" ")}`);
}
