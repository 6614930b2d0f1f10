import type { AnalyzedClaim, ShapeName, StructuralAnalysis } from "../state/analysis.ts";
import type { CountTokens } from "../state/model.ts";
import {
  CLAIM_DETAIL,
  gravestFirst,
  weightiestFirst,
  type BriefContent,
  type BriefForm,
  type ClaimDetail,
} from "./brief-content.ts";
import { listTensions, type Tension } from "./brief-tensions.ts";
import { describeTopology } from "./brief-topology.ts";
import { createBriefWords, LENGTH, type BriefWords } from "./brief-words.ts";
import { findLayers } from "./layers.ts";
import { openQuestion } from "./open-question.ts";

interface BriefInput {
  readonly analysis: StructuralAnalysis;
  readonly form: BriefForm;
  readonly words: BriefWords;
  /** Those the shape rests on, then the gravest and those that most say. */
  readonly ordered: readonly AnalyzedClaim[];
  readonly tensions: readonly Tension[];
}

export interface BriefStyle {
  readonly form: BriefForm;
  readonly countTokens: CountTokens;
}

/** Makes the brief's text for a given content. Sections without lines are left out. */
export function briefSections(
  analysis: StructuralAnalysis,
  { form, countTokens }: BriefStyle,
): (content: BriefContent) => string {
  const { claims, shape } = analysis;
  const input: BriefInput = {
    analysis,
    form,
    words: createBriefWords(analysis, countTokens),
    ordered: [...new Set([...pick(claims, shape.data.core), ...claims.toSorted(gravestFirst)])],
    tensions: listTensions(analysis),
  };
  const groups = form === "sheet" ? groupByLayer(input) : groupByWeight(input);
  const lines = new Map(claims.map((claim) => [claim, describeClaim(input, claim)]));
  const risk = describeRisk(input);
  return (content) =>
    [
      section("Topology", describeTopology(analysis, content.remarks)),
      ...groups.map(([title, members]) =>
        section(
          title,
          claimLines(members, { details: content.details, lines, words: input.words }),
        ),
      ),
      section("Tensions and tradeoffs", tensionLines(input, content.tensions)),
      section("Risks", form === "brief" && content.risk ? risk : []),
      section("Gaps", gapLines(input, content.gaps)),
      section("Flow and friction", form === "brief" ? flowLines(input, content) : []),
      section(
        "Transfer",
        content.transfer ? [`Ask, in your own words: ${openQuestion(input)}`] : [],
      ),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, ...lines].join("\n");
}

/** Returns the claims of these ids, in the order of the ids. */
function pick(claims: readonly AnalyzedClaim[], ids: readonly string[]): AnalyzedClaim[] {
  return ids.flatMap((id) => claims.find((claim) => claim.id === id) ?? []);
}

type ClaimGroup = readonly [title: string, claims: readonly AnalyzedClaim[]];

function groupByWeight({ analysis, ordered }: BriefInput): readonly ClaimGroup[] {
  return [
    ["Core claims", ordered.filter((claim) => !isLone(claim, analysis))],
    ["Said by one", ordered.filter((claim) => isLone(claim, analysis))],
  ];
}

function groupByLayer({ analysis, ordered }: BriefInput): readonly ClaimGroup[] {
  const { layers, free } = findLayers(ordered, analysis.edges);
  return [
    ...layers.map((claims, at): ClaimGroup => [["First", "Then"][at] ?? "After that", claims]),
    ["At any time", free],
  ];
}

function isLone({ supporters }: AnalyzedClaim, { metrics }: StructuralAnalysis): boolean {
  return supporters.length <= 1 && metrics.experts > 1;
}

type DescribedClaim = (detail: ClaimDetail) => string;

/** Makes a claim's own line: its text and, from `linked` on, what belongs to it. */
function describeClaim(
  { analysis, form, tensions, words }: BriefInput,
  claim: AnalyzedClaim,
): DescribedClaim {
  const conflicts = tensions.filter(({ type }) => type === "conflicts");
  const against = conflicts.flatMap(({ a, b }) => (a === claim ? b : b === claim ? a : []));
  const notes = [
    claim.stakes === "harm" ? "a warning" : "",
    form === "sheet" && isLone(claim, analysis) ? "said by one" : "",
  ];
  const ties = [
    claim.type === "speculative" ? "a guess" : "",
    listNames("against", against),
    listNames("needs", findNeeds(analysis, claim, "from")),
  ];
  const why = words.cut(claim.why, LENGTH.short);
  return (detail) => {
    const text = words.cut(claim.text, detail >= CLAIM_DETAIL.full ? LENGTH.full : LENGTH.short);
    const shown = [
      ...notes,
      ...(detail >= CLAIM_DETAIL.linked ? ties : []),
      detail >= CLAIM_DETAIL.reasoned && why !== "" ? `why: ${why}` : "",
    ].filter((note) => note !== "");
    return shown.length === 0 ? `- ${text}` : `- ${text} (${shown.join("; ")})`;
  };

  function listNames(title: string, claims: readonly AnalyzedClaim[]): string {
    return claims.length === 0 ? "" : `${title}: ${claims.slice(0, 2).map(words.name).join(", ")}`;
  }
}

/** Returns the claims that this one needs (`from`), or that need it (`to`), the weightiest first. */
function findNeeds(
  { claims, edges }: StructuralAnalysis,
  { id }: AnalyzedClaim,
  end: "from" | "to",
): AnalyzedClaim[] {
  const own = end === "from" ? "to" : "from";
  const ids = edges
    .filter((edge) => edge.type === "prerequisite" && edge[own] === id && edge[end] !== id)
    .map((edge) => edge[end]);
  return pick(claims, [...new Set(ids)]).toSorted(weightiestFirst);
}

interface ClaimLinesOptions extends Pick<BriefContent, "details"> {
  readonly lines: ReadonlyMap<AnalyzedClaim, DescribedClaim>;
  readonly words: BriefWords;
}

/** Returns a line for each claim in words, then one with the labels of the others. */
function claimLines(
  claims: readonly AnalyzedClaim[],
  { details, lines, words }: ClaimLinesOptions,
): string[] {
  const find = ({ id }: AnalyzedClaim): ClaimDetail => details.get(id) ?? CLAIM_DETAIL.none;
  const labels = claims.filter((claim) => find(claim) === CLAIM_DETAIL.label).map(words.label);
  return [
    ...claims
      .filter((claim) => find(claim) >= CLAIM_DETAIL.short)
      .flatMap((claim) => lines.get(claim)?.(find(claim)) ?? []),
    ...(labels.length === 0 ? [] : [`Also said: ${labels.join("; ")}`]),
  ];
}

function tensionLines({ tensions, words }: BriefInput, most: number): string[] {
  return tensions.slice(0, most).map(({ type, a, b, reason }) => {
    const [first, second] = [words.name(a), words.name(b)];
    const stakes = words.cut(reason, LENGTH.short);
    const pair =
      type === "conflicts" ? `${first} against ${second}` : `More of ${first} costs ${second}`;
    return stakes === "" ? `- ${pair}` : `- ${pair}: ${stakes}`;
  });
}

/** Says what falls with the claim that others need though few say it, or that most others need. */
function describeRisk({ analysis, ordered, words }: BriefInput): string[] {
  const [claim] = analysis.claims
    .filter((each) => findNeeds(analysis, each, "to").length > 0)
    .toSorted(
      (a, b) =>
        Number(b.inverted) - Number(a.inverted) ||
        b.leverage - a.leverage ||
        b.dependents - a.dependents ||
        weightiestFirst(a, b),
    );
  const [first] = ordered;
  if (claim !== undefined) {
    const fallen = findNeeds(analysis, claim, "to").slice(0, 2).map(words.name);
    const verb = fallen.length === 1 ? "falls" : "fall";
    const rest = claim.dependents > fallen.length ? ", and what follows from there" : "";
    const few = claim.strong ? "" : " Few say it.";
    return [
      `- If ${words.name(claim)} is wrong, ${fallen.join(" and ")} ${verb} with it${rest}.${few}`,
    ];
  }
  return analysis.shape.name !== "settled" || first === undefined
    ? []
    : [`- If ${words.name(first)} is wrong for this person, nothing else here catches it.`];
}

function gapLines({ analysis, words }: BriefInput, most: number): string[] {
  const gaps = analysis.gaps.filter((gap) => gap.trim() !== "");
  return gaps.slice(0, most).map((gap) => `- ${words.cut(gap, LENGTH.full)}`);
}

function flowLines(input: BriefInput, content: BriefContent): string[] {
  const isEmpty = input.analysis.claims.length === 0;
  return [
    ...(content.flow ? describeFlow(input) : []),
    ...(content.friction && !isEmpty ? describeFriction(input) : []),
  ].map((line) => `- ${line}`);
}

/** Describes the path from point to point: along the chain, or branch by branch. */
function describeFlow({ analysis, words }: BriefInput): string[] {
  const { claims, metrics, shape } = analysis;
  const chain = pick(claims, metrics.chain).slice(0, 4).map(words.name);
  const order = chain.length > 1 ? [`In order: ${chain.join(", then ")}.`] : [];
  const branches = shape.data.branches.slice(0, 3).flatMap(({ condition, claims: ids }) => {
    const points = pick(claims, ids).slice(0, 2).map(words.name).join(" and ");
    const gate = condition === null ? "One side" : `Where ${words.name(condition)}`;
    return points === "" ? [] : [`${gate}: ${points}.`];
  });
  return shape.name === "linear" || shape.name === "keystone"
    ? [...order, ...branches]
    : [...branches, ...order];
}

/** Describes what obstructs the flow of this shape, and any dissent. */
function describeFriction({ analysis, words }: BriefInput): string[] {
  const { claims, metrics, patterns, shape } = analysis;
  const [weak] = pick(claims, metrics.chain)
    .filter(({ strong }) => !strong)
    .toSorted((a, b) => a.support - b.support);
  const dissenting = patterns.find(({ name }) => name === "dissent")?.claims ?? [];
  const [dissent] = pick(claims, dissenting);
  return [
    weak === undefined || metrics.chain.length < 3 ? "" : `The weakest link: ${words.name(weak)}.`,
    FRICTION[shape.name],
    dissent === undefined ? "" : `A few see it otherwise: ${words.name(dissent)}.`,
  ].filter((line) => line !== "");
}

const FRICTION = {
  contested:
    "Whoever takes one side gives up the other: what speaks for it must come from the person.",
  tradeoff: "The friction is the price: what is gained on one side is paid on the other.",
  contextual:
    "As long as the person's circumstances are not known, the branches cannot be told apart.",
  keystone: "Work on what follows is lost when the one point does not hold.",
  linear: "A step that is skipped comes back later.",
  settled: "Little friction, and so little testing: what did everybody take for granted?",
  dimensional: "The sides are not weighed against each other; only the person can do that.",
  exploratory: "Nothing carries the rest: these are leads, not findings.",
} as const satisfies Record<ShapeName, string>;
