import type { Constraint } from "../../state/constraint.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";

/** A row or a draft as the reference model knows it. Labels are unique. */
export interface MadeUpRow {
  readonly type: EntityType;
  label: string;
  /** Columns by name; labels in place of refs. */
  values: JsonObject;
  saved: boolean;
  gone: boolean;
  excluded: { readonly turn: number; readonly reason: string } | null;
  /** The last turn in which it was read, written or spoken of. */
  seen: number;
}

/** The work of one step. */
export type Work =
  | { readonly kind: "read" }
  | { readonly kind: "find"; readonly thing: MadeUpRow }
  | { readonly kind: "judge"; readonly column: string; readonly keeps: (text: string) => boolean }
  | { readonly kind: "create"; readonly values: JsonObject }
  | { readonly kind: "save"; readonly draft: MadeUpRow }
  | { readonly kind: "update"; readonly column: string; readonly value: Json }
  | { readonly kind: "delete" }
  | { readonly kind: "draft"; readonly drafts: readonly JsonObject[] }
  | {
      readonly kind: "redraft";
      readonly draft: MadeUpRow;
      readonly column: string;
      readonly value: Json;
    };

/** One step of the plan that fits an intent. */
export interface StepBrief {
  readonly type: EntityType;
  readonly about: readonly MadeUpRow[];
  readonly work: Work;
}

/** The subject of a reply. */
export type ReplyBrief =
  /** The choice in focus. */
  | { readonly kind: "left" }
  | { readonly kind: "rows"; readonly type: EntityType }
  | { readonly kind: "values"; readonly things: readonly MadeUpRow[]; readonly column: string }
  | { readonly kind: "why"; readonly thing: MadeUpRow }
  /** Things that were left out. */
  | { readonly kind: "out"; readonly things: readonly MadeUpRow[] }
  /** Facts that the person stated in an earlier turn. */
  | { readonly kind: "said"; readonly words: string }
  | { readonly kind: "stored" }
  | { readonly kind: "drafts"; readonly things: readonly MadeUpRow[] }
  | { readonly kind: "talk" };

/** An open choice as a person remembers it. */
export interface ChoiceBrief {
  readonly type: string;
  readonly of: number;
  /** Labels of what is left. */
  readonly left: readonly string[];
}

/** A wish, and the words of the earlier one that it takes the place of. */
export interface WishBrief extends Pick<Constraint, "text" | "kind" | "count" | "until" | "scope"> {
  readonly replaces: string | null;
}

/** An intent with the labels that it is about: what honest models are handed. Refs, values and counts they look up. */
export interface Brief {
  readonly message: string;
  readonly references: readonly MadeUpRow[];
  /** The number by which the message names its row, in the list that was shown last; null where it has its name. */
  readonly place: number | null;
  readonly exclude: readonly MadeUpRow[];
  readonly restore: readonly MadeUpRow[];
  readonly reason: string;
  readonly look: EntityType | null;
  /** The open choice that the message returns to. */
  readonly topic: ChoiceBrief | null;
  readonly answers: "accept" | "reject" | null;
  readonly undo: boolean;
  /** A wish beyond this message. */
  readonly wish: WishBrief | null;
  /** The label of a row in view that was changed outside before this message. */
  readonly outside: string | null;
  readonly decision: "answer" | "plan" | "propose";
  readonly steps: readonly StepBrief[];
  readonly goal: string;
  readonly reply: ReplyBrief;
}

/** A brief in which nothing is wanted but a word. */
export const SMALL_TALK: Brief = {
  message: "thank you",
  references: [],
  place: null,
  exclude: [],
  restore: [],
  reason: "",
  look: null,
  topic: null,
  answers: null,
  undo: false,
  wish: null,
  outside: null,
  decision: "answer",
  steps: [],
  goal: "Answer the remark",
  reply: { kind: "talk" },
};
