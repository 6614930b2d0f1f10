import type { ShapeName, Stance, StanceName } from "../state/analysis.ts";
import { readableMessage } from "./readable-message.ts";
import { EXPLICIT, STANCE_SIGNALS, type StanceSignal } from "./stance-signals.ts";

type Asked = StanceSignal["stance"];
type Weights = Readonly<Record<Asked, number>>;

/** Of equal weights the first wins: a test is harder to ask for than a choice, a choice than a look round. */
const ORDER = ["challenge", "decide", "explore"] as const satisfies readonly Asked[];
/** From here on the words say it. */
const ENOUGH = 1.5;
/** The share of a further signal's weight that is added to the strongest. */
const FURTHER = 0.3;

const EXPLORING: ReadonlySet<ShapeName> = new Set([
  "tradeoff",
  "exploratory",
  "contextual",
  "dimensional",
]);

const SAID = {
  challenge: "the message asks for its thinking to be tested",
  decide: "the message asks for a decision",
  explore: "the message is still looking for its question",
} as const satisfies Record<Asked, string>;

/**
 * Selects the stance for a message: by its words when they ask for one, otherwise by the shape of the map.
 *
 * Signals are weighed: the strongest counts whole and others add to it, what is denied ("don't
 * challenge me") counts nothing, and a thing that only has the word in its name is none. A test that
 * is asked for explicitly comes before the choice that is to follow it. English; other
 * languages are left to the shape. Total, linear in the message.
 *
 * @example
 * selectStance("challenge me on this", "settled").name; // "challenge"
 */
export function selectStance(message: string, shape: ShapeName): Stance {
  const weights = weigh(readableMessage(message));
  const name = strongest(weights);
  return name === null ? stanceForShape(shape) : spokenStance(name, weights);
}

/**
 * Chooses the stance that a message was read to ask for; where it asks for none, by the shape of the map.
 *
 * @example
 * chooseStance("none", "settled").name; // "default"
 */
export function chooseStance(asked: Asked | "none", shape: ShapeName): Stance {
  if (asked === "none") return stanceForShape(shape);
  return { name: asked, reason: SAID[asked], confidence: 0.9 };
}

function weigh(text: string): Weights {
  const weighStance = (stance: Asked): number => {
    const found = STANCE_SIGNALS.filter(
      (signal) => signal.stance === stance && isMeant(text, signal.pattern),
    ).map(({ weight }) => weight);
    const most = Math.max(0, ...found);
    return most + FURTHER * (found.reduce((sum, weight) => sum + weight, 0) - most);
  };
  return {
    challenge: weighStance("challenge"),
    decide: weighStance("decide"),
    explore: weighStance("explore"),
  };
}

/** Just before a signal: what turns it into its opposite. */
const DENIED =
  /(?:\b(?:don't|do not|stop|never|without|instead of|rather than|no more|enough|not to|no need (?:to|for)|not (?:want|asking|looking|here|need|ready|trying|going)(?: you)?(?: for| to)?)(?: (?:want|need|like|to|you|me|just|any|a|an|the|of|for|help|try|trying|ask|asking|keep|give|giving|have|really)){0,5} ?)$/u;
/** In characters. */
const BEFORE = 60;

/** Returns true when at least one match of the pattern in the text is not negated. */
function isMeant(text: string, pattern: RegExp): boolean {
  return Array.from(text.matchAll(pattern)).some(
    ({ index }) => !DENIED.test(text.slice(Math.max(0, index - BEFORE), index)),
  );
}

function strongest(weights: Weights): Asked | null {
  if (weights.challenge >= EXPLICIT) return "challenge";
  const [first] = ORDER.toSorted((a, b) => weights[b] - weights[a]);
  return first !== undefined && weights[first] >= ENOUGH ? first : null;
}

function spokenStance(name: Asked, weights: Weights): Stance {
  const rival = Math.max(...ORDER.filter((other) => other !== name).map((other) => weights[other]));
  const margin = Math.max(0, weights[name] - rival);
  return { name, reason: SAID[name], confidence: round(Math.min(0.95, 0.6 + margin / 10)) };
}

/** Chooses a stance when the words give none: a map without a single path through it is explored. */
function stanceForShape(shape: ShapeName): Stance {
  const name: StanceName = EXPLORING.has(shape) ? "explore" : "default";
  return {
    name,
    reason:
      name === "explore"
        ? `the words do not say, and the map is ${shape}`
        : `neither the words nor a map that is ${shape} ask for a stance`,
    confidence: 0.5,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
