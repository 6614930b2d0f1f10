import { countTokens } from "../../../models/tokens.ts";
import { ClaimTypeSchema, EdgeTypeSchema } from "../../../state/claims.ts";
import {
  computeStructuralAnalysis,
  type StructuralAnalysisInput,
} from "../../../claim-analysis/analysis.ts";
import { buildStructuralBrief } from "../../../claim-analysis/brief.ts";
import { seededRandom } from "../../../test/support/signal-texts.ts";
import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { timed } from "../paired.ts";

/**
 * Milliseconds of the structural analysis and of the brief it becomes, for maps of 8 experts.
 *
 * Each claim has one to eight supporters and two edges on average, to claims near it as in real
 * maps and to any of the map. A real map has 10 to 30 claims.
 */
export const structure: Measurement = {
  name: "structure",
  about: "Milliseconds to analyse a map of claims, and to write its brief",
  async run({ quick, seed, progress }) {
    const rows: Row[] = [];
    for (const claims of quick ? [50, 500] : [50, 500, 5_000]) {
      progress(`${claims} claims`);
      rows.push(await measureMap(claims, { seed, times: quick ? 1 : 15 }));
    }
    return [
      {
        title: "Structural analysis",
        columns: ["claims", "edges", "analysis, ms", "per claim, µs", "brief, ms", "shape"],
        rows,
        notes: ["medians; one core, no I/O"],
      },
    ];
  },
};

async function measureMap(
  claims: number,
  { seed, times }: { readonly seed: number; readonly times: number },
): Promise<Row> {
  const map = drawMap(claims, seededRandom(seed));
  const analysis = computeStructuralAnalysis(map);
  buildStructuralBrief(analysis, { countTokens });
  const analysing: number[] = [];
  const writing: number[] = [];
  for (let time = 0; time < times; time += 1) {
    analysing.push(await timed(() => computeStructuralAnalysis(map)));
    writing.push(await timed(() => buildStructuralBrief(analysis, { countTokens })));
  }
  const ms = median(analysing);
  return [
    claims,
    map.edges.length,
    ms,
    (1_000 * ms) / claims,
    median(writing),
    analysis.shape.name,
  ];
}

const EXPERTS = 8;

function drawMap(size: number, random: () => number): StructuralAnalysisInput {
  const below = (limit: number): number => Math.floor(random() * limit);
  const everyone = Array.from({ length: EXPERTS }, (_, at) => at + 1);
  const claims = Array.from({ length: size }, (_, at) => ({
    id: `c${at}`,
    label: `claim ${at}`,
    text: `What is said about point ${at} and why it matters`,
    supporters: everyone.slice(below(EXPERTS)),
    type: ClaimTypeSchema.options[below(ClaimTypeSchema.options.length)] ?? "factual",
  }));
  const edges = Array.from({ length: size * 2 }, (_, at) => {
    const from = Math.floor(at / 2);
    const to = random() < 0.5 ? Math.min(size - 1, from + 1 + below(5)) : below(size);
    return {
      from: `c${from}`,
      to: `c${to}`,
      type: EdgeTypeSchema.options[below(EdgeTypeSchema.options.length)] ?? "supports",
      reason: `because of ${at}`,
    };
  });
  return { claims, edges, gaps: ["What it costs", "Who does it"], experts: EXPERTS };
}
