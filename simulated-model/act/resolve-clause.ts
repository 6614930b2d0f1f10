import { Temporal } from "temporal-polyfill";
import type { AnswerCall } from "../answer.ts";
import { nameDate } from "../language/dates.ts";
import { namePart } from "../language/lexicon.ts";
import {
  type Clause,
  createClause,
  createTarget,
  describeNew,
  isMove,
  isShift,
  type Target,
} from "../language/request.ts";
import { singular } from "../language/tokens.ts";
import { joinNames, joinQuoted } from "../phrase.ts";
import { LISTS_SEVERAL } from "../prompt/complete-answer.ts";
import type { ShownRow } from "../prompt/read-rows.ts";
import {
  findChoice,
  findFillable,
  findNameColumns,
  findTable,
  type ShownTable,
} from "../prompt/read-tables.ts";
import { holdsName, isWholeLabel } from "../understand/match-things.ts";
import { createCall, deleteCall, type Fields, updateCall } from "./calls.ts";
import { fillAddition, fillMeal, refuseAddition } from "./fill-row.ts";
import type { Job } from "./job.ts";
import { findHomes, findRows, isLess, splitNames } from "./look-up.ts";

/** One clause, resolved: what is written, or why nothing may be. */
export type Resolved =
  | {
      readonly kind: "writes";
      readonly calls: readonly AnswerCall[];
      readonly notes: readonly string[];
    }
  /** Only the person's yes lets it go on; `clause` then names the rows themselves. */
  | { readonly kind: "proposal"; readonly question: string; readonly clause: Clause }
  | { readonly kind: "question"; readonly found: string; readonly question: string }
  | { readonly kind: "failure"; readonly reason: string };

/** Resolves the names of a clause to rows, and says what is to be written. */
export function resolveClause(clause: Clause, job: Job): Resolved {
  const homes = findHomes(clause, job);
  const [home] = homes;
  if (home === undefined) return fail(`I know of no ${nameThe(clause, job)} here.`);
  if (findNameColumns(home).length === 0)
    return fail(`I cannot change ${nameThe(clause, job)}: what is stored there has no name.`);
  if (clause.kind === "add") return resolveAdd(clause, home, job);
  if (clause.kind === "plan") return resolvePlan(clause, home, job);
  if (clause.kind === "allergy") return resolveAllergy(clause, home, job);
  return resolveRows(clause, homes, job);
}

function fail(reason: string): Resolved {
  return { kind: "failure", reason };
}

function write(calls: readonly AnswerCall[], notes: readonly string[] = []): Resolved {
  return { kind: "writes", calls, notes };
}

function resolveAdd(clause: Clause, table: ShownTable, job: Job): Resolved {
  const { names, part } = clause;
  const home = nameThe(clause, job);
  const amount = findFillable(table, "number");
  const refusal = refuseAddition(names, table, home);
  if (refusal !== null) return fail(refusal);
  const flag = findFillable(table, "boolean");
  // What is counted takes a second row.
  const isMore = names.some(({ more }) => more);
  const found = flag === null && amount !== null && !isMore ? [] : findRows(table, job).rows;
  const open = found.filter(({ cells }) => flag === null || cells[flag] !== "true");
  const there = names.filter(
    ({ text, quantity }) => quantity === null && open.some((row) => isWholeLabel(text, row.label)),
  );
  if (flag === null && there.length > 0) {
    // After a yes it has a number.
    const again = { ...clause, names: names.map((name) => ({ ...name, quantity: 1 })) };
    const called = joinQuoted(there.map(({ text }) => text));
    const question = `${called} is in ${home} already. Shall I add another?`;
    return { kind: "proposal", question, clause: again };
  }
  const raised = names.flatMap((name) => raiseAmount(name, part, { table, rows: open }) ?? []);
  const notes = there.map(({ text }) => `"${text}" is already on ${home}`);
  const rows = names
    .filter(
      (name) => !there.includes(name) && raiseAmount(name, part, { table, rows: open }) === null,
    )
    .map((name) => fillAddition(name, part, table));
  return write([...(rows.length === 0 ? [] : [createCall(table, rows)]), ...raised], notes);
}

interface Stored {
  readonly table: ShownTable;
  readonly rows: readonly ShownRow[];
}

/** "Another 250 g" are added to the one row that counts the same in the same place; null where there is none. */
function raiseAmount(
  { text, quantity, unit, more }: Target,
  part: Clause["part"],
  { table, rows }: Stored,
): AnswerCall | null {
  const column = findFillable(table, "number");
  const place = findChoice(table, part?.value ?? null);
  const [row, ...others] = rows.filter(
    (each) =>
      isWholeLabel(text, each.label) && (place === null || each.cells[place] === part?.value),
  );
  const added = convertAmount(quantity ?? 0, unit, row);
  if (!more || column === null || row === undefined || others.length > 0 || added === null)
    return null;
  const sum = Number(row.cells[column] ?? "") + added;
  return updateCall(table, [row.ref], [[column, Number(sum.toFixed(3))]]);
}

function resolvePlan({ names }: Clause, box: ShownTable, job: Job): Resolved {
  const { household } = job;
  const table = findTable(job.words.roles.schedule ?? "", job.tables);
  if (table === null) return fail("Nothing can be planned here.");
  const { rows } = findRows(box, job);
  const found = names.map((name) => ({ name, dishes: findDish(name, rows) }));
  const missing = found.filter(({ dishes }) => dishes.length === 0).map(({ name }) => name.text);
  if (missing.length > 0)
    return {
      kind: "question",
      found: `There is no ${box.one} called ${joinQuoted(missing)}, so nothing was planned.`,
      question: `Which ${box.one} do you mean?`,
    };
  const open = found.find(({ dishes }) => dishes.length > 1);
  if (open !== undefined) {
    return askWhich(
      open.dishes.map(({ label }) => label),
      "Please send it again with the whole name: which one do you mean?",
    );
  }
  const planned = found.flatMap(({ name, dishes }) =>
    dishes.map((dish) =>
      fillMeal(name, { ref: dish.ref, label: dish.label }, { table, household }),
    ),
  );
  return write([createCall(table, planned)]);
}

const ALLERGIES = "allergies";

/** Adds to the allergies of a person, after a yes. Who does not say who they are is taken to be the first. */
function resolveAllergy(clause: Clause, table: ShownTable, job: Job): Resolved {
  const { names, person } = clause;
  const { rows } = findRows(table, job);
  const row = person === null ? rows[0] : rows.find((each) => isPerson(each, person));
  if (row === undefined || table.columns.every(({ name }) => name !== ALLERGIES)) {
    const called = person === null ? "" : ` called "${person.text}"`;
    return fail(`I know nobody${called} in ${nameThe(clause, job)}.`);
  }
  const label = row.label;
  const known = (row.cells[ALLERGIES] ?? "").split(", ").filter((food) => food !== "");
  const added = names.filter(({ text }) => !known.some((food) => isWholeLabel(text, food)));
  if (added.length === 0)
    return write(
      [],
      [`${joinQuoted(names.map(({ text }) => text))} is already noted for ${label}`],
    );
  const foods = added.map(({ text }) => text);
  if (person !== null && person.ref !== null)
    return write([updateCall(table, [row.ref], [[ALLERGIES, [...known, ...foods]]])]);
  const other = rows.find(({ ref }) => ref !== row.ref);
  const hint =
    person !== null || other === undefined
      ? ""
      : ` If it is somebody else, say “${other.label} is allergic to ${joinNames(foods)}”.`;
  return {
    kind: "proposal",
    question: `Shall I note that ${label} is allergic to ${joinNames(foods)}?${hint}`,
    clause: { ...clause, person: createTarget(label, { known: true, ref: row.ref }) },
  };
}

function isPerson(row: ShownRow, { ref, text }: Target): boolean {
  return ref === null ? isWholeLabel(text, row.label) : row.ref === ref;
}

/** The dish of a whole name; else the only one whose name holds the words, and it ends with them. */
function findDish({ text, ref }: Target, rows: readonly ShownRow[]): ShownRow[] {
  if (ref !== null) return [{ ref, table: null, label: text, cells: {}, lists: {} }];
  const whole = rows.filter((row) => isWholeLabel(text, row.label));
  const partly = rows.filter((row) => holdsName(row.label, text));
  if (whole.length > 0 || partly.length > 1) return whole.length > 0 ? whole : partly;
  const length = text.split(/\s+/).length;
  return partly.filter((row) =>
    isWholeLabel(text, row.label.split(/\s+/).slice(-length).join(" ")),
  );
}

/** A row with its table. */
interface Located {
  readonly row: ShownRow;
  readonly table: ShownTable;
  /** It is to be marked, and is so already. */
  readonly isMarked: boolean;
}

/** Removes or marks rows: at once where each name is one row's whole label, else after a yes. */
function resolveRows(clause: Clause, homes: readonly ShownTable[], job: Job): Resolved {
  const { kind, names, part } = clause;
  const refs = names.flatMap(({ ref }) => ref ?? []);
  if (names.length > 0 && refs.length === names.length) return writeRows(clause, refs, job);
  const rows = homes.flatMap((table) => findMeant(clause, table, job));
  const open = rows.filter(({ isMarked }) => !isMarked);
  const places = joinNames(
    homes.map((home) => nameTable(home, job)),
    "or",
  );
  const where =
    part === null ? `in ${places}` : `${kind === "mark" ? "on" : "in"} ${nameThe(clause, job)}`;
  if (homes.some((table) => findRows(table, job).isCut))
    return fail(`There is too much ${where} to name it all. Please name it whole.`);
  if (names.length === 0) {
    const day = clause.day === null ? "" : ` for ${nameDate(clause.day.first)}`;
    if (rows.length === 0) return fail(`There is nothing ${where}${day}.`);
    if (open.length === 0) return fail(`Everything ${where} is already marked as bought.`);
    if (kind === "change" && rows.length > 1)
      return askWhich(
        rows.map(({ row }) => describeRow(row)),
        "Which one do you mean? Please name it.",
      );
    return kind === "remove" || kind === "clear"
      ? propose(clause, rows, job)
      : writeRows(clause, listRefs(open), job);
  }
  const isThere = (text: string): boolean => rows.some(({ row }) => holdsName(row.label, text));
  const texts = names.flatMap(({ text }) => (isThere(text) ? [text] : splitNames(text)));
  const found = texts.map((text) => {
    const partly = rows.filter(({ row }) => holdsName(row.label, text));
    const whole = partly.filter(({ row }) => isWholeLabel(text, row.label));
    const planned = partly.filter(({ table }) => table.part === job.words.roles.schedule);
    const best = [whole, planned].find(({ length }) => length > 0) ?? partly;
    const left = best.filter(({ isMarked }) => !isMarked);
    const chosen = left.length > 0 ? left : best;
    // A meal is moved by any part of its name that no other has.
    const isOne = (whole.length > 0 || isMove(clause.to)) && chosen.length === 1;
    return { text, isOne, chosen };
  });
  const missing = found.filter(({ chosen }) => chosen.length === 0).map(({ text }) => text);
  if (missing.length > 0)
    return fail(`I found no ${joinQuoted(missing)} ${where}, so nothing was changed.`);
  const chosen = found.flatMap((each) => each.chosen);
  if (new Set(chosen.map(({ table }) => table)).size > 1) {
    const places = chosen.map(
      ({ row, table }) => `"${describeRow(row)}" in ${nameTable(table, job)}`,
    );
    return askWhich([...new Set(places)], "Which one do you mean? Please say where it is.");
  }
  const several = found.find((each) => each.chosen.length > 1)?.chosen ?? [];
  const { date, slot } = several[0]?.row.cells ?? {};
  if (part === null && date !== undefined) {
    const example = `“cancel ${slot} on ${date}”`;
    return askWhich(
      several.map(({ row }) => describeRow(row)),
      `Please name its day, for example ${example}: which one do you mean?`,
    );
  }
  if (kind === "change" && chosen.length > 1)
    return askWhich(
      chosen.map(
        ({ row }) =>
          `${describeRow(row)}${row.cells["location"] === undefined ? "" : ` in the ${row.cells["location"]}`}`,
      ),
      "Which one do you mean? Please say where it is.",
    );
  const isOne = found.every((each) => each.isOne);
  const isHere = kind !== "change" || chosen.every(({ table }) => table.part === job.subdomain);
  const isCertain =
    isOne && isHere && (kind !== "remove" || (chosen.length === 1 && part !== null));
  const [marked, meant] = [true, false].map((is) => chosen.filter((each) => each.isMarked === is));
  const notes = (marked ?? []).map(({ row }) => `"${row.label}" is already marked as bought`);
  if (meant === undefined || meant.length === 0) return write([], notes);
  if (meant.every((each) => takesAll(clause, each)))
    return propose({ ...clause, kind: "remove", to: null }, meant, job);
  const resolved = isCertain
    ? writeRows(clause, listRefs(meant), job)
    : propose(clause, meant, job);
  return addNotes(resolved, notes);
}

/** Says, beside what is done or asked, what is so already. */
function addNotes(resolved: Resolved, notes: readonly string[]): Resolved {
  if (resolved.kind === "writes") return { ...resolved, notes };
  if (resolved.kind !== "proposal") return resolved;
  return { ...resolved, question: [...notes, resolved.question].join(". ") };
}

/** The rows that a clause can mean: in its place and on its days; of what is planned, none before today. */
function findMeant({ kind, part, day, slot }: Clause, table: ShownTable, job: Job): Located[] {
  const date = findFillable(table, "date") ?? "";
  const flag = findFillable(table, "boolean") ?? "";
  const values = [part?.value ?? null, slot].filter((value) => value !== null);
  const isMeant = ({ cells }: ShownRow): boolean =>
    values.every((value) => cells[findChoice(table, value) ?? ""] === value) &&
    (day === null
      ? part !== null || table.part !== job.words.roles.schedule || (cells[date] ?? "") >= job.today
      : (cells[date] ?? "") >= day.first && (cells[date] ?? "") <= day.last);
  return findRows(table, job)
    .rows.filter(isMeant)
    .map((row) => ({ row, table, isMarked: kind === "mark" && row.cells[flag] === "true" }));
}

function writeRows(clause: Clause, refs: readonly string[], job: Job): Resolved {
  const calls = job.tables.flatMap((shown) => {
    const own = refs.filter((ref) => ref.startsWith(`${shown.prefix}_`));
    if (own.length === 0) return [];
    if (clause.kind !== "mark" && clause.kind !== "change") return [deleteCall(own)];
    const rows = findRows(shown, job).rows.filter(({ ref }) => own.includes(ref));
    const isRelative = isLess(clause) || isShift(clause.to);
    const fields = isRelative ? takeOff(clause, rows, shown) : listFields(clause, shown);
    const isAllowed = fields.every(
      ([column]) => column !== null && shown.settable.includes(column),
    );
    return isAllowed ? [updateCall(shown, own, fields)] : [];
  });
  if (calls.length > 0) return write(calls);
  if (isLess(clause))
    return fail(
      `I cannot take ${describeNew(clause.to)} off that: that is all, or its amount is not counted so.`,
    );
  if (clause.kind !== "mark" && clause.kind !== "change")
    return fail(`I cannot find that in ${nameThe(clause, job)}.`);
  return fail(
    clause.to === null
      ? `I cannot mark anything in ${nameThe(clause, job)} as bought.`
      : `I cannot make that ${describeNew(clause.to)}.`,
  );
}

/** The amount that is left of a row, or its date some days later or earlier; no column where nothing is, or where it is counted otherwise. */
function takeOff({ to }: Clause, [row]: readonly ShownRow[], table: ShownTable): Fields {
  const { quantity, unit } = to ?? createTarget("");
  const date = findFillable(table, "date");
  if (isShift(to) && date !== null && row !== undefined) {
    const days = (quantity ?? 0) * (unit === "days earlier" ? -1 : 1);
    return [
      [
        date,
        Temporal.PlainDate.from(row.cells[date] ?? "")
          .add({ days })
          .toString(),
      ],
    ];
  }
  const column = findFillable(table, "number");
  const change = convertAmount(quantity ?? 0, unit, row);
  const left = Number(row?.cells[column ?? ""] ?? "") + (change ?? 0);
  return [[change !== null && left > 0 ? column : null, Number(left.toFixed(3))]];
}

/** Tells whether nothing of a row is left where its amount is lowered as a clause says. */
function takesAll(clause: Clause, { row, table }: Located): boolean {
  const column = findFillable(table, "number");
  const less = convertAmount(clause.to?.quantity ?? 0, clause.to?.unit ?? null, row);
  return isLess(clause) && less !== null && Number(row.cells[column ?? ""]) === -less;
}

/** Sizes of units that measure the same. */
const SIZES: readonly Readonly<Record<string, number>>[] = [
  { g: 1, kg: 1000 },
  { ml: 1, cl: 10, dl: 100, l: 1000 },
];

/** An amount in the unit of a row; null where the row is counted otherwise: 200 g of 1 kg are 0.2. */
function convertAmount(
  quantity: number,
  unit: string | null,
  row: ShownRow | undefined,
): number | null {
  if (isUnit(row, unit)) return quantity;
  const sizes = SIZES.find((each) => (unit ?? "") in each && (row?.cells["unit"] ?? "") in each);
  const [given, own] = [sizes?.[unit ?? ""], sizes?.[row?.cells["unit"] ?? ""]];
  return given === undefined || own === undefined ? null : (quantity * given) / own;
}

/** Tells whether a row is counted in a unit: "cans" are counted as "can". */
function isUnit(row: ShownRow | undefined, unit: string | null): boolean {
  return singular(row?.cells["unit"] ?? "") === singular(unit ?? "");
}

/** The columns of a row that a mark or a change sets; null for what the table has no column for. */
function listFields({ to }: Clause, table: ShownTable): Fields {
  if (to === null) return [[findFillable(table, "boolean"), true]];
  const fields: Fields = [
    [findFillable(table, "number"), to.quantity],
    ["unit", to.unit],
    [findFillable(table, "date"), to.day?.first ?? null],
    [findChoice(table, to.slot), to.slot],
  ];
  return fields.filter(([, value]) => value !== null);
}

function propose(given: Clause, rows: readonly Located[], job: Job): Resolved {
  const { kind, part, to } = given;
  const names = rows.map(({ row }) =>
    createTarget(describeRow(row), { known: true, ref: row.ref }),
  );
  const listed = joinQuoted(names.map(({ text }) => text));
  const place = part === null ? nameTable(rows[0]?.table, job) : nameThe({ part }, job);
  const questions: Partial<Record<Clause["kind"], string>> = {
    mark: `Shall I mark ${listed} on ${place} as bought?`,
    change: isLess(given)
      ? `Shall I remove ${describeNew(to)} of ${listed} from ${place}?`
      : `Shall I change ${listed} in ${place} to ${describeNew(to)}?`,
  };
  const question = questions[kind] ?? `Shall I remove ${listed} from ${place}?`;
  const clause = createClause(kind in questions ? kind : "remove", { names, part, to });
  return { kind: "proposal", question, clause };
}

function askWhich(options: readonly string[], question: string): Resolved {
  return { kind: "question", found: `${LISTS_SEVERAL}${joinNames(options)}.`, question };
}

function listRefs(rows: readonly Located[]): string[] {
  return rows.map(({ row }) => row.ref);
}

/** A row's name, with its day where it has one. */
function describeRow(row: ShownRow): string {
  const when = [row.cells["date"] ?? "", row.cells["slot"] ?? ""];
  return [row.label, ...when].filter((text) => text !== "").join(" ");
}

function nameTable(table: ShownTable | undefined, job: Job): string {
  return table === undefined
    ? "the data"
    : nameThe({ part: { subdomain: table.part, value: null } }, job);
}

function nameThe({ part }: Pick<Clause, "part">, { words }: Job): string {
  return part === null ? "what is stored" : `the ${namePart(part, words)}`;
}
