import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { toRegistryEvents } from "../../registry/outcome-events.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { Registry } from "../../state/registry.ts";
import type { ToolRead, ToolWrite } from "../../state/tool.ts";
import { makeWord, toText } from "./made-up-domain.ts";
import type { Numbers } from "./numbers.ts";
import { GROUP, ITEM } from "./sample-types.ts";
import { compare, type Violation } from "./violation.ts";

/** 12: refs are given in the order in which rows were asked for, listed and pointed at, and stand for every id. */
export function judgeNumbering(numbers: Numbers, turn: number): Violation[] {
  return [...judgeOrder(numbers, turn), ...judgePointers(numbers, turn)];
}

/** Rows that were asked for have their refs before those of their lists, and these before rows that are pointed at. */
function judgeOrder(numbers: Numbers, turn: number): Violation[] {
  const make = (kind: string): EntityRow[] =>
    Array.from({ length: numbers.below(3) }, (_, at) => makeRow(`${kind}-${at}`, numbers));
  const reads = ["asked", "also asked"].slice(numbers.below(2)).map((kind) => make(kind));
  const [listed, linked] = [make("listed"), make("linked")];
  const written = numbers.below(2) === 0 ? [] : [makeRow("written", numbers)];
  const { entries } = fold(turn, {
    reads: reads.map((rows) => createRead(ITEM, rows)),
    writes: written.map(createWrite),
    listed: listRows(listed),
    linked: listRows(linked),
  });
  const rows = [...reads.flat(), ...listed, ...linked, ...written];
  const byUser = entries.filter((entry) => entry.byUser);
  return [
    ...compare(
      "12 numbering",
      rows.map(({ id }, at) => `si_${at + 1} ${id}`).join(),
      entries.map(({ ref, id }) => `${ref} ${id}`).join(),
    ),
    ...compare("12 the person's own", "", byUser.map(({ ref }) => ref).join()),
  ];
}

/** A row has the ref of what it points at, whichever of the two was asked for first. */
function judgePointers(numbers: Numbers, turn: number): Violation[] {
  const groups = ["a", "b"].slice(numbers.below(2)).map((id) => makeRow(`group-${id}`, numbers));
  const items = groups.map(({ id }, at) => makeRow(`item-${at}`, numbers, { group_id: id }));
  const reads = [createRead(ITEM, items), createRead(GROUP, groups)];
  const { entries } = fold(turn, { reads, writes: [], listed: [], linked: [] });
  const pointers = entries.flatMap(({ type, row }) =>
    type === ITEM.type ? [toText(row?.["group_id"])] : [],
  );
  const refs = groups.map((_, at) => `sample_group_${at + 1}`);
  return compare("12 pointers", refs.join(), pointers.join());
}

function fold(turn: number, outcome: Parameters<typeof toRegistryEvents>[0]): Registry {
  return foldRegistry(EMPTY_REGISTRY, toRegistryEvents(outcome, { turn }), [GROUP, ITEM]);
}

function makeRow(
  id: string,
  numbers: Numbers,
  values: Readonly<Record<string, Json>> = {},
): EntityRow {
  return { id, rowVersion: 1, values: { name: makeWord(numbers), ...values } };
}

function listRows(rows: EntityRow[]): { readonly type: string; readonly rows: EntityRow[] }[] {
  return rows.length === 0 ? [] : [{ type: ITEM.type, rows }];
}

function createRead({ type }: EntityType, rows: EntityRow[]): ToolRead {
  const ids = rows.map(({ id }) => id);
  return { type, ids, rows, detail: "full", total: ids.length, suppressed: false };
}

function createWrite(row: EntityRow): ToolWrite {
  return { type: ITEM.type, action: "created", row, draft: null, follows: false, change: null };
}
