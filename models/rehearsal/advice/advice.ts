/** From where somebody looks at a question: the craft itself, what can go wrong, what it costs, who has to live with it. */
export type View = "craft" | "risk" | "cost" | "person";

/** One sentence that some views hold. `{subject}`, `{a}` and `{b}` stand for words of the question. */
export interface Opinion {
  readonly text: string;
  readonly views: readonly View[];
}

/** One step of a plan that is known to work, and how it is done. */
export interface AdviceStep {
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** "20 minutes". */
  readonly time: string;
  readonly doneWhen: string;
  /** What exactly to do, in order. */
  readonly actions: readonly string[];
  readonly pitfall: string;
  /** What has to be bought for it, where it is clear what. */
  readonly needs?: readonly string[];
}

/** Something people ask advice about. */
export interface Topic {
  /** Words of a question by which it is known, in the singular. */
  readonly words: readonly string[];
  readonly opinions: readonly Opinion[];
  /** In the order in which they are done. */
  readonly steps: readonly AdviceStep[];
}

/** The general advice that the rehearsal model has to give: a few opinions on a few things. */
export interface Advice {
  /** Those asked about by more words first where several fit. */
  readonly topics: readonly Topic[];
  /** Where no topic fits. */
  readonly general: Topic;
  /** On a choice between `{a}` and `{b}`. */
  readonly choice: readonly Opinion[];
}
