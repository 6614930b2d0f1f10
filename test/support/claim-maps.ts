import { fc } from "@fast-check/vitest";
import {
  EdgeTypeSchema,
  ClaimTypeSchema,
  StakesSchema,
  type Claim,
  type ClaimMap,
  type ClaimType,
} from "../../state/claims.ts";
import type { StructuralAnalysisInput } from "../../claim-analysis/analysis.ts";

/** A map in short: who says what, edges as "a conflicts b". */
export interface MapSketch {
  readonly experts: number;
  readonly claims: Readonly<Record<string, readonly number[]>>;
  readonly edges?: readonly string[];
  readonly types?: Readonly<Record<string, ClaimType>>;
}

/**
 * Reads a sketch of a line: experts, claims with their supporters, and edges with one end or more
 * (`4 | plan 12, dig 3, pay 4 | plan prerequisite dig pay`). A claim that begins with "if" is
 * conditional.
 */
export function sketchMap(text: string): MapSketch {
  const [experts, claims = "", edges = ""] = text.split(" | ");
  const supporters = splitList(claims).map(([id = "", who = ""]) => [id, [...who].map(Number)]);
  const conditional = supporters.filter(([id]) => /^if[A-Z]/u.test(String(id)));
  return {
    experts: Number(experts),
    claims: Object.fromEntries(supporters),
    edges: splitList(edges).flatMap(([from, type, ...ends]) =>
      ends.map((end) => `${from} ${type} ${end}`),
    ),
    types: Object.fromEntries(conditional.map(([id]) => [id, "conditional"])),
  };
}

function splitList(list: string): string[][] {
  return list === "" ? [] : list.split(", ").map((item) => item.split(" "));
}

/** Makes a map of a sketch; a claim's text and an edge's reason say which they are. */
export function mapOfSketch(sketch: MapSketch): StructuralAnalysisInput {
  const claims = Object.entries(sketch.claims).map(([id, supporters]): Claim => ({
    id,
    label: id,
    text: `Text of ${id}`,
    why: "",
    supporters: [...supporters],
    type: sketch.types?.[id] ?? "factual",
    stakes: "none",
  }));
  const edges = (sketch.edges ?? []).map((line) => {
    const [from = "", type, to = ""] = line.split(" ");
    return { from, to, type: EdgeTypeSchema.parse(type), reason: line };
  });
  return { claims, edges, gaps: [], experts: sketch.experts };
}

/** Maps of up to 10 experts, 12 claims and 20 edges; edges may dangle, repeat and form cycles. */
export function claimMaps(): fc.Arbitrary<StructuralAnalysisInput> {
  return fc
    .record({ experts: fc.integer({ min: 0, max: 10 }), size: fc.integer({ min: 0, max: 12 }) })
    .chain(({ experts, size }) => {
      const id = fc.integer({ min: 0, max: Math.max(0, size) }).map((at) => `c${at}`);
      const claims = fc.tuple(
        ...Array.from({ length: size }, (_, at) =>
          fc.record({
            id: fc.constant(`c${at}`),
            label: fc.constant(`claim ${at}`),
            text: fc.constantFrom("Move", "Wait", `Text ${at}`),
            why: fc.constantFrom("", "It is known"),
            supporters: anySupporters(experts),
            type: fc.constantFrom(...ClaimTypeSchema.options),
            stakes: fc.constantFrom(...StakesSchema.options),
          }),
        ),
      );
      const edge = fc.record({
        from: id,
        to: id,
        type: fc.constantFrom(...EdgeTypeSchema.options),
        reason: fc.constantFrom("because", "so"),
      });
      return fc.record({
        claims,
        edges: fc.array(edge, { maxLength: 20 }),
        gaps: fc.array(fc.constantFrom("Costs", "Dates", "Law"), { maxLength: 3 }),
        experts: fc.constant(experts),
      });
    });
}

/** Support as maps have it: single voices, and claims that most share. */
function anySupporters(experts: number): fc.Arbitrary<number[]> {
  const everyone = Array.from({ length: experts }, (_, at) => at + 1);
  return fc.oneof(
    fc.subarray(everyone),
    fc.subarray(everyone, { maxLength: Math.min(2, experts) }),
    fc.subarray(everyone, { minLength: Math.floor(experts / 2) }),
  );
}

/** Every map that differs by one supporter of one claim. */
export function* oneSupporterChanged(
  map: StructuralAnalysisInput,
): Iterable<StructuralAnalysisInput> {
  for (const [at, claim] of map.claims.entries()) {
    for (let expert = 1; expert <= map.experts; expert += 1) {
      const others = claim.supporters.filter((supporter) => supporter !== expert);
      const supporters = others.length === claim.supporters.length ? [...others, expert] : others;
      yield { ...map, claims: map.claims.with(at, { ...claim, supporters }) };
    }
  }
}

/** The map with its experts under other numbers: `numbers[0]` is what expert 1 is called now. */
export function renumberExperts<Map extends ClaimMap>(map: Map, numbers: readonly number[]): Map {
  const claims = map.claims.map((claim) => ({
    ...claim,
    supporters: claim.supporters.map((supporter) => numbers[supporter - 1] ?? supporter),
  }));
  return { ...map, claims };
}
