import { DEFAULT_LIMITS } from "../state/limits.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { CountTokens } from "../state/model.ts";
import { briefSections, type BriefRoom } from "./brief-sections.ts";

export interface BriefOptions {
  /** Counts the tokens of the brief. Default: an estimate of one token per four bytes. */
  readonly countTokens?: CountTokens;
  /** The most tokens that the brief may take. Default 700. */
  readonly tokens?: number;
}

const BYTES_PER_TOKEN = 4;

const WIDE: BriefRoom = {
  core: 6,
  coreLength: 200,
  tensions: 4,
  tensionLength: 120,
  risks: 3,
  gaps: 4,
  flow: 4,
  length: 140,
  transfer: true,
  remarks: true,
};

/** The cuts in the order they are made: core claims and tensions are cut only after everything else. */
const CUTS: readonly Partial<BriefRoom>[] = [
  { length: 90 },
  { flow: 3, gaps: 3 },
  { flow: 2, risks: 2 },
  { flow: 1, gaps: 2, length: 60 },
  { flow: 0, risks: 1 },
  { gaps: 1, remarks: false },
  { risks: 0, gaps: 0 },
  { transfer: false },
  { coreLength: 140, tensionLength: 90 },
  { coreLength: 100, tensionLength: 60 },
  { core: 4, tensions: 3 },
  { coreLength: 70, tensionLength: 40 },
  { core: 3, tensions: 2 },
  { core: 2, tensions: 1, coreLength: 40, tensionLength: 24 },
];

/**
 * Renders a map for a concierge's prompt, in words and Markdown sections (`###`), without ids of
 * claims, counts, percentages or names of metrics.
 *
 * Contract: at most `tokens` as counted by `countTokens`, pure, total; core claims and tensions
 * are cut last.
 *
 * @example
 * const claim = { id: "c1", label: "Sell the car", text: "Sell the car now.", supporters: [1, 2], type: "prescriptive" };
 * const analysis = computeStructuralAnalysis({ claims: [claim], edges: [], gaps: [], experts: 2 });
 * buildStructuralBrief(analysis).includes("Sell the car"); // true
 */
export function buildStructuralBrief(
  analysis: StructuralAnalysis,
  { countTokens = estimateTokens, tokens = DEFAULT_LIMITS.briefTokens }: BriefOptions = {},
): string {
  const render = briefSections(analysis);
  let room = WIDE;
  let brief = render(room);
  for (const cut of CUTS) {
    if (countTokens(brief) <= tokens) return brief;
    room = { ...room, ...cut };
    brief = render(room);
  }
  return linesWithin(brief, { countTokens, tokens });
}

/** Estimates the tokens of a text without loading a tokenizer. */
function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Returns as many whole lines from the beginning as fit. */
function linesWithin(text: string, { countTokens, tokens }: Required<BriefOptions>): string {
  const lines = text.split("\n");
  while (lines.length > 0 && countTokens(lines.join("\n")) > tokens) lines.pop();
  return lines.join("\n").trimEnd();
}
