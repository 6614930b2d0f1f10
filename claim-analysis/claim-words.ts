import type { ClaimType, EdgeType, Stakes } from "../state/claims.ts";

/** A relation between two claims as our edges have it; `turned` where `from` and `to` change places. */
export interface Relation {
  readonly type: EdgeType;
  readonly turned: boolean;
}

const RELATIONS: ReadonlyMap<string, Relation> = new Map<string, Relation>(
  [
    words("supports", [
      "support supports supporting reinforces strengthens backs confirms corroborates agrees",
      "agrees with|evidence for|argues for|in favour of|in favor of|consistent with|backs up",
    ]),
    turned("supports", ["supported by|backed by|confirmed by|reinforced by|strengthened by"]),
    words("conflicts", [
      "conflict conflicts conflicting challenges challenge contradicts contradict contradiction",
      "opposes opposition disagrees disputes refutes rebuts undermines counters rejects attacks denies",
      "contradictory incompatible excludes inconsistent",
      "conflicts with|in conflict with|disagrees with|incompatible with|inconsistent with",
      "mutually exclusive|mutually exclusive with|argues against|in opposition to",
      "challenged by|contradicted by|opposed by|refuted by|undermined by|disputed by|countered by",
    ]),
    words("tradeoff", [
      "tradeoff tradeoffs tension",
      "trade off|trade offs|trades off|trades off with|trades off against|in tension with",
      "tradeoff with|trade off with|at the cost of|at the expense of|competes with",
    ]),
    words("prerequisite", [
      "prerequisite prerequisites precondition enables unlocks precedes before",
      "prerequisite for|prerequisite of|prerequisite to|required by|required for|needed by|needed for",
      "precondition for|precondition of|foundation for|necessary for|comes before",
    ]),
    turned("prerequisite", [
      "requires require depends dependency needs need presupposes",
      "depends on|dependent on|relies on|rests on|builds on|enabled by|unlocked by|preceded by",
      "has prerequisite|comes after",
    ]),
  ].flat(),
);

const CLAIM_TYPES: ReadonlyMap<string, ClaimType> = new Map(
  (
    [
      ["factual", "factual fact descriptive empirical observation evidence"],
      [
        "prescriptive",
        "prescriptive recommendation advice normative prescription action suggestion",
      ],
      ["conditional", "conditional condition contextual situational"],
      ["contested", "contested disputed controversial debated"],
      ["speculative", "speculative speculation hypothesis hypothetical prediction uncertain"],
    ] as const
  ).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

/** The relation that a mapper's word for it means; null for none that we know. */
export function parseRelation(word: string): Relation | null {
  return RELATIONS.get(plain(word).replace(/^(?:is|are) (?:an? )?/u, "")) ?? null;
}

/** The type of claim that a mapper's word for it means; null for none that we know. */
export function parseClaimType(word: string): ClaimType | null {
  return CLAIM_TYPES.get(plain(word)) ?? null;
}

/** Reads a mapper's word for the stakes of a claim; unknown words are `none`. */
export function parseStakes(word: string): Stakes {
  const [first = ""] = plain(word).split(" ");
  return first.startsWith("harm") ? "harm" : first === "loss" ? "loss" : "none";
}

/** Lower case, with one space between words, whatever stood there (`dependsOn` is two words). */
function plain(word: string): string {
  return word
    .normalize("NFKC")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function words(type: EdgeType, lines: readonly string[]): (readonly [string, Relation])[] {
  return named(lines).map((word) => [word, { type, turned: false }]);
}

function turned(type: EdgeType, lines: readonly string[]): (readonly [string, Relation])[] {
  return named(lines).map((word) => [word, { type, turned: true }]);
}

/** Single words stand with spaces between them, phrases with bars. */
function named(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(line.includes("|") ? "|" : " "));
}
