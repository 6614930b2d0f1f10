import type { ArchivedBatch } from "../../state/archive.ts";
import type { ShapeName } from "../../state/analysis.ts";
import type { ExpertAnswer } from "../../state/batch.ts";
import type { ClaimEdge, ClaimType, EdgeType } from "../../state/claims.ts";
import { clip } from "../../registry/shorten.ts";
import { oneLine } from "../../text/fence.ts";
import { claimQuotes } from "../../claim-analysis/quote-claim.ts";
import { SUBJECT } from "../../view/words.ts";

/** A claim in the form that a person sees. */
export interface ViewedClaim {
  /** Joins it to links; never shown. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** The reason that was given; empty where none was. */
  readonly why: string;
  /** In plain words: "advice", "only if"; "warning, fact" where ignoring it can do harm. */
  readonly kind: string;
  /** The share of answering experts: "3 of 4". */
  readonly support: string;
  /** Held by half of the experts or more. */
  readonly strong: boolean;
  /** Said by one of several experts. */
  readonly lone: boolean;
}

/** A link between two claims. In a `prerequisite`, `to` needs `from`. */
export interface ViewedLink {
  readonly from: ViewedClaim;
  readonly to: ViewedClaim;
  readonly type: EdgeType;
  /** Empty where none was given. */
  readonly reason: string;
}

/** The decision map of a batch, in words and without ids. */
export interface MapView {
  /** The question to the experts and its day. */
  readonly title: string;
  /** "What 3 of 4 experts said about the question: a fork between well-founded views". */
  readonly summary: string;
  /** Best supported first. */
  readonly claims: readonly ViewedClaim[];
  readonly links: readonly ViewedLink[];
  /** Questions that no expert answered. */
  readonly gaps: readonly string[];
}

/** A map to look at, or one sentence that says why there is none. */
export type ReadMap =
  | { readonly kind: "map"; readonly view: MapView }
  | { readonly kind: "none"; readonly reason: string };

/** The place of the person who reads a map. */
export interface ReaderPlace {
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag. */
  readonly locale: string;
}

/** Claims in plain words, by their type. */
const KINDS = {
  factual: "fact",
  prescriptive: "advice",
  conditional: "only if",
  contested: "disputed",
  speculative: "guess",
} as const satisfies Record<ClaimType, string>;

/** A map as a whole in plain words, by its shape. */
const SHAPES = {
  contested: "well-founded views stand against each other",
  tradeoff: "well-founded aims cost each other something",
  contextual: "it depends on the circumstances",
  keystone: "much hangs on one point",
  linear: "one thing has to come before the next",
  settled: "most is widely held",
  dimensional: "several sides stand beside each other",
  exploratory: "little is agreed yet",
} as const satisfies Record<ShapeName, string>;

/** Of a question, in characters. */
const QUESTION = 160;

/** Names a batch by what was asked and the day, as the title of its map and in a list. */
export function nameBatch({ batch }: ArchivedBatch, { timeZone, locale }: ReaderPlace): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone });
  return `${clip(oneLine(nameQuestion(batch)), QUESTION)} (${day.format(batch.deadlineAt)})`;
}

/** A concierge's own prompt gives roles and tasks to the experts: it is named by its purpose. */
function nameQuestion({ purpose, step, question }: ArchivedBatch["batch"]): string {
  switch (purpose) {
    case "opening":
      return question.text;
    case "workflow":
      return "The plan";
    case "step-help":
      return `Help with ${step === null ? "a step" : `“${step}”`}`;
    default:
      return purpose satisfies never;
  }
}

/** Reads the map of a batch; null is a thread without one. */
export function readMap(last: ArchivedBatch | null, place: ReaderPlace): ReadMap {
  if (last === null) {
    return {
      kind: "none",
      reason: "There is no map yet: no expert has been asked in this conversation.",
    };
  }
  const { batch, answers, analysis } = last;
  const asked = Math.max(batch.experts.length, answers.length);
  const answered = answers.filter(hasAnswer).length;
  const experts = `${answered} of ${asked} ${asked === 1 ? "expert" : "experts"}`;
  if (analysis === null) {
    return {
      kind: "none",
      reason: `There is no map of ${SUBJECT[batch.purpose]}: ${experts} answered, and a map needs two.`,
    };
  }
  const { line } = claimQuotes(analysis);
  const claims = analysis.claims
    .toSorted((a, b) => b.support - a.support)
    .map((claim): ViewedClaim => {
      const { id, label, text, why, type, stakes, strong, supporters } = claim;
      const support = `${supporters.length} of ${analysis.metrics.experts}`;
      return {
        id,
        label: label.trim() === "" ? text : label,
        text,
        why: line(why, WHOLE),
        kind: stakes === "harm" ? `warning, ${KINDS[type]}` : KINDS[type],
        support,
        strong,
        lone: supporters.length <= 1 && analysis.metrics.experts > 1,
      };
    });
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const viewLink = ({ from: a, to: b, type, reason }: ClaimEdge): ViewedLink[] => {
    const [from, to] = [byId.get(a), byId.get(b)];
    return from === undefined || to === undefined
      ? []
      : [{ from, to, type, reason: line(reason, WHOLE) }];
  };
  return {
    kind: "map",
    view: {
      title: nameBatch(last, place),
      summary: `What ${experts} said about ${SUBJECT[batch.purpose]}: ${SHAPES[analysis.shape.name]}`,
      claims,
      links: analysis.edges.flatMap(viewLink),
      gaps: analysis.gaps.map((gap) => line(gap, WHOLE)),
    },
  };
}

const WHOLE = Number.POSITIVE_INFINITY;

/** Returns true if an expert answered, in whole or in part. */
export function hasAnswer({ outcome }: Pick<ExpertAnswer, "outcome">): boolean {
  return outcome === "answered" || outcome === "partial";
}
