import type { Check } from "../../state/change.ts";
import { listInlineLists, type Column, type EntityType } from "../../state/entity.ts";
import { adviseName } from "./sentences.ts";

/** A place on a path: rows of a type, or items of an inline list, which have no type. */
interface Place {
  /** Null for items of a list. */
  readonly type: EntityType | null;
  /** For sentences: `type "order"`. */
  readonly text: string;
  readonly columns: readonly Column[];
}

/** Finds the types and links of a check that lead nowhere. Pure. */
export function checkLinks(
  { name, types, links = [] }: Check,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const place = `Check "${name}"`;
  const known = entityTypes.map(({ type }) => type);
  const unknown = types.filter((type) => !known.includes(type));
  if (unknown.length > 0) {
    return unknown.map(
      (type) =>
        `${place} looks at "${type}"; ${adviseName({ name: type, known, what: "the types" })}`,
    );
  }
  const starts = entityTypes.filter(({ type }) => types.includes(type)).map(placeAtType);
  return links.flatMap((path) => {
    const problem = followPath(path, starts, entityTypes);
    return problem === null ? [] : [`${place}, link "${path}": ${problem}`];
  });
}

function placeAtType(type: EntityType): Place {
  return { type, text: `type "${type.type}"`, columns: type.columns };
}

/** Returns the first problem of a path; null where it leads somewhere from one of the types. */
function followPath(
  path: string,
  starts: readonly Place[],
  entityTypes: readonly EntityType[],
): string | null {
  let places = starts;
  for (const segment of path.split(".")) {
    const next = places.map((place) => followSegment(place, segment, entityTypes));
    const found = next.filter((one) => typeof one !== "string");
    if (found.length === 0) return next.find((one) => typeof one === "string") ?? "";
    places = found;
  }
  return null;
}

/** Returns the place that a segment leads to, or why it leads nowhere. */
function followSegment(
  place: Place,
  segment: string,
  entityTypes: readonly EntityType[],
): Place | string {
  const [name = "", via] = segment.split("<");
  if (via !== undefined) return followBack(place, { name, via, entityTypes });
  const list = place.type && listInlineLists(place.type).find((one) => one.name === name);
  if (list) return { type: null, text: `list "${name}"`, columns: list.columns };
  const column = place.columns.find((one) => one.name === name);
  const target = entityTypes.find(({ type }) => type === column?.references);
  if (target !== undefined) return placeAtType(target);
  if (column !== undefined) {
    return `column "${name}" of ${place.text} points at no type; write "references" at the column, or end the link before it`;
  }
  const lists = place.type === null ? [] : listInlineLists(place.type);
  const known = [...place.columns.filter(({ references }) => references), ...lists];
  const names = known.map((one) => one.name);
  return `${place.text} has no column "${name}"; ${adviseName({ name, known: names, what: "those that lead on" })}`;
}

interface BackSegment {
  readonly name: string;
  /** A column or list of the type `name` that points at the place; or `*` for all its rows. */
  readonly via: string;
  readonly entityTypes: readonly EntityType[];
}

function followBack(place: Place, { name, via, entityTypes }: BackSegment): Place | string {
  const known = entityTypes.map(({ type }) => type);
  const type = entityTypes.find((one) => one.type === name);
  if (type === undefined) {
    return `there is no type "${name}"; ${adviseName({ name, known, what: "the types" })}`;
  }
  const target = place.type?.type;
  const pointsHere = (columns: readonly Column[]): boolean =>
    target !== undefined && columns.some(({ references }) => references === target);
  const pointers = [
    ...type.columns.filter((column) => pointsHere([column])),
    ...listInlineLists(type).filter(({ columns }) => pointsHere(columns)),
  ].map((one) => one.name);
  if (via === "*" || pointers.includes(via)) return placeAtType(type);
  return `"${via}" of type "${name}" does not point at ${place.text}; ${adviseName({ name: via, known: pointers, what: "those that do" })}`;
}
