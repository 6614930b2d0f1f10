/** One thing a message wants, in plain words. `phrase` is the piece of the message that says it. */
export type Wish =
  /** What there is to choose from, in view of what is there. */
  | { readonly kind: "options"; readonly phrase: string }
  | { readonly kind: "exclude"; readonly phrase: string }
  /** Something taken out is wanted back. */
  | { readonly kind: "welcome"; readonly phrase: string }
  | {
      readonly kind: "look";
      readonly phrase: string;
      readonly parts: readonly string[];
      readonly elliptic: boolean;
    }
  | {
      readonly kind: "search";
      readonly phrase: string;
      readonly terms: readonly string[];
      readonly tags: readonly string[];
      readonly minutes: number | null;
    }
  /** Which of what remains fits in so many minutes. */
  | { readonly kind: "narrow"; readonly phrase: string; readonly minutes: number }
  | { readonly kind: "show"; readonly phrase: string }
  | {
      readonly kind: "draft";
      readonly phrase: string;
      readonly what: string;
      readonly count: number;
      readonly size: number | null;
    }
  | { readonly kind: "change"; readonly phrase: string }
  | { readonly kind: "save"; readonly phrase: string }
  | { readonly kind: "add"; readonly phrase: string; readonly part: string | null }
  | { readonly kind: "remove"; readonly phrase: string; readonly part: string | null }
  | { readonly kind: "clear"; readonly phrase: string; readonly parts: readonly string[] }
  | { readonly kind: "finish"; readonly phrase: string; readonly part: string | null }
  | { readonly kind: "schedule"; readonly phrase: string }
  /** What is on one day is to be on another. */
  | { readonly kind: "move"; readonly phrase: string }
  /** Whether something is there. */
  | { readonly kind: "have"; readonly phrase: string; readonly thing: string }
  /** A number of days and times is to be filled. */
  | { readonly kind: "fill"; readonly phrase: string; readonly count: number | null }
  /** Another number than was wished before. */
  | { readonly kind: "recount"; readonly phrase: string; readonly count: number }
  /** Everything that is needed for something is to be got. */
  | { readonly kind: "collect"; readonly phrase: string }
  /** A rule that always holds. */
  | {
      readonly kind: "rule";
      readonly phrase: string;
      readonly text: string;
      readonly allergen: string | null;
    }
  /** What was said of something before. */
  | { readonly kind: "recall"; readonly phrase: string; readonly about: string }
  | { readonly kind: "count"; readonly phrase: string; readonly part: string | null }
  | { readonly kind: "verify"; readonly phrase: string; readonly part: string }
  | {
      readonly kind:
        | "standing"
        | "recap"
        | "earlier"
        | "repeat"
        | "why"
        | "meta"
        | "thanks"
        | "greet"
        /** A change that is only spoken of. */
        | "suppose"
        | "yes"
        | "no";
      readonly phrase: string;
    };

/** A message as it was understood. */
export interface Request {
  /** Plain words, spelling mended. */
  readonly plain: string;
  /** What it wants, in order; empty where nothing was understood. */
  readonly wishes: readonly Wish[];
}
