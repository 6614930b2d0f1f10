import type { Json } from "../../../state/json.ts";

/** A value of a field that can be made up. */
export type MadeUpValue = string | number | boolean | readonly string[] | null;

/** Values by column. */
export type MadeUpFields = Readonly<Record<string, MadeUpValue>>;

/** Something made up: values by column and, where it has any, the rows of its child list. */
export interface MadeUp {
  readonly fields: MadeUpFields;
  /** Null where it has no child list. */
  readonly children: { readonly list: string; readonly rows: readonly MadeUpFields[] } | null;
}

/** What is to be made up. */
export interface MakeUpRequest {
  /** The thing in plain words: "simple shakshuka", "quick pasta". */
  readonly what: string;
  /** For how many. */
  readonly size: number;
  /** What must not be in it, in plain words. */
  readonly avoid: readonly string[];
  /** Names that are taken; another one is made up. */
  readonly taken: readonly string[];
}

/** A change of something made up: the draft as it stands, and what was asked in plain words. */
export interface AlterRequest {
  readonly draft: MadeUp;
  readonly change: string;
  readonly avoid: readonly string[];
}

/** A day and time that is to be filled. */
export interface Slot {
  readonly date: string;
  /** A value of the table's choice column (`dinner`); null where it has none. */
  readonly time: string | null;
}

/** Slots to fill from options. */
export interface FillRequest {
  readonly slots: readonly Slot[];
  /** What may be put there, best first, with its cells as they were shown. */
  readonly options: readonly {
    readonly ref: string;
    readonly label: string;
    readonly cells: Readonly<Record<string, string>>;
  }[];
  readonly size: number;
}

/** An option judged against what is there. */
export interface JudgeRequest {
  readonly cells: Readonly<Record<string, string>>;
  /** Names of what is there. */
  readonly stock: readonly string[];
}

/** What choices are looked for by. */
interface FindRequest {
  readonly terms: readonly string[];
  readonly tags: readonly string[];
  readonly minutes: number | null;
  readonly name: string | null;
}

/** What is to be collected for: choices by ref, else everything planned on these days. */
interface CollectRequest {
  readonly refs: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
}

/** A call of a tool, if it is offered. */
interface WorldCall {
  readonly name: string;
  readonly args: Readonly<Record<string, Json>>;
}

/**
 * All that the rehearsal model knows of the world: words, kinds of things, what it can make up.
 * Of the conversation and of anybody's data it holds nothing.
 */
export interface World {
  /** Subdomains by the part they play; one that a prompt does not name is not there. */
  readonly parts: {
    /** What is chosen among and made up. */
    readonly choices: string;
    /** What is made up; mostly what is chosen among. */
    readonly made: string;
    /** What has to be there for a choice to be possible. */
    readonly stock: string | null;
    /** Where choices are put on days. */
    readonly schedule: string | null;
    /** What is to be got. */
    readonly wanted: string | null;
  };
  /** Other words for a part: `{ groceries: "shopping" }`. */
  readonly nouns: Readonly<Record<string, string>>;
  /** Other words for a value of a choice column: `{ evening: "dinner" }`. */
  readonly values: Readonly<Record<string, string>>;
  /** What a thing to choose is called: recipe, dish, meal. */
  readonly choiceWords: readonly string[];
  /** What is done with it: cook, eat. */
  readonly uses: readonly string[];
  /** Kinds and what belongs to them: `{ fish: ["cod", "salmon"] }`. */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  /** Ways to live that rule kinds out: `{ vegetarian: ["meat", "fish"] }`. */
  readonly diets: Readonly<Record<string, readonly string[]>>;
  /** Things it has a word for. */
  readonly things: readonly string[];
  /** Words by which choices are sorted: quick, vegetarian. */
  readonly tags: readonly string[];
  readonly units: readonly string[];
  /** The column that says for how many a thing is, and how people are counted. */
  readonly size: { readonly column: string; readonly usual: number };
  /** The time of day that is meant where none is named; null where there are none. */
  readonly usualTime: string | null;
  /** Columns by whose values a long list is grouped. */
  readonly groupedBy: readonly string[];
  /** What one can ask, for whoever is not understood. */
  readonly examples: readonly string[];
  /** The call of an own tool that finds choices; null to read the table. */
  readonly find: (request: FindRequest) => WorldCall | null;
  /** The call of an own tool that collects what is needed; null where there is none. */
  readonly collect: (request: CollectRequest) => WorldCall | null;
  /** Null where it has no idea of that. */
  readonly makeUp: (request: MakeUpRequest) => MadeUp | null;
  /** Null where it does not know how. */
  readonly alter: (request: AlterRequest) => MadeUp | null;
  /** Values by column, one row a slot it fills. */
  readonly fillSlots: (request: FillRequest) => readonly MadeUpFields[];
  /** Whether a text names a thing, itself or by its kind: "cod fillet" names cod and fish. */
  readonly names: (text: string, thing: string) => boolean;
  /** Whether what an option needs is there. */
  readonly isPossible: (request: JudgeRequest) => boolean;
  /** Minutes an option takes; null where its cells do not say. */
  readonly minutesOf: (cells: Readonly<Record<string, string>>) => number | null;
}
