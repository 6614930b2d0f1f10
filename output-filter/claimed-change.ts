import { endsAsQuestion } from "../text/ends-as-question.ts";
import { splitClauses, splitSentences } from "../text/split-sentences.ts";

/** Changes that nothing but stored data can have. */
const STORING = "saved|stored|deleted|scheduled|rescheduled|recorded|registered|cancell?ed|renamed";
/** Changes that a text, a list of options or a plan in words can have too: data where it is named. */
const MOVING = "added|removed|updated|moved|put";
/** Changes of a place as a whole. */
const FILLING = "updated|cleared|emptied";
/** Deeds that an assistant cannot do in words. */
const BUYING = "bought|ordered|booked|purchased";
/** The data of a person, behind "your" or "the". */
const PLACES =
  "(?:\\w+ )?list|pantry|fridge|freezer|calendar|inventory|recipes?|recipe box|cart|account|records?";
/** Words of a sentence that speaks of another time or of a condition. */
const ELSEWHEN =
  "if|once|when|after|before|until|unless|since|earlier|previously|already|yesterday|ago|last|turn|said|would|should|could|shall|will|can|may|might|not|never|nothing";
/** Words of one that speaks of what is not stored anyway. */
const UNSTORED = "no|draft|drafts|options?|steps?|plan|list of|you";

const DATA = `(?:to|on|onto|in|into|from|off) (?:your|the) (?:${PLACES})`;
const I = "(?:i|we)(?:'ve| have)?(?: just| now| also)?";
const CLAIMS = [
  `${I} (?:${STORING}|${BUYING})`,
  `${I} (?:${MOVING})\\b.* ${DATA}`,
  `${I} (?:${FILLING}) your (?:${PLACES})`,
  `your (?:${PLACES}) (?:has|have) been (?:${FILLING})`,
  `(?:has|have) been (?:${STORING}|${MOVING}\\b.* ${DATA})`,
  `(?:is|are) now (?:${STORING}|${DATA})`,
].map((claim) => new RegExp(`\\b(?:${claim})\\b`, "iu"));
/** A sentence that begins a reply and says nothing else. */
const DONE = new RegExp(
  `^(?:(?:added|removed|updated|${STORING})[.!]|(?:done|all set|all done|erledigt|listo|hecho|fait|c'est fait|fatto|gedaan|geregeld|feito)[.!,])`,
  "iu",
);
const DONE_TO = new RegExp(`^(?:added|removed|${STORING})\\b.* ${DATA}\\b`, "iu");
const OTHER = new RegExp(`\\b(?:${ELSEWHEN}|${UNSTORED})\\b|n't\\b`, "iu");
const OTHER_TIME = new RegExp(`\\b(?:${ELSEWHEN}|soon)\\b|n't\\b`, "iu");
/** Deeds that steps of a plan can have. */
const STEPPING =
  "removed|dropped|deleted|skipped|moved|swapped|reordered|renamed|replaced|merged|split|marked|ticked|crossed|checked";
const PLAN_CLAIMS = [
  `${I} (?:${STEPPING})\\b.*\\b(?:steps?|plan)`,
  `${I} (?:added|put|taken|took)\\b.* (?:to|into|in|from|off|out of) (?:your|the) plan`,
  `${I} (?:updated|changed|adjusted|shortened|reworked) (?:your|the) plan`,
  `steps? \\d+(?: is| are| has been| have been)(?: now)? (?:${STEPPING}|gone)`,
].map((claim) => new RegExp(`\\b(?:${claim})\\b`, "iu"));
const STEP_DONE =
  /\bstep (\d{1,2})(?: is| has been)(?: now)?(?: marked as)? (?:done|complete|completed|finished)\b/iu;
/** A second deed of the same speaker: "and bought eggs". */
const AND_ALSO = new RegExp(
  `^(${I} \\w+\\b.*?) and (?=(?:${STORING}|${MOVING}|${BUYING})\\b)`,
  "iu",
);
const QUOTED = /[“"«][^“”"«»]*[”"»]/gu;

/**
 * Returns true for a text that says, in English, that data was changed just now. It reads clause by
 * clause: questions, quotations, conditions, plans, drafts and other times claim nothing. What it finds
 * has to be sure; other languages and odd words pass.
 *
 * @example
 * claimsChange("I have saved the whole week."); // true
 * claimsChange("I saved it yesterday. Shall I add milk?"); // false
 */
export function claimsChange(text: string): boolean {
  const plain = dropQuoted(text);
  if (DONE.test(plain)) return true;
  return listStatements(plain).some(
    (clause) =>
      !OTHER.test(clause) && (DONE_TO.test(clause) || CLAIMS.some((claim) => claim.test(clause))),
  );
}

/**
 * Returns true for a text that says, in English, that the person's plan was changed just now, or that a step is
 * done that is not. It reads as `claimsChange` does. `isDone` says it of a step's number.
 *
 * @example
 * claimsPlanChange("I removed step 2 from your plan.", () => false); // true
 * claimsPlanChange("Step 2 is done when the room is dark.", () => false); // false
 */
export function claimsPlanChange(text: string, isDone: (step: number) => boolean): boolean {
  const sentences = splitSentences(dropQuoted(text)).filter((each) => !OTHER_TIME.test(each));
  return sentences.flatMap(listStatements).some((clause) => {
    const [, step] = STEP_DONE.exec(clause) ?? [];
    const isUndone = step !== undefined && !isDone(Number(step));
    return isUndone || PLAN_CLAIMS.some((claim) => claim.test(clause));
  });
}

/** Words for all that was asked for. */
const WHOLE =
  "(?:it|that|this|those|they|both|everything|all(?: of)?(?: it| that| this| them)?|(?:the|your) (?:request|changes?))";
const FINISHED =
  "done|gone|finished|completed?|carried out|taken care of|sorted(?: out)?|handled|processed";
const KIND_WORDS = /\s*\b(?:for you|now|successfully|as (?:you )?(?:requested|asked|wanted))\b/giu;
const COMPLETIONS = [
  "^(?:(?:all )?(?:done|finished|completed|sorted)|all set)$",
  `^(?:and |so )?${WHOLE}(?:'s| is| are| was| were| has been| have been)(?: all| both)? (?:${FINISHED})$`,
  `\\b${I} (?:done (?:it|that|this|so|as|everything)|(?:carried|completed|finished|taken care|handled|processed|executed)\\b)`,
].map((completion) => new RegExp(completion, "iu"));

/**
 * Returns true for a text that says, in English, that what was asked for is done, whatever it was: to be held
 * against a turn in which it was refused, since cooks and plans are done, too. Pure.
 *
 * @example
 * claimsCompletion("Done, I have carried that out for you."); // true
 * claimsCompletion("That is not done yet."); // false
 */
export function claimsCompletion(text: string): boolean {
  return listStatements(dropQuoted(text))
    .map((clause) =>
      clause
        .replace(KIND_WORDS, "")
        .replace(/[\s.!✅]+$/u, "")
        .trim(),
    )
    .some((clause) => COMPLETIONS.some((form) => form.test(clause)) && !OTHER.test(clause));
}

function dropQuoted(text: string): string {
  return text.replace(/[‘’]/gu, "'").replace(QUOTED, " ").trim();
}

/** Sentences in clauses, without those that ask: the last of a question. */
function listStatements(text: string): string[] {
  return splitSentences(text)
    .flatMap((sentence) => {
      const clauses = splitClauses(sentence);
      return endsAsQuestion(sentence) ? clauses.slice(0, -1) : clauses;
    })
    .flatMap((clause) => clause.trim().replace(AND_ALSO, "$1\nI have ").split("\n"));
}
