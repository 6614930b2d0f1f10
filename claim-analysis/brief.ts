import { DEFAULT_LIMITS } from "../state/limits.ts";
import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import type { CountTokens } from "../state/model.ts";
import {
  CLAIM_DETAIL,
  gravestFirst,
  type BriefContent,
  type BriefForm,
  type ClaimDetail,
} from "./brief-content.ts";
import { briefSections } from "./brief-sections.ts";
import { compareTexts } from "../registry/refs.ts";

export interface BriefOptions {
  /** `brief` for a first answer, by weight; `sheet` for a plan, by what comes first. Default `brief`. */
  readonly form?: BriefForm;
  /** Counts the tokens of the brief. Default: an estimate of one token per four bytes. */
  readonly countTokens?: CountTokens;
  /** The most tokens that the brief may take. Default 700, of a sheet 2,400. */
  readonly tokens?: number;
}

/**
 * Renders a map for a concierge's prompt, in words and Markdown sections (`###`), without ids of
 * claims, counts, percentages or names of metrics.
 *
 * A claim's text stands on one line; wherever else it is named, by its label. Claims of which
 * ignoring does harm are in words before all others; then each expert in turn gets one in words.
 *
 * Contract: at most `tokens` as counted by `countTokens`, pure, total; the order of claims, edges
 * and experts changes nothing.
 *
 * @example
 * const claim = { id: "c1", label: "sell it", text: "Sell the car.", why: "rust", supporters: [1, 2], type: "prescriptive", stakes: "none" };
 * const analysis = computeStructuralAnalysis({ claims: [claim], edges: [], gaps: [], experts: 2 });
 * buildStructuralBrief(analysis).includes("- Sell the car. (why: rust)"); // true
 */
export function buildStructuralBrief(
  analysis: StructuralAnalysis,
  options: BriefOptions = {},
): string {
  const { form = "brief", countTokens = estimateTokens } = options;
  const { briefTokens, sheetTokens } = DEFAULT_LIMITS;
  const { tokens = form === "sheet" ? sheetTokens : briefTokens } = options;
  const render = briefSections(analysis, { form, countTokens });
  const count = lineCounter(countTokens);
  const fits = (content: BriefContent): boolean => count(render(content)) <= tokens;

  const least = leastContent(analysis, fits);
  const filled = [least];
  for (const raise of listRaises(analysis, least)) {
    const content = raise(filled.at(-1) ?? least);
    if (fits(content)) filled.push(content);
  }
  // The sum of lines is near the count of the whole, but no promise.
  const fitting = filled.findLast((content) => countTokens(render(content)) <= tokens);
  if (fitting !== undefined) return render(fitting);
  const lines = render(least).split("\n");
  while (lines.length > 0 && countTokens(lines.join("\n")) > tokens) lines.pop();
  return lines.join("\n").trimEnd();
}

const NOTHING_MORE: Omit<BriefContent, "details"> = {
  tensions: 0,
  gaps: 0,
  risk: false,
  transfer: false,
  flow: false,
  friction: false,
  remarks: false,
};

/**
 * Returns what a brief shows before anything is added, as much of it as fits: the deciding claims
 * and those of harm in words, one tension, every other claim by its label.
 */
function leastContent(
  { claims, shape }: StructuralAnalysis,
  fits: (content: BriefContent) => boolean,
): BriefContent {
  const base = (harm: ClaimDetail, deciding: ClaimDetail, tensions: number): BriefContent => ({
    ...NOTHING_MORE,
    tensions,
    details: new Map(
      claims.map(({ id, stakes }) => [
        id,
        stakes === "harm" ? harm : shape.data.core.includes(id) ? deciding : CLAIM_DETAIL.label,
      ]),
    ),
  });
  let content = base(CLAIM_DETAIL.full, CLAIM_DETAIL.short, 1);
  if (!fits(content)) content = base(CLAIM_DETAIL.short, CLAIM_DETAIL.short, 1);
  if (!fits(content)) content = base(CLAIM_DETAIL.short, CLAIM_DETAIL.label, 1);
  if (!fits(content)) content = base(CLAIM_DETAIL.short, CLAIM_DETAIL.label, 0);
  for (const claim of claims.filter(({ stakes }) => stakes !== "harm").toSorted(lastToMiss)) {
    if (fits(content)) break;
    content = withDetail(content, claim, CLAIM_DETAIL.none);
  }
  return content;
}

/** Orders claims by what is lost with their labels: what many say first, what one alone says last. */
function lastToMiss(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return labelWorth(a) - labelWorth(b) || gravestFirst(b, a);
}

function labelWorth({ supporters, stakes }: AnalyzedClaim): number {
  if (supporters.length <= 1) return 3;
  return stakes === "loss" ? 2 : supporters.length === 2 ? 1 : 0;
}

type Raise = (content: BriefContent) => BriefContent;

/** Lists what is added while there is room, in this order. */
function listRaises({ claims }: StructuralAnalysis, { details }: BriefContent): readonly Raise[] {
  const all = takeTurns(claims);
  return [
    ...takeTurns(claims.filter(({ id }) => details.get(id) === CLAIM_DETAIL.label)).map(
      raiseTo(CLAIM_DETAIL.short),
    ),
    add({ tensions: 1 }),
    add({ transfer: true }),
    ...[1, 2].map((gaps) => add({ gaps })),
    ...[2, 3].map((tensions) => add({ tensions })),
    add({ risk: true }),
    ...all.map(raiseTo(CLAIM_DETAIL.full)),
    ...all.map(raiseTo(CLAIM_DETAIL.linked)),
    ...all.map(raiseTo(CLAIM_DETAIL.reasoned)),
    add({ flow: true }),
    add({ friction: true }),
    add({ remarks: true }),
  ];
}

function add(more: Partial<BriefContent>): Raise {
  return (content) => ({ ...content, ...more });
}

/** Raises a claim by one step, where it has come so far. */
function raiseTo(detail: ClaimDetail): (claim: AnalyzedClaim) => Raise {
  return (claim) => (content) =>
    content.details.get(claim.id) === detail - 1 ? withDetail(content, claim, detail) : content;
}

function withDetail(
  content: BriefContent,
  { id }: AnalyzedClaim,
  detail: ClaimDetail,
): BriefContent {
  return { ...content, details: new Map(content.details).set(id, detail) };
}

/**
 * Orders claims so that each expert in turn names its gravest one that nobody has named: who stands
 * alone is heard as often as the others. Experts are told apart by what they say, not by number.
 */
function takeTurns(claims: readonly AnalyzedClaim[]): readonly AnalyzedClaim[] {
  const ordered = claims.toSorted(gravestFirst);
  const experts = new Set(claims.flatMap(({ supporters }) => supporters));
  const queues = [...experts].map((expert) =>
    ordered.filter(({ supporters }) => supporters.includes(expert)),
  );
  queues.sort((a, b) => compareTexts(idsKey(a), idsKey(b)));
  const named = new Set<AnalyzedClaim>();
  while (named.size < claims.length) {
    for (const queue of [...queues, ordered.filter(({ supporters }) => supporters.length === 0)]) {
      const claim = queue.find((each) => !named.has(each));
      if (claim !== undefined) named.add(claim);
    }
  }
  return [...named];
}

function idsKey(claims: readonly AnalyzedClaim[]): string {
  return JSON.stringify(claims.map(({ id }) => id));
}

/** Counts a text line by line, each line once: the same lines come again in every trial. */
function lineCounter(countTokens: CountTokens): CountTokens {
  const known = new Map<string, number>();
  return (text) =>
    text.split("\n").reduce((sum, line) => {
      const tokens = known.get(line) ?? countTokens(`${line}\n`);
      known.set(line, tokens);
      return sum + tokens;
    }, 0);
}

const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text without loading a tokenizer. */
function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
