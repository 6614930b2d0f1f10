import type { RowCall, RowRead } from "../../state/row-call.ts";
import { fillAddition, fillMeal, type NewRow } from "../act/fill-row.ts";
import { boundRead } from "../act/read.ts";
import type { Clause, Target } from "../language/request.ts";
import { singular } from "../language/tokens.ts";
import { belongsTo, type Thing } from "../prompt/read-entities.ts";
import {
  findFillable,
  findNameColumns,
  findTable,
  type ShownTable,
} from "../prompt/read-tables.ts";
import type { Scene } from "../prompt/scene.ts";
import { holdsName, isWholeLabel } from "../understand/match-things.ts";
import type { PlanFacts } from "./plan.ts";

/** Makes the one read that shows what a clause asks to see; null where it takes more than conditions that all hold. */
export function createLook(
  clause: Clause,
  subdomain: string,
  { lexicon: { words }, tables, things }: Scene,
): RowRead | null {
  const { names, day, uses } = clause;
  const table = findTable(subdomain, tables);
  if (table === null || (day !== null && day.or !== null)) return null;
  if (names.some(({ points }) => points !== null)) return null;
  if (names.length > 0 && !hasNames(table)) return null;
  const { where, anyOf, whole } = boundRead(clause, table, { words, subdomain });
  if (whole) return null;
  const look = { type: table.prefix, refs: [], all: false };
  if (anyOf.length < 2) return { ...look, where: [...where, ...anyOf] };
  // What rows are made with is one column, so that either of two things is one condition.
  const made = uses ? anyOf.find(({ column }) => column.includes(".")) : undefined;
  const isKnown = names.every(({ text, known }) => known && !Object.hasOwn(words.kinds, text));
  if (made === undefined || !isKnown) return null;
  const value = names.flatMap(({ text }) => listSpellings(text, things));
  const either = names.length === 1 ? made : { ...made, op: "in" as const, value };
  return { ...look, where: [...where, either] };
}

/** The spellings of a name: in both numbers, and as the prompt shows things that hold it. */
function listSpellings(name: string, things: readonly Thing[]): string[] {
  const shown = things.flatMap(({ label, facts }) => [label, ...facts.split(", ")]);
  const one = singular(name.toLowerCase());
  return [...new Set([one, `${one}s`, ...shown.filter((text) => holdsName(text, name))])];
}

/** Makes the calls that carry out a clause from what the prompt shows; null where something has to be looked up first. */
export function createCalls(
  clause: Clause,
  subdomain: string,
  facts: PlanFacts,
): readonly RowCall[] | null {
  const { names, part, kind } = clause;
  const table = findTable(subdomain, facts.scene.tables);
  if (table === null) return null;
  switch (kind) {
    case "add":
      return isPlain(names, table)
        ? [
            createRows(
              table,
              names.map((name) => fillAddition(name, part, table)),
            ),
          ]
        : null;
    case "plan": {
      const { choices } = facts.words.roles;
      const dishes = facts.scene.things.filter(({ ref }) => belongsTo(ref, choices));
      const rows = names.flatMap((name) => {
        const dish = findThing(name, dishes);
        return dish === null ? [] : [fillMeal(name, dish, { table, household: facts.household })];
      });
      return rows.length < names.length ? null : [createRows(table, rows)];
    }
    case "clear":
      return part?.value === null && hasNames(table)
        ? [createRowCall("delete", table, { find: { all: true, where: [] } })]
        : null;
    case "remove": {
      const refs = findMeant(clause, subdomain, facts.scene).map(({ ref }) => ref);
      return refs.length === 0 ? null : [createRowCall("delete", table, { refs })];
    }
    default:
      return null;
  }
}

/** Tells whether rows have names, by which the person is asked about them. */
export function hasNames(table: ShownTable | null): boolean {
  return table === null || findNameColumns(table).length > 0;
}

/** Tells whether rows of the names stand alone, and without an amount nothing has to be looked up: what is on a list is not added twice. */
function isPlain(names: readonly Target[], table: ShownTable): boolean {
  const hasAmount = findFillable(table, "number") !== null;
  const isList = findFillable(table, "boolean") !== null;
  return (
    table.columns.every(({ references }) => references === null) &&
    names.every(({ quantity, known, more }) =>
      quantity === null ? !isList && (hasAmount || !known) : hasAmount && !more,
    )
  );
}

/** Finds the things that a clause names, each beyond doubt, or the one of its day; none where it is open. */
function findMeant({ names, part, day, slot }: Clause, subdomain: string, scene: Scene): Thing[] {
  if (part === null && names.some(({ ref }) => ref === null)) return [];
  if (day !== null && day.first !== day.last) return [];
  const marks = [day?.first, slot, part?.value].filter((mark) => mark != null);
  const fitting = scene.things.filter(
    ({ ref, label, facts }) =>
      belongsTo(ref, subdomain) && marks.every((mark) => holdsName(`${label} ${facts}`, mark)),
  );
  const found = names.map((name) => findThing(name, fitting));
  if (names.length === 0) return marks.length > 0 && fitting.length === 1 ? fitting : [];
  return found.every((thing) => thing !== null) ? found : [];
}

/** Finds the one of some things that a name means; null where none or several are called so. */
function findThing({ ref, text }: Target, things: readonly Thing[]): Thing | null {
  const [one, ...others] = things.filter((thing) =>
    ref === null ? isWholeLabel(text, thing.label) : thing.ref === ref,
  );
  return one === undefined || others.length > 0 ? null : one;
}

function createRows(table: ShownTable, rows: readonly NewRow[]): RowCall {
  const given = rows.map(
    (row) => new Map(row.filter(([column, value]) => column !== null && value !== null)),
  );
  const columns = [...new Set(given.flatMap((row) => [...row.keys()]))].filter(
    (name) => name !== null,
  );
  const set = { columns, rows: given.map((row) => columns.map((name) => row.get(name) ?? null)) };
  return createRowCall("create", table, { set });
}

/** Makes a short call on rows of a type, in which nothing is set but what is given. */
function createRowCall(
  action: RowCall["do"],
  { prefix: type }: ShownTable,
  given: Partial<RowCall>,
): RowCall {
  return { do: action, step: 0, type, refs: [], find: null, set: null, ...given };
}
