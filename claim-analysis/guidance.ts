import type { ShapeName, StanceName } from "../state/analysis.ts";

/** The instructions of a stance, divided into the parts of the starter's prompt. */
export interface StanceGuidance {
  /** Stands before the question; empty where the stance needs no framing. */
  readonly framing: string;
  readonly behavior: string;
  readonly voice: string;
}

const SHAPE_GUIDANCE = {
  contested: [
    "Well-founded views stand against each other here. Do not average them and do not hide the fork.",
    "Name both sides in their strongest form, and say what would make each the right one.",
    "Lean to a side only as far as what the person said carries it, and say what carries it.",
  ],
  tradeoff: [
    "More of one good costs some of another here; no answer has both in full.",
    "Say plainly what is gained and what is given up on each side.",
    "Let the person's priorities choose; do not pretend that the price is not there.",
  ],
  contextual: [
    "The right answer changes with the circumstances here. Never say “it depends” without saying on what.",
    "Name the circumstance that decides, and what follows on each of its branches.",
    "Where the person's branch is known, answer on it. Otherwise ask for what tells the branches apart.",
  ],
  keystone: [
    "Most of this hangs on one point. Begin with it.",
    "Say what follows when it holds, and what falls when it does not.",
    "Help the person check it before they build on it.",
  ],
  linear: [
    "One thing has to come before the next here. Keep that order.",
    "Begin with the first step that is not done, and say why it comes first.",
    "Point at the step where the chain is weakest. Leave later steps short.",
  ],
  settled: [
    "The main points are agreed and nothing strong stands against them. Answer directly, the answer first.",
    "Say what would change it. Agreement is not proof.",
    "Spend no words on a balance that is not there.",
  ],
  dimensional: [
    "The question has several sides that stand beside each other, and none decides alone.",
    "Show the sides briefly, each with what it brings. Do not press them into one ranking.",
    "Find out which side weighs most for the person, and go deep there.",
  ],
  exploratory: [
    "Little is agreed and little hangs together here. Do not sound surer than that.",
    "Offer the most useful leads as leads, and say what is not known.",
    "Help the person to a sharper question; that is worth more than a thin answer.",
  ],
} as const satisfies Record<ShapeName, readonly string[]>;

const STANCE_GUIDANCE = {
  default: {
    framing: "",
    behavior:
      "Answer the question first, in substance. Then say what the answer rests on and where it could be wrong.",
    voice: "Clear, warm and direct. As much certainty as there is, no more.",
  },
  decide: {
    framing: "The person wants a decision. Help them to one.",
    behavior:
      "Recommend one way, in the first sentences. Give the reason that carries it, what it costs, and what would change it. Do not list options that you would not choose.",
    voice: "Decided and plain. Short sentences. No hedging without its reason.",
  },
  explore: {
    framing:
      "The person is still finding out what the question is. Widen the view before it narrows.",
    behavior:
      "Open up the ways that differ in kind, say what each is good for, and what it asks of the person. Recommend nothing yet; end with the one question that would help most.",
    voice: "Curious and unhurried. Concrete, not vague.",
  },
  challenge: {
    framing: "The person wants their thinking tested. Do not agree out of politeness.",
    behavior:
      "Take the position in its strongest form, then say where it breaks: the assumption it stands on, the case it forgets, what happens if it is wrong. Say what survives, and what would make it stronger.",
    voice: "Frank and respectful. Against the idea, never against the person.",
  },
} as const satisfies Record<StanceName, StanceGuidance>;

type Bend = Pick<StanceGuidance, "behavior">;

/** Additional instructions for a stance that would be dishonest or empty on a given shape. */
const BENDS: Partial<Record<`${StanceName}/${ShapeName}`, Bend["behavior"]>> = {
  "default/exploratory": "Say openly that the ground is thin, and what would make it firmer.",
  "decide/exploratory":
    "There is too little to decide on: say what is missing, what to find out first, and which way you would lean until then.",
  "decide/contested":
    "The ground is divided: decide by what the person said of their situation, name the strongest point against it, and say what would turn the decision.",
  "decide/tradeoff": "Name the price of the choice in the same breath as the choice.",
  "decide/contextual":
    "Decide on the branch that the person is on. Where that is not known, decide for each branch in a sentence and ask which one it is.",
  "decide/dimensional": "Say which side you let decide, and why that one for this person.",
  "explore/settled":
    "Do not invent alternatives: the main line is clear. Say it, and explore how it fits the person.",
  "explore/linear":
    "The order is given: explore where the person stands in it and what could hold them up, not whether there is one.",
  "explore/keystone":
    "Explore the one point that the rest hangs on before anything that follows from it.",
  "challenge/settled":
    "Wide agreement is no defence: look for the assumption that everybody shares, and for whom it would be wrong.",
  "challenge/exploratory":
    "There is little to push against: challenge the question and what it takes for granted, and say what is not known.",
  "challenge/keystone": "Aim at the one point that the rest hangs on.",
  "challenge/linear": "Aim at the weakest link of the chain.",
};

/**
 * Returns a few imperative sentences on answering from a map of this shape.
 *
 * @example
 * getShapeGuidance("settled").length > 0; // true
 */
export function getShapeGuidance(shape: ShapeName): string {
  return SHAPE_GUIDANCE[shape].join("\n");
}

/**
 * Returns the guidance of a stance; given a shape, adapts it where the map would make it dishonest or empty.
 *
 * @example
 * Object.keys(getStanceGuidance("explore")).length > 0; // true
 */
export function getStanceGuidance(stance: StanceName, shape?: ShapeName): StanceGuidance {
  const guidance = STANCE_GUIDANCE[stance];
  const bend = shape === undefined ? undefined : BENDS[`${stance}/${shape}`];
  return bend === undefined ? guidance : { ...guidance, behavior: `${guidance.behavior}\n${bend}` };
}
