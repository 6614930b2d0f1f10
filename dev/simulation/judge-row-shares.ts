import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { EntityType } from "../../state/entity.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import { makeWord, toText } from "./made-up-domain.ts";
import { Numbers } from "./numbers.ts";
import { compare, type Violation } from "./violation.ts";

/** Types whose rows are long texts. */
const LETTERS: readonly EntityType[] = ["letter", "note", "page"].map((type) => ({
  type: `sample_${type}`,
  table: `${type}s`,
  words: { one: type, many: `${type}s` },
  columns: [
    { name: "name", kind: "text" },
    { name: "body", kind: "text" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => toText(name),
}));

interface SharesContext {
  readonly registry: Registry;
  readonly countTokens: CountTokens;
  readonly turn: number;
}

/** 9: of long rows of several types each type has its share, and none hides a row before one that it shows. */
export function judgeRowShares({ registry, countTokens, turn }: SharesContext): Violation[] {
  const numbers = new Numbers(turn * 91 + registry.entries.length);
  const types = LETTERS.slice(0, 1 + numbers.below(3));
  const held = foldRegistry(
    EMPTY_REGISTRY,
    types.map(({ type }) => makeReading(type, { numbers, turn })),
    LETTERS,
  );
  const refs = held.entries.map(({ ref }) => ref);
  const named = refs.filter(() => numbers.below(4) === 0);
  // A ref has room, and for each type the line that counts the rest.
  const least = 10 * (1 + types.length);
  return [1, 5, 15, 20, 30, 40, 80, 160].flatMap((budget) => {
    const { text, shown } = renderRows(held, {
      refs,
      named,
      types: LETTERS,
      countTokens,
      budget,
    });
    const share = budget / types.length;
    const cut = shown.filter((ref) => LEFT_OUT.test(readShown(text, ref)));
    const over = cut.filter((ref) => countTokens(readShown(text, ref)) > share);
    const kinds = new Set(shown.map(readKind));
    // Rows that the message names may take the room of a type.
    const isFair = share >= 60 && named.length === 0;
    const found = {
      gaps: listGaps([...new Set([...named, ...refs])], shown).join(),
      cutTwice: cut.filter((ref) => hasKin(ref, cut)).join(),
      moreThanShare: kinds.size > 1 ? over.join() : "",
      typeWithoutRow: isFair && kinds.size < types.length ? text : "",
      // Where it is the only one, a row that is cut has nearly all the room.
      wasted: types.length === 1 && cut.length === 1 && countTokens(text) < budget - 20 ? text : "",
      noRow: budget >= least && shown.length === 0 ? `${budget} tokens` : "",
    };
    return Object.entries(found).flatMap(([name, wrong]) =>
      compare(`9 shares, ${name}`, "", wrong),
    );
  });
}

interface ReadingContext {
  readonly numbers: Numbers;
  readonly turn: number;
}

function makeReading(type: string, { numbers, turn }: ReadingContext): RegistryEvent {
  const rows = Array.from({ length: 1 + numbers.below(3) }, (_, at) => ({
    id: `${type}-${at}`,
    rowVersion: 1,
    values: { name: makeWord(numbers), body: makeWord(numbers, 20 + numbers.below(200)) },
  }));
  return { kind: "read", turn, type, ids: [], rows, detail: "full" };
}

/** The refs that are not shown, although one of their type that comes later is. */
function listGaps(queue: readonly string[], shown: readonly string[]): readonly string[] {
  return queue.filter((ref, at) => {
    const later = queue.slice(at + 1).filter((other) => shown.includes(other));
    return !shown.includes(ref) && hasKin(ref, later);
  });
}

function hasKin(ref: string, others: readonly string[]): boolean {
  return others.some((other) => other !== ref && readKind(other) === readKind(ref));
}

function readKind(ref: string): string {
  return ref.slice(0, ref.lastIndexOf("_"));
}

/** The lines of a row that is written field by field. */
function readShown(text: string, ref: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line === ref || line.startsWith(`${ref} `));
  const next = lines.findIndex((line, place) => place > at && !line.startsWith("  "));
  return lines.slice(at, next === -1 ? undefined : next).join("\n");
}

const LEFT_OUT = /\[… \d+ tokens left out …\]/u;
