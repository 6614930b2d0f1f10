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
    .replaceAll(/n't\b/g, " not")
    .replaceAll(/\s+/g, " ");
  return NUMBERS.reduce(
    (before, number, index) =>
      before
        .replaceAll(new RegExp(`\\b${ORDINALS[index]} step\\b`, "g"), `step ${index + 1}`)
        .replaceAll(new RegExp(`\\b${number}\\b`, "g"), `${index + 1}`),
    plain,
  );
}

const NUMBERS = "one two three four five six seven eight nine".split(" ");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split(" ");

const NOT_READY =
  /\b(?:not (?:ready|yet|sure)|no plan|do not (?:want|need|give|make|write)|without a plan|too (?:early|soon)|if (?:i|we|you))\b/;

const READY =
  /\b(?:give|make|write|show|build|create|draft|want|need|have)\b(?: \w+){0,3} plan\b|^(?:(?:ok|okay|yes|please|so|now|great)[, ]*)*(?:a |the )?plan(?: please| now)?\W*$|\b(?:what are the|the|first|next) steps\b|\blet us (?:do|go|start|begin|try)\b|\bgo for it\b|\bi am (?:ready|in)\b|\bwe are (?:ready|in)\b|\bhow do (?:i|we) (?:start|begin)\b/;

/** Tells whether a person shows that they are ready for a plan. */
export function isReady(text: string): boolean {
  const plain = normalize(text);
  return !NOT_READY.test(plain) && READY.test(plain);
}

const FINISHED = String.raw`\b(?:done|finished|complete|completed|did (?:the )?steps?|(?:tick|check|cross) (?:step \w+ )?off)\b`;
const DONE = new RegExp(FINISHED);

/** A question, or what is done only in part or in a case. */
const NOT_DONE = new RegExp(
  String.raw`^\s*(?:is|are|was|what|how|when|where|did)\b|\b(?:not|never|almost|nearly|half|when|once|if|until|before|as soon as)\b.*${FINISHED}|\ball (?:of )?(?:it|that|them|this)\b|\beverything\b`,
);

/** A step that was done in vain is not done. */
const FAILED =
  /\b(?:it|that|this) (?:(?:did|does|has|was|is) not (?:really )?(?:work|help|go|good|enough)|failed|went wrong)/;

/** The end of a sentence, and the beginning of a question or of another wish. */
const CLAUSE_ENDS =
  /(?<=[.!?;])\s+|, (?=(?:and |so )?(?:how|what|where|when|which)\b)|(?:,| and| but)+ (?=(?:please |then |also |(?:can|could|would|will) you )*(?:skip|drop|remove|delete|move|swap|add|put|open|reopen|note|undo|split|replace|rename|merge|make|tick)\b|step \w+ is\b)/i;

const OPENING =
  /^\W*(?:(?:ok|please|then|also|(?:can|could|would|will) you|let us|i would rather|i'd rather)\W+)*/;
const KINDS = [
  ["remove", /^(?:remove|drop|delete)\b/],
  ["skip", /^skip\b/],
  ["move", /^(?:move|put|swap)\b/],
  ["focus", /^(?:start|begin|work|go on|continue) (?:with|on|at) (?=step)/],
  ["note", /^(?:add |make )?(?:a )?note (?:for|to|on) (?=step)/],
] as const;
const PLACE = /\b(before|after|behind|to the (?:start|beginning|top|front|end))\b(.*)$/;

/** A person's wish about steps of the plan, by their numbers. */
export interface StepWish {
  readonly kind: (typeof KINDS)[number][0];
  readonly steps: readonly number[];
  /** The step before or behind which they are to stand; null for the start or the end, and where they stay. */
  readonly beside: number | null;
  readonly isBefore: boolean;
  /** The words of a note; null for any other wish. */
  readonly text: string | null;
}

/** The clauses of a message as they were typed; a note goes on to the message's end. */
function splitClauses(text: string): string[] {
  const own = withoutQuotes(text).replaceAll(/\s+/g, " ");
  const [note = ""] = /\b(?:add |make )?(?:a )?note (?:for|to|on) step\b.*/i.exec(own) ?? [];
  const before = own.slice(0, own.length - note.length);
  return [...before.split(CLAUSE_ENDS), note].filter((clause) => /\w/.test(clause));
}

/** Reads which steps a person wants out of the plan, skipped, or at another place. */
export function readStepWishes(text: string): StepWish[] {
  return splitClauses(text).flatMap((clause): StepWish[] => {
    const wish = normalize(clause).replace(OPENING, "");
    const [kind] = KINDS.find(([, begins]) => begins.test(wish)) ?? [];
    if (kind === undefined) return [];
    const [named = "", ...note] = wish.split(":");
    const [place = "", where = "", behind = ""] = PLACE.exec(named) ?? [];
    const steps = readStepNumbers(named.slice(0, named.length - place.length));
    if (named.startsWith("swap")) {
      const [first = 0, last = 0] = steps.toSorted((one, other) => one - other);
      const up = { kind, steps: [last], beside: first, isBefore: true, text: null };
      const down = { ...up, steps: [first], beside: last - 1, isBefore: false };
      return steps.length === 2 ? [up, down] : [];
    }
    const [beside = null] = readStepNumbers(behind);
    const isPlaced = beside !== null || where.startsWith("to ");
    const isBefore = /before|start|beginning|top|front/.test(where);
    const text = kind === "note" ? clause.slice(clause.indexOf(":") + 1).trim() : null;
    const isWhole = kind === "move" ? isPlaced : kind !== "note" || note.join("").trim() !== "";
    return steps.length > 0 && isWhole && (kind === "move" || place === "")
      ? [{ kind, steps, beside, isBefore, text }]
      : [];
  });
}

/** Words of what somebody did. */
export const REPORTS = /\b(?:done|did|finished|completed?)\b/i;

const ASKS =
  /\?\s*$|^\W*(?:(?:ok|okay|so|and|please|now|then|yes)\W+)*(?:what|how|which|where|when|who|why|show|tell|explain|describe|help|(?:the )?(?:next )?steps?(?: \d+)?(?: please)?\W*$)/;

/** The clauses that want something of steps, or of what is stored, and have no place in what is read here. */
export function listUnread(text: string): string[] {
  const unread = splitClauses(text).filter(isUnread);
  return unread.map((clause) => clause.replace(/^\W+|[\s.!?;:,]+$/g, ""));
}

function isUnread(clause: string): boolean {
  const plain = normalize(clause);
  const readers = [readStepWishes, finishedSteps, reopenedSteps];
  const isRead = readers.some((read) => read(clause).length > 0) || findBlocker(clause) !== null;
  const isWish = /\bsteps?\b/.test(plain) || BEGINS_AS_COMMAND.test(plain);
  return isWish && !isRead && !REPORTS.test(plain) && !ASKS.test(plain);
}

/** The first words of what the task lane can do. */
export const BEGINS_AS_COMMAND =
  /^\W*(?:(?:please|can you|could you|also|and) )*(?:add|put|remove|delete|show|list|clear|mark|plan|buy|take)\b/i;

/** Numbers of the steps that a person says are done; 0 for one that they do not number. */
export function finishedSteps(text: string): number[] {
  if (FAILED.test(normalize(text))) return [];
  const clauses = splitClauses(text)
    .map(normalize)
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
  /[^.!?]*\b(?:stuck|blocked|held up|can't get|cannot get|(?:does|did)(?: not|n't) (?:work|help)|went wrong|no idea how)\b[^.!?]*/i;

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
  /[$€£]\s?\d|\b\d|\bbudget\b|\b(?:after|before|until|by|within|only|at most|at least|no more than|less than)\b|\b(?:must|has to|have to|can't|cannot|won't|don't|never|nobody|deadline|hates?|dislikes?|allerg(?:y|ic)|picky|vegan|vegetarian|without|no time)\b/i;

/** The sentences in which a person names a limit: an amount, a time, a must. Amounts stay whole. */
export function readLimits(text: string): string[] {
  return withoutQuotes(text)
    .split(
      /(?<=[.!?;])\s+|\n+|,?\s+(?:and|but)\s+(?=(?:we|i|i'm|it|my|our|the|nobody|budget|without|no)\b)|\bplan,?\s+(?=without\b)/i,
    )
    .map((part) => part.replace(/^[\s,]+|[\s.!?;:,]+$/g, ""))
    .filter(
      (part) => LIMIT.test(part) && !/^(?:ok|okay|what|how|should|which|can|could)\b/i.test(part),
    )
    .slice(0, 8);
}
