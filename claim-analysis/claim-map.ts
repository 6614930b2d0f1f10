import {
  StakesSchema,
  type Claim,
  type ClaimEdge,
  type ClaimMap,
  type MapperAnswer,
  type Stakes,
} from "../state/claims.ts";
import { clip } from "../registry/shorten.ts";
import { parseClaimType, parseRelation, parseStakes } from "./claim-words.ts";
import { isMutual } from "./map-graph.ts";
import { claimKey } from "./same-claim.ts";

/** A map that holds together, and what had to be changed for it, each in words for a notice. */
export interface ReadClaimMap {
  readonly map: ClaimMap;
  readonly notes: string[];
}

type MapperClaim = MapperAnswer["claims"][number];

const LABEL_CHARACTERS = 60;
/** Of an answer that stands as one claim; so several of them fit into a brief. */
const ANSWER_CHARACTERS = 600;

/**
 * Makes a map of the mapper's answer about so many expert answers.
 *
 * Supporters that name no answer, claims without words, and edges of an unknown type, between
 * unknown claims, from a claim to itself or said twice are dropped and counted in `notes`. Claims
 * whose texts have the same `claimKey` become one with the supporters and the graver stakes of both; no other claim is
 * dropped, however few say it. Of claims with one id, the first keeps it and its edges.
 *
 * Contract: total. Every edge of the map joins two of its claims, ids and supporters are distinct.
 */
export function readClaimMap(
  answer: MapperAnswer,
  { answers }: { readonly answers: number },
): ReadClaimMap {
  const notes = noteBook();
  const { claims, resolve } = readClaims(answer.claims, { answers, notes });
  const edges = readEdges(answer.edges, { resolve, notes });
  return { map: { claims, edges, gaps: readGaps(answer.gaps) }, notes: notes.lines() };
}

/**
 * The map of answers that no mapper has read: each answer is one claim, cut to 600 characters, which all
 * support that say the same. An answer without words is left out; the others keep their numbers.
 */
export function mapOfAnswers(texts: readonly string[]): ClaimMap {
  const byKey = new Map<string, Claim>();
  for (const [at, text] of texts.entries()) {
    const words = clip(clean(text), ANSWER_CHARACTERS);
    if (words === "") continue;
    const key = claimKey(words);
    const same = byKey.get(key);
    byKey.set(key, {
      id: same?.id ?? `c${at + 1}`,
      label: same?.label ?? clip(oneLine(words), LABEL_CHARACTERS),
      text: same?.text ?? words,
      why: "",
      supporters: [...(same?.supporters ?? []), at + 1],
      type: "factual",
      stakes: "none",
    });
  }
  return { claims: [...byKey.values()], edges: [], gaps: [] };
}

interface ClaimReading {
  readonly answers: number;
  readonly notes: NoteBook;
}

function readClaims(
  found: readonly MapperClaim[],
  { answers, notes }: ClaimReading,
): { readonly claims: Claim[]; readonly resolve: (id: string) => string | undefined } {
  const byKey = new Map<string, Claim>();
  const byId = new Map<string, string>();
  const taken = new Set(found.map(({ id }) => clean(id)));
  const used = new Set<string>();

  for (const claim of found) {
    const text = clean(claim.text) || clean(claim.label);
    if (text === "") {
      notes.add("empty");
      continue;
    }
    const given = clean(claim.id);
    const supporters = readSupporters(claim.supporters, { answers, notes });
    const key = claimKey(text);
    const same = byKey.get(key);
    if (same !== undefined) notes.add("merged");
    const id = same?.id ?? unusedId(given);
    used.add(id);
    if (same === undefined && given !== "" && id !== given) notes.add("renamed");
    if (!byId.has(given) && given !== "") byId.set(given, id);
    byKey.set(key, {
      id,
      label: same?.label ?? (oneLine(clean(claim.label)) || clip(oneLine(text), LABEL_CHARACTERS)),
      text: same?.text ?? text,
      why: same?.why || oneLine(clean(claim.why)),
      supporters: union(same?.supporters ?? [], supporters),
      type: same?.type ?? readType(claim.type, notes),
      stakes: graver(same?.stakes ?? "none", parseStakes(claim.stakes)),
    });
  }
  const byFoldedId = new Map([...byId].map(([id, to]) => [id.toLowerCase(), to]));
  return {
    claims: [...byKey.values()],
    resolve: (id) => byId.get(clean(id)) ?? byFoldedId.get(clean(id).toLowerCase()),
  };

  function unusedId(given: string): string {
    if (given !== "" && !used.has(given)) return given;
    const stem = given === "" ? "claim" : given;
    let number = 2;
    while (taken.has(`${stem}-${number}`) || used.has(`${stem}-${number}`)) number += 1;
    return `${stem}-${number}`;
  }
}

function readSupporters(found: readonly number[], { answers, notes }: ClaimReading): number[] {
  return found.filter((supporter) => {
    const known = Number.isInteger(supporter) && supporter >= 1 && supporter <= answers;
    if (!known) notes.add("supporter");
    return known;
  });
}

function readType(word: string, notes: NoteBook): Claim["type"] {
  const type = parseClaimType(word);
  if (type === null) notes.add("type");
  return type ?? "factual";
}

function graver(one: Stakes, other: Stakes): Stakes {
  return StakesSchema.options.find((stakes) => stakes === one || stakes === other) ?? "none";
}

interface EdgeReading {
  readonly resolve: (id: string) => string | undefined;
  readonly notes: NoteBook;
}

function readEdges(found: MapperAnswer["edges"], { resolve, notes }: EdgeReading): ClaimEdge[] {
  const edges = new Map<string, ClaimEdge>();
  for (const edge of found) {
    const relation = parseRelation(edge.type);
    const ends = [resolve(edge.from), resolve(edge.to)];
    const [from, to] = relation?.turned === true ? ends.toReversed() : ends;
    if (relation === null) notes.add("relation");
    else if (from === undefined || to === undefined) notes.add("dangling");
    else if (from === to) notes.add("self");
    else {
      const { type } = relation;
      const pair = isMutual(type) ? [from, to].toSorted() : [from, to];
      const key = JSON.stringify([type, ...pair]);
      if (edges.has(key)) notes.add("repeated");
      else edges.set(key, { from, to, type, reason: clean(edge.reason) });
    }
  }
  return [...edges.values()];
}

function readGaps(found: readonly string[]): string[] {
  const gaps = new Map<string, string>();
  for (const gap of found.map(clean)) {
    const key = claimKey(gap);
    if (gap !== "" && !gaps.has(key)) gaps.set(key, gap);
  }
  return [...gaps.values()];
}

/** The text without what a database refuses: lone surrogates and NUL. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}

function union(some: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...some, ...others])].toSorted((a, b) => a - b);
}

/** In the order in which they are noted: one thing and several, after their number. */
const NOTES = {
  empty: ["claim without words was dropped", "claims without words were dropped"],
  merged: [
    "claim was merged with one that says the same",
    "claims were merged with ones that say the same",
  ],
  renamed: [
    "claim had the id of another and got its own",
    "claims had the id of another and got their own",
  ],
  type: ["claim of an unknown type counts as factual", "claims of unknown types count as factual"],
  supporter: [
    "supporter that is no answer was dropped",
    "supporters that are no answers were dropped",
  ],
  relation: ["edge of an unknown type was dropped", "edges of unknown types were dropped"],
  dangling: ["edge to an unknown claim was dropped", "edges to unknown claims were dropped"],
  self: ["edge of a claim with itself was dropped", "edges of claims with themselves were dropped"],
  repeated: ["edge that was said before was dropped", "edges that were said before were dropped"],
} as const satisfies Record<string, readonly [string, string]>;
type Note = keyof typeof NOTES;

interface NoteBook {
  readonly add: (note: Note) => void;
  readonly lines: () => string[];
}

function noteBook(): NoteBook {
  const counts = new Map<string, number>();
  return {
    add: (note) => void counts.set(note, (counts.get(note) ?? 0) + 1),
    lines: () =>
      Object.entries(NOTES).flatMap(([note, [one, several]]) => {
        const count = counts.get(note) ?? 0;
        return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
      }),
  };
}
