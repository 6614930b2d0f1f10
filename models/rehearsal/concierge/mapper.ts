import type { Claim, ClaimEdge, EdgeType, MapperAnswer } from "../../../state/claims.ts";
import { type Answer, asJson } from "../answer.ts";
import { type ParsedPrompt } from "../prompt/read-prompt.ts";
import { contentStems, inline, lowered, sentencesOf, sharedStems, shortened } from "./sayings.ts";

/** Maps numbered answers: sentences that say the same are one claim, wording makes the edges. */
export function mapAnswers(prompt: ParsedPrompt): Answer {
  const answers = answersIn(prompt.section("Answers"));
  const said = answers.flatMap((answer, index) =>
    statementsOf(answer).map((text) => ({ text, by: index + 1 })),
  );
  const { points, gaps } = divided(said);
  const kept = points.slice(0, MOST_CLAIMS);
  const map: MapperAnswer = { claims: kept.map(claimOf), edges: edgesOf(kept), gaps: [...gaps] };
  return { kind: "value", value: asJson(map) };
}

const MOST_CLAIMS = 25;

interface Statement {
  readonly text: string;
  /** The number of the answer. */
  readonly by: number;
}

/** What one or more answers say. */
interface Point {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly supporters: readonly number[];
}

function answersIn(text: string): string[] {
  return [...text.matchAll(/^<answer>\n([\s\S]*?)\n?<\/answer>$/gm)].map(([, body = ""]) => body);
}

/** Steps are one statement each, whatever sentences they hold. */
function statementsOf(answer: string): string[] {
  return answer
    .split("\n")
    .flatMap((line) => (STEP.test(line) ? [line] : sentencesOf(line)))
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((line) => contentStems(line).size > 0);
}

const STEP = /^\s*(?:step \d+|\d+[.)]\s+\*\*)/i;

const OPEN = /^(?:i do not know|it is not known|nobody knows|not known:|open:)\s*/i;

function divided(said: readonly Statement[]): {
  readonly points: readonly Point[];
  readonly gaps: readonly string[];
} {
  const points: Point[] = [];
  const gaps = new Set<string>();
  for (const { text, by } of said) {
    if (OPEN.test(text) || text.endsWith("?")) {
      gaps.add(shortened(lowered(inline(text.replace(OPEN, ""))), 160));
      continue;
    }
    const stems = contentStems(text);
    const at = points.findIndex((point) => isSame(point, { text, stems }));
    const known = points[at];
    if (known === undefined) points.push({ text, stems, supporters: [by] });
    else points[at] = { ...known, supporters: [...new Set([...known.supporters, by])] };
  }
  // The weightiest first; equals stay in the order in which they were said.
  return {
    points: points.toSorted((a, b) => b.supporters.length - a.supporters.length),
    gaps: [...gaps],
  };
}

/** Nearly all words in common, and none of them turns the sense. */
function isSame(one: Pick<Point, "text" | "stems">, other: Pick<Point, "text" | "stems">): boolean {
  if (one.text.toLowerCase() === other.text.toLowerCase()) return true;
  if (turns(one.text) !== turns(other.text)) return false;
  if (leaning(one.text) !== leaning(other.text)) return false;
  const shared = sharedStems(one.stems, other.stems);
  const all = one.stems.size + other.stems.size - shared;
  return shared >= 3 && shared / all >= 0.8;
}

function turns(text: string): boolean {
  return /\b(?:not|never|no|however|but|instead|without|before|unless)\b/i.test(text);
}

function claimOf({ text, supporters }: Point, index: number): Claim {
  const said = inline(text.replace(/^(?:however|but),?\s+/i, ""));
  const whole = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
  const words = said.replace(/^step \d+:\s*/i, "").split(/\s+/);
  return {
    id: `c${index + 1}`,
    label: shortened(words.slice(0, 5).join(" "), 48),
    text: whole,
    supporters: [...supporters].toSorted((a, b) => a - b),
    type: typeOf(text),
  };
}

function typeOf(text: string): Claim["type"] {
  if (
    /^(?:if|unless|when|where|as long as)\b|\b(?:only if|unless|if the|as long as)\b/i.test(text)
  ) {
    return "conditional";
  }
  if (/\b(?:may|might|perhaps|probably|maybe|i guess)\b/i.test(text)) return "speculative";
  if (/^(?:however|but)\b/i.test(text)) return "factual";
  if (/^before\b/i.test(text)) return "prescriptive";
  const [first = ""] = text.split(/\s+/);
  return /(?:ing|s)$/.test(first) || /\b(?:is|are|costs?|saves?|fails?|teach(?:es)?)\b/i.test(text)
    ? "factual"
    : "prescriptive";
}

/** What the wording says of how points stand to each other. */
function edgesOf(points: readonly Point[]): ClaimEdge[] {
  return points.flatMap((point, index) => [
    ...objection(point, index, points),
    ...condition(point, index, points),
    ...order(point, index, points),
    ...opposite(point, index, points),
  ]);
}

type Reader = (point: Point, index: number, points: readonly Point[]) => ClaimEdge[];

function edge(from: number, to: number, said: { type: EdgeType; reason: string }): ClaimEdge[] {
  return from === -1 || to === -1 || from === to
    ? []
    : [{ from: `c${from + 1}`, to: `c${to + 1}`, ...said }];
}

/** "However, …" stands against what it speaks of; where it names a price, it is a tradeoff. */
const objection: Reader = ({ text, stems }, index, points) => {
  if (!/^(?:however|but)\b/i.test(text)) return [];
  const price = /\b(?:costs?|price|dearer|slow|slower|expensive|gives? up|years)\b/i.test(text);
  return edge(index, nearest(stems, index, points), {
    type: price ? "tradeoff" : "conflicts",
    reason: shortened(inline(text.replace(/^(?:however|but),?\s+/i, "")), 100),
  });
};

/** "Before X, Y": X needs Y. */
const condition: Reader = ({ text }, index, points) => {
  const [, later = ""] = /^before (?:you |we )?([^,]+),/i.exec(text) ?? [];
  return edge(index, nearest(contentStems(later), index, points), {
    type: "prerequisite",
    reason: "has to come first",
  });
};

const order: Reader = ({ text }, index, points) => {
  const number = Number(/^step (\d+):/i.exec(text)?.[1] ?? 0);
  if (number === 0) return [];
  const next = points.findIndex((other) => other.text.startsWith(`Step ${number + 1}:`));
  return edge(index, next, { type: "prerequisite", reason: "one step after the other" });
};

/** Leaning to different sides, or the same thing once with and once without a "not". */
const opposite: Reader = (point, index, points) =>
  points.flatMap((other, at) => {
    if (at <= index) return [];
    const [one, two] = [leaning(point.text), leaning(other.text)];
    const sides = one !== "" && two !== "" && one !== two;
    const denies =
      isDenied(point.text) !== isDenied(other.text) &&
      sharedStems(point.stems, other.stems) >=
        Math.max(2, Math.min(point.stems.size, other.stems.size) * 0.7);
    if (!sides && !denies) return [];
    return edge(index, at, {
      type: "conflicts",
      reason: sides ? `either ${one} or ${two}` : "one says the opposite of the other",
    });
  });

/** What a text leans to; empty where it does not. */
function leaning(text: string): string {
  const found = /^(?:lean towards|rather|choose|go with|prefer) ([^:,.]+)/i.exec(text);
  return found?.[1]?.trim().toLowerCase() ?? "";
}

function isDenied(text: string): boolean {
  return /\b(?:not|never|don't|do not|avoid)\b/i.test(text);
}

/** The other point that shares most words; -1 where none shares any. */
function nearest(stems: ReadonlySet<string>, index: number, points: readonly Point[]): number {
  const shared = points.map((point, at) => (at === index ? 0 : sharedStems(stems, point.stems)));
  const most = Math.max(0, ...shared);
  return most === 0 ? -1 : shared.indexOf(most);
}
