import type {
  AnalyzedClaim,
  PatternName,
  ShapeName,
  StructuralAnalysis,
} from "../state/analysis.ts";
import type { ClaimEdge } from "../state/claims.ts";
import { claimQuotes, type ClaimQuotes } from "./quote-claim.ts";

/** The size of each section: its lines, and the characters of a quoted text. */
export interface BriefRoom {
  readonly core: number;
  readonly coreLength: number;
  readonly tensions: number;
  readonly tensionLength: number;
  readonly risks: number;
  readonly gaps: number;
  readonly flow: number;
  /** Characters of a text that is quoted outside of core claims and tensions. */
  readonly length: number;
  readonly transfer: boolean;
  readonly remarks: boolean;
}

interface BriefInput {
  readonly analysis: StructuralAnalysis;
  readonly quotes: ClaimQuotes;
  readonly core: readonly AnalyzedClaim[];
  readonly tensions: readonly Tension[];
  readonly risks: readonly Risk[];
}

interface Tension {
  readonly kind: "conflict" | "tradeoff";
  readonly a: AnalyzedClaim;
  readonly b: AnalyzedClaim;
  readonly reason: string;
}

interface Risk {
  readonly claim: AnalyzedClaim;
  readonly needing: readonly AnalyzedClaim[];
}

const TOPOLOGY = {
  contested: "A fork: well-founded views stand against each other, and both cannot be followed.",
  tradeoff: "A balance: well-founded aims cost each other something, and none can be had in full.",
  contextual:
    "A branching: what is right depends on the circumstances, and they exclude each other.",
  keystone: "A hub: most of what was said hangs on one point.",
  linear: "A path: one thing has to come before the next.",
  settled:
    "Common ground: the main points are widely held, and nothing strong stands against them.",
  dimensional: "Several sides: groups of points stand beside each other, and none decides alone.",
  exploratory: "Open ground: little is agreed, and little hangs together.",
} as const satisfies Record<ShapeName, string>;

/** The second shape, as the end of "There is also …". */
const ALSO = {
  contested: "a fork between well-founded views",
  tradeoff: "a balance between aims that cost each other",
  contextual: "a branching on circumstances",
  keystone: "one point that much hangs on",
  linear: "a path that has to be gone in order",
  settled: "common ground",
  dimensional: "a falling apart into several sides",
  exploratory: "much open ground",
} as const satisfies Record<ShapeName, string>;

const REMINDER =
  "Agreement is not truth: what many say can be wrong together, and what one says can be right.";
const EMPTY =
  "Nothing: no point came back that could be told apart. Answer from general knowledge and say so.";

/** Shares from which a remark is worth its words. */
const UNSURE = 0.5;
const MUCH = 0.5;

/** Makes the brief's text for a given room. Sections without content are left out. */
export function briefSections(analysis: StructuralAnalysis): (room: BriefRoom) => string {
  const input: BriefInput = {
    analysis,
    quotes: claimQuotes(analysis),
    core: coreClaims(analysis),
    tensions: listTensions(analysis),
    risks: listRisks(analysis),
  };
  return (room) =>
    [
      section("Topology", topology(input, room)),
      section("Core claims", coreLines(input, room)),
      section("Tensions and tradeoffs", tensionLines(input, room)),
      section("Risks", riskLines(input, room)),
      section("Gaps", gapLines(input, room)),
      section("Flow and friction", flowLines(input, room)),
      section("Transfer", transferLines(input, room)),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, ...lines].join("\n");
}

function topology({ analysis }: BriefInput, { remarks }: BriefRoom): string[] {
  if (analysis.claims.length === 0) return [EMPTY];
  const { shape } = analysis;
  return [
    TOPOLOGY[shape.name],
    ...(remarks ? topologyRemarks(analysis) : []),
    ...(remarks && analysis.metrics.experts < 2
      ? ["A single view was heard: nothing here has been checked against another."]
      : [REMINDER]),
  ];
}

function topologyRemarks({ claims, metrics, shape }: StructuralAnalysis): string[] {
  const { name, runnerUp } = shape;
  const apart = metrics.components > 1 && metrics.fragmentation >= MUCH;
  const remarks = [
    runnerUp === null ? "" : `There is also ${ALSO[runnerUp]}.`,
    shape.confidence < UNSURE ? "This reading is not a sure one." : "",
    apart && name !== "dimensional" ? "It falls into parts that hardly touch." : "",
    metrics.tension >= MUCH && name !== "contested" && name !== "tradeoff"
      ? "Much of what joins its points is tension."
      : "",
    metrics.alignment < MUCH && name !== "contested" && claims.some(({ strong }) => strong)
      ? "The well-supported points do not pull the same way."
      : "",
    metrics.depth >= MUCH && name !== "linear" && name !== "keystone"
      ? "Much of it has to come in order."
      : "",
  ];
  const shown = remarks.filter((remark) => remark !== "").slice(0, 2);
  return shown.length === 0 ? [] : [shown.join(" ")];
}

/** Returns core claims in order: those the shape rests on, those with the most support, those that others depend on. */
function coreClaims({ claims, shape }: StructuralAnalysis): AnalyzedClaim[] {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const deciding = shape.data.core.flatMap((id) => byId.get(id) ?? []);
  return [...new Set([...deciding, ...claims.toSorted(byWeight)])];
}

function byWeight(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return b.support - a.support || b.leverage - a.leverage || compare(a.text, b.text);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function coreLines({ core, quotes }: BriefInput, room: BriefRoom): string[] {
  const anyStrong = core.some(({ strong }) => strong);
  return core.slice(0, room.core).map((claim) => {
    const notes = [
      claim.contested ? "contested" : "",
      anyStrong && !claim.strong ? "said by few" : "",
      claim.type === "speculative" ? "a guess" : "",
    ].filter((note) => note !== "");
    const text = quotes.line(claim.text, room.coreLength);
    return notes.length === 0 ? `- ${text}` : `- ${text} (${notes.join(", ")})`;
  });
}

/** Returns the tensions that decided the shape first, then other conflicts and tradeoffs by the support of both ends. */
function listTensions({ claims, edges, shape }: StructuralAnalysis): Tension[] {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const found = edges.flatMap((edge) => {
    if (edge.type !== "conflicts" && edge.type !== "tradeoff") return [];
    return describeTension({ a: edge.from, b: edge.to, reason: edge.reason }, edge.type, byId);
  });
  const joinedBy = (type: ClaimEdge["type"]): ReadonlySet<string> =>
    new Set(edges.filter((edge) => edge.type === type).map(({ from, to }) => pairKey(from, to)));
  const conflicts = joinedBy("conflicts");
  const tradeoffs = joinedBy("tradeoff");
  const deciding = shape.data.pairs.flatMap((pair) => {
    const key = pairKey(pair.a, pair.b);
    const type = tradeoffs.has(key) && !conflicts.has(key) ? "tradeoff" : "conflicts";
    return describeTension(pair, type, byId);
  });
  const others = found.toSorted(
    (x, y) =>
      y.a.support + y.b.support - (x.a.support + x.b.support) ||
      compare(x.a.text, y.a.text) ||
      compare(x.b.text, y.b.text),
  );
  return [
    ...new Map(
      [...deciding, ...others].toReversed().map((each) => [pairKey(each.a.id, each.b.id), each]),
    ).values(),
  ].toReversed();
}

interface TensionEdge {
  readonly a: string;
  readonly b: string;
  readonly reason: string;
}

function describeTension(
  { a, b, reason }: TensionEdge,
  type: "conflicts" | "tradeoff",
  byId: ReadonlyMap<string, AnalyzedClaim>,
): Tension[] {
  const [first, second] = [byId.get(a), byId.get(b)];
  if (first === undefined || second === undefined || first === second) return [];
  return [{ kind: type === "tradeoff" ? "tradeoff" : "conflict", a: first, b: second, reason }];
}

/** The same whichever of the two comes first. */
function pairKey(one: string, other: string): string {
  return JSON.stringify([one, other].toSorted());
}

function tensionLines({ tensions, quotes }: BriefInput, room: BriefRoom): string[] {
  return tensions.slice(0, room.tensions).map(({ kind, a, b, reason }) => {
    const [first, second] = [a, b].map(({ text }) => quotes.quote(text, room.tensionLength));
    const stakes = quotes.line(reason, room.tensionLength);
    const pair =
      kind === "conflict" ? `${first} against ${second}` : `More of ${first} costs ${second}`;
    return stakes === "" ? `- ${pair}` : `- ${pair}: ${stakes}`;
  });
}

/** Returns claims that others need: those with little support first, then those with the most dependents. */
function listRisks({ claims, edges }: StructuralAnalysis): Risk[] {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const needing = new Map<string, Set<AnalyzedClaim>>();
  for (const { from, to, type } of edges) {
    const needs = byId.get(to);
    if (type !== "prerequisite" || needs === undefined || from === to) continue;
    needing.set(from, (needing.get(from) ?? new Set()).add(needs));
  }
  return claims
    .filter(({ id }) => needing.has(id))
    .toSorted(
      (a, b) =>
        Number(b.inverted) - Number(a.inverted) ||
        b.leverage - a.leverage ||
        b.dependents - a.dependents ||
        compare(a.text, b.text),
    )
    .map((claim) => ({ claim, needing: [...(needing.get(claim.id) ?? [])].toSorted(byWeight) }));
}

function riskLines({ analysis, core, risks, quotes }: BriefInput, room: BriefRoom): string[] {
  const named = risks.slice(0, room.risks).map(({ claim, needing }) => {
    const fallen = needing.slice(0, 2).map(({ text }) => quotes.quote(text, room.length));
    const rest = claim.dependents > fallen.length ? ", and what follows from there" : "";
    const few = claim.strong ? "" : " Few say it.";
    const verb = fallen.length === 1 ? "falls" : "fall";
    return `- If ${quotes.quote(claim.text, room.length)} is wrong, ${fallen.join(" and ")} ${verb} with it${rest}.${few}`;
  });
  if (named.length > 0 || room.risks === 0) return named;
  const [first] = core;
  return analysis.shape.name === "settled" && first !== undefined
    ? [
        `- If ${quotes.quote(first.text, room.length)} is wrong for this person, nothing else here catches it.`,
      ]
    : [];
}

function gapLines({ analysis, quotes }: BriefInput, room: BriefRoom): string[] {
  return analysis.gaps
    .filter((gap) => gap.trim() !== "")
    .slice(0, room.gaps)
    .map((gap) => `- ${quotes.line(gap, room.length)}`);
}

function flowLines(input: BriefInput, room: BriefRoom): string[] {
  if (input.analysis.claims.length === 0) return [];
  const lines = [...flow(input, room), ...friction(input, room)];
  return lines.slice(0, room.flow).map((line) => `- ${line}`);
}

/** Describes the path from point to point: along the chain, or branch by branch. */
function flow({ analysis, quotes }: BriefInput, { length }: BriefRoom): string[] {
  const { metrics, shape } = analysis;
  const quoteLabels = (ids: readonly string[], most: number): string[] =>
    ids
      .flatMap((id) => quotes.claim(id) ?? [])
      .slice(0, most)
      .map(({ text }) => quotes.quote(text, length));
  const chain = quoteLabels(metrics.chain, 4);
  const order = chain.length > 1 ? [`In order: ${chain.join(", then ")}.`] : [];
  const branches = shape.data.branches.slice(0, 3).flatMap(({ condition, claims }) => {
    const points = quoteLabels(claims, 2).join(" and ");
    if (points === "") return [];
    const gate = condition === null ? "" : (quotes.claim(condition)?.text ?? condition);
    return gate.trim() === ""
      ? [`One side: ${points}.`]
      : [`Where ${quotes.quote(gate, length)}: ${points}.`];
  });
  return shape.name === "linear" || shape.name === "keystone"
    ? [...order, ...branches]
    : [...branches, ...order];
}

/** Describes what obstructs the flow of this shape, and any dissent. */
function friction({ analysis, quotes }: BriefInput, { length }: BriefRoom): string[] {
  const { metrics, patterns, shape } = analysis;
  const first = (name: PatternName): AnalyzedClaim | null =>
    patterns
      .filter((pattern) => pattern.name === name)
      .flatMap(({ claims }) => claims.flatMap((id) => quotes.claim(id) ?? []))[0] ?? null;
  const weak = metrics.chain
    .flatMap((id) => quotes.claim(id) ?? [])
    .filter(({ strong }) => !strong)
    .toSorted((a, b) => a.support - b.support)[0];
  const dissent = first("dissent");
  const loose = first("orphaned");
  return [
    weak === undefined || metrics.chain.length < 3
      ? ""
      : `The weakest link: ${quotes.quote(weak.text, length)}.`,
    FRICTION[shape.name],
    dissent === null ? "" : `A few see it otherwise: ${quotes.quote(dissent.text, length)}.`,
    loose === null
      ? ""
      : `Stands alone, and may open another way: ${quotes.quote(loose.text, length)}.`,
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

function transferLines(input: BriefInput, room: BriefRoom): string[] {
  return room.transfer ? [`Ask, in your own words: ${openQuestion(input, room)}`] : [];
}

/** The one question that would help most; never one for yes or no. */
function openQuestion(
  { analysis, core, tensions, quotes }: BriefInput,
  { length }: BriefRoom,
): string {
  const { gaps, metrics, shape } = analysis;
  const quoted = (claim: AnalyzedClaim | null | undefined): string | null =>
    claim === null || claim === undefined ? null : quotes.quote(claim.text, length);
  const [pair] = tensions;
  const pairWords =
    pair === undefined
      ? null
      : `${quotes.quote(pair.a.text, length)} and ${quotes.quote(pair.b.text, length)}`;
  const gap = gaps.find((each) => each.trim() !== "");
  const gapWords = gap === undefined ? null : quotes.quote(gap, length);
  const gate = shape.data.branches.map(({ condition }) => condition).find((each) => each !== null);
  switch (shape.name) {
    case "contested":
      if (pairWords !== null)
        return `what in your situation pulls you one way or the other between ${pairWords}?`;
      break;
    case "tradeoff":
      if (pairWords !== null) return `which would you give up first, and why, of ${pairWords}?`;
      break;
    case "contextual":
      if (gate !== undefined && gate !== null)
        return `how are things with you where this is concerned: ${quotes.quote(quotes.claim(gate)?.text ?? gate, length)}?`;
      break;
    case "keystone": {
      const hub = quoted(metrics.hub === null ? core[0] : (quotes.claim(metrics.hub) ?? core[0]));
      if (hub !== null) return `what do you know, in your own case, of this: ${hub}?`;
      break;
    }
    case "linear": {
      const start = quoted(metrics.chain.flatMap((id) => quotes.claim(id) ?? [])[0] ?? core[0]);
      if (start !== null)
        return `how far along are you, seen from ${start}, and what stands in the way?`;
      break;
    }
    case "dimensional":
      return "which side of this weighs most for you, and why?";
    case "settled":
      if (gapWords === null && core[0] !== undefined)
        return `what about your situation might make this fit badly: ${quoted(core[0])}?`;
      break;
    case "exploratory":
      break;
    default:
      shape.name satisfies never;
  }
  return gapWords === null
    ? "what brought this up, and what would a good outcome look like for you?"
    : `what can you tell me about this: ${gapWords}?`;
}
