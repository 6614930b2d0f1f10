/** A person's words without what they quote or typed in the form of a block: that decides nothing. */
export function withoutQuotes(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/(?:‹‹‹|<<<)(?:BATCH|HANDOVER)>>>[\s\S]*?(?:(?:‹‹‹|<<<)END>>>|$)/gi, " ")
    .replace(/(?:‹‹‹|<<<)[A-Z]*>*/g, " ")
    .replace(/["“„][^"“”„]*["”“]/g, " ")
    .trim();
}

/** Lower case, on one line, short forms spelled out. */
function normalize(text: string): string {
  const plain = withoutQuotes(text)
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/\b(?:let's|lets)\b/g, "let us")
    .replaceAll(/\b(?:don't|dont)\b/g, "do not")
    .replaceAll(/\b(?:i'm|im)\b/g, "i am")
    .replaceAll(/\s+/g, " ");
  return NUMBERS.reduce(
    (before, number, index) =>
      before
        .replaceAll(new RegExp(`\\b${ORDINALS[index]} step\\b`, "g"), `step ${index + 1}`)
        .replaceAll(new RegExp(`\\b${number}\\b`, "g"), `${index + 1}`),
    plain,
  );
}

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
];

const NOT_READY =
  /\b(?:not (?:ready|yet|sure)|no plan|do not (?:want|need|give|make|write)|without a plan|too (?:early|soon)|if (?:i|we|you))\b/;

const READY =
  /\b(?:give|make|write|show|build|create|draft|want|need|have)\b(?: \w+){0,3} plan\b|^(?:(?:ok|okay|yes|please|so|now|great)[, ]*)*(?:a |the )?plan(?: please| now)?\W*$|\b(?:what are the|the|first|next) steps\b|\blet us (?:do|go|start|begin|try)\b|\bgo for it\b|\bi am (?:ready|in)\b|\bwe are (?:ready|in)\b|\bhow do (?:i|we) (?:start|begin)\b/;

/** Tells whether a person shows that they are ready for a plan. */
export function isReady(text: string): boolean {
  const plain = normalize(text);
  return !NOT_READY.test(plain) && READY.test(plain);
}

const FINISHED = String.raw`\b(?:done|finished|complete|completed|did (?:the )?steps?)\b`;
const DONE = new RegExp(FINISHED);

/** A question, or what is done only in part or in a case. */
const NOT_DONE = new RegExp(
  String.raw`^\s*(?:is|are|was|what|how|when|where|did)\b|\b(?:not|never|almost|nearly|half|when|once|if|until|before|as soon as)\b.*${FINISHED}`,
);

/** The end of a sentence, and the beginning of a question or of another wish. */
const CLAUSE_ENDS =
  /[.!?;]|, (?=(?:and |so )?(?:how|what|where|when|which)\b)|(?:,| and| but)+ (?=(?:please |then |also |(?:can|could|would|will) you )*(?:skip|drop|remove|delete|move|swap|add|put|open|note|undo)\b|step \d+ is\b)/;

const OPENING = /^\W*(?:(?:ok|please|then|also|(?:can|could|would|will) you|let us)\W+)*/;
const KINDS = [
  ["remove", /^(?:remove|drop|delete)\b/],
  ["skip", /^skip\b/],
  ["move", /^(?:move|put)\b/],
] as const;
const PLACE = /\b(before|after|behind|to the (?:start|beginning|top|front|end))\b(.*)$/;

/** A person's wish about steps of the plan, by their numbers. */
export interface StepWish {
  readonly kind: (typeof KINDS)[number][0];
  readonly steps: readonly number[];
  /** The step before or behind which they are to stand; null for the start or the end, and where they stay. */
  readonly beside: number | null;
  readonly isBefore: boolean;
}

/** Reads which steps a person wants out of the plan, skipped, or at another place. */
export function readStepWishes(text: string): StepWish[] {
  return normalize(text)
    .split(CLAUSE_ENDS)
    .flatMap((clause) => {
      const wish = clause.replace(OPENING, "");
      const [kind] = KINDS.find(([, begins]) => begins.test(wish)) ?? [];
      if (kind === undefined) return [];
      const [place = "", where = "", behind = ""] = PLACE.exec(wish) ?? [];
      const steps = readStepNumbers(wish.slice(0, wish.length - place.length));
      const [beside = null] = readStepNumbers(behind);
      const isPlaced = beside !== null || where.startsWith("to ");
      const isBefore = /before|start|beginning|top|front/.test(where);
      return kind === "move" && !isPlaced ? [] : [{ kind, steps, beside, isBefore }];
    });
}

/** Numbers of the steps that a person says are done; 0 for one that they do not number. */
export function finishedSteps(text: string): number[] {
  const clauses = normalize(text)
    .split(CLAUSE_ENDS)
    .filter((clause) => DONE.test(clause) && !NOT_DONE.test(clause));
  const numbers = clauses.flatMap((clause) => {
    const named = readStepNumbers(clause);
    // "The carrots are done" says nothing about the plan.
    const isPlan = /(?<!\b(?:last|next|other) )\b(?:step|it|that|this|first|i am)\b/.test(clause);
    return named.length === 0 && isPlan ? [0] : named;
  });
  return [...new Set(numbers)];
}

/** Of a range: a plan has no more steps. */
const MOST_STEPS = 12;

function readStepNumbers(clause: string): number[] {
  const found = clause.matchAll(/\bsteps? \d+(?:(?:,| and|,? and| to| through|\s?-)?\s?\d+)*/g);
  return [...found].flatMap(([words]) =>
    [...words.matchAll(/(\d+)(?:\s?(?:to|through|-)\s?(\d+))?/g)].flatMap(
      ([, first = "", last = first]) => {
        const length = Number(last) - Number(first) + 1;
        return length >= 1 && length <= MOST_STEPS
          ? Array.from({ length }, (_, index) => Number(first) + index)
          : [Number(first), Number(last)];
      },
    ),
  );
}

/** Numbers of the steps that a person takes up again. */
export function reopenedSteps(text: string): number[] {
  const plain = normalize(text);
  const again =
    /\b(?:not (?:really |quite )?(?:done|finished|complete)|reopen|do (?:it )?again|redo|back to)\b/;
  return again.test(plain) ? readStepNumbers(plain) : [];
}

const HELD_UP =
  /[^.!?]*\b(?:stuck|blocked|held up|can't get|cannot get|does not work|doesn't work|no idea how)\b[^.!?]*/i;

/** Returns the words in which a person says what holds them up; null where they say nothing of it. */
export function findBlocker(text: string): string | null {
  return HELD_UP.exec(withoutQuotes(text).replace(/\s+/g, " "))?.[0].trim() ?? null;
}

const DROPS =
  /\b(?:forget|drop|scrap|ditch|abandon|give up)(?: about)? (?:the|that|this|our|my|your|whole) (?:whole )?plan\b|\b(?:different|another|new) plan\b|\bstart (?:all )?over\b|\bchanged? (?:my|our) mind\b/;

/** Tells whether a person drops the plan that was made. */
export function dropsPlan(text: string): boolean {
  const plain = normalize(text);
  const keeps = /\b(?:do not|never) (?:forget|drop|scrap)\b|\bstep \d/.test(plain);
  return !keeps && DROPS.test(plain);
}

const LIMIT =
  /[$€£]\s?\d|\b\d|\bbudget\b|\b(?:after|before|until|by|within|only|at most|at least|no more than|less than)\b|\b(?:must|has to|have to|can't|cannot|won't|never|nobody|deadline|hates?|no time)\b/i;

/** The sentences in which a person names a limit: an amount, a time, a must. Amounts stay whole. */
export function readLimits(text: string): string[] {
  return withoutQuotes(text)
    .split(/(?<=[.!?;])\s+|\n+|,?\s+(?:and|but)\s+(?=(?:we|i|it|my|our|the|nobody|budget)\b)/i)
    .map((part) => part.replace(/^[\s,]+|[\s.!?;:,]+$/g, ""))
    .filter(
      (part) => LIMIT.test(part) && !/^(?:ok|okay|what|how|should|which|can|could)\b/i.test(part),
    )
    .slice(0, 8);
}
