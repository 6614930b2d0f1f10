import type { RowRead } from "../../state/row-call.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { GivenUnderstandAnswer, UnderstandAnswer } from "../../state/understanding.ts";
import { type Answer, answerValue } from "../answer.ts";
import { readMessage } from "../language/read-message.ts";
import {
  type Clause,
  createClause,
  isChange,
  isTalk,
  type Reading,
  type Request,
  type Target,
} from "../language/request.ts";
import { isDoubtfulExclusion, offersExclusion, placeExclusion } from "../plan/complete-clause.ts";
import { looksForUnknown } from "../plan/plan.ts";
import { createLook } from "../plan/row-calls.ts";
import { answerTalk, quoteUnread } from "../plan/sentences.ts";
import { belongsTo } from "../prompt/read-entities.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { findAskedPointer } from "../prompt/complete-answer.ts";
import { dropPart, readScene, type Scene } from "../prompt/scene.ts";
import { reportDeeds } from "../reply/look-back.ts";
import { chooseLane } from "./choose-lane.ts";
import { curate, resolvePointers } from "./curate.ts";
import { onlyAgrees, isCourtesy, onlyAcknowledges, readYesNo } from "../../text/read-yes-no.ts";
import { holdsName, isWholeLabel } from "./match-things.ts";

/** Reads a message against what the prompt knows; a message that is not understood decides nothing. */
export function understand(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  const whole = readScene(prompt, words);
  const read = readMessage(whole.message, whole.lexicon);
  const way = chooseLane(prompt, whole, read);
  const part = way.advice?.conciergePart ?? null;
  const scene = part === null ? whole : { ...whole, message: dropPart(whole.message, part) };
  const reading = part === null ? read : readMessage(scene.message, scene.lexicon);
  const request = findRequest(reading, scene);
  const isTask = request !== null && way.lane === "task";
  const given = isTask ? request.clauses : [];
  const own = isTask || reading.kind !== "understood" ? readPlainAnswer(scene) : null;
  const clauses =
    own !== null
      ? [createClause(own)]
      : answersWithNo(given, scene)
        ? [createClause("no")]
        : given.map((each) => takeBack(placeExclusion(each, scene), scene));
  const references = resolvePointers(prompt, scene, clauses);
  const named = new Set(references.map(({ text }) => text));
  // All clauses or none: a pointing word without a certain meaning stops the exclusions too.
  const isCertain = clauses.every(
    (clause) =>
      !isDoubtfulExclusion(clause, scene) &&
      clause.names.every(({ text, points }) => points === null || named.has(text)),
  );
  const decided = isCertain
    ? curate(clauses, scene, references)
    : { curation: null, constraints: [], expressed: "" };
  const excluded = new Set(decided.curation?.demote.map(({ ref }) => ref));
  const [first] = clauses;
  const look = isCertain && reading.kind === "understood" ? findLook(clauses, scene) : null;
  const asksForChange = isTask && !request.isQuestion && clauses.some(isChange);
  const other = needsTalk(clauses, decided.curation, scene) ? "talk" : "work";
  const { lane, advice } = way;
  const isTraced = ASKS_SOURCES.test(scene.message) && SMALL_TALK.test(scene.lastReply);
  const isSourceless = lane === "task" && isTraced;
  const needs = isSourceless ? "talk" : asksForChange ? "change" : look !== null ? "look" : other;
  const { curation, constraints, expressed } = decided;
  const extras = {
    expressed: expressed || (needs === "talk" ? `Wants to ${first?.kind ?? "talk"}` : null),
    answersPending: lane === "task" ? readAnswer(clauses, scene) : null,
    curation,
    advice,
    rare: readRare(scene, isTask && !request.isQuestion ? clauses : []),
  };
  const answer: GivenUnderstandAnswer = {
    reasoning: isSourceless
      ? "My last reply advised nothing, so there is no source to name."
      : !isTask
        ? "It is no command, or some of its words have no place."
        : reading.kind === "unknown"
          ? quoteUnread(reading.words)
          : needs === "talk" && clauses.every(isTalk)
            ? (reportDeeds(clauses, prompt, words) ??
              answerTalk(clauses, words, scene.pending !== null))
            : "Every word has one place.",
    references: references.filter(({ ref }) => !excluded.has(ref)),
    constraints,
    needs: lane === "concierge" ? "advise" : needs,
    look,
    extras: Object.values(extras).every((part) => part === null) ? null : extras,
  };
  return answerValue(answer);
}

/** Returns all that is understood of a message; null where that is nothing, or not certain. */
function findRequest(reading: Reading, { pending }: Scene): Request | null {
  if (reading.kind !== "unknown") return reading.kind === "understood" ? reading.request : null;
  // "I beg your pardon, not the milk" may answer what was asked.
  return pending === null ? reading.rest : null;
}

/** Reads a yes or no to what is asked that is said with nothing else, as "great, do it" and "keep it"; null for anything more. */
function readPlainAnswer({ pending, message }: Scene): "yes" | "no" | null {
  if (pending === null) return null;
  const isYes = onlyAgrees(message) && !isCourtesy(message) && !onlyAcknowledges(message);
  return readYesNo(message) ?? (isYes ? "yes" : null);
}

/**
 * Returns true where an exclusion refuses what was asked: "no, the butter" after "This deletes milk and
 * butter. Do it?" leaves no dish out, and "no fish this week" does.
 */
function answersWithNo(
  clauses: readonly Clause[],
  { pending, message, lastReply }: Scene,
): boolean {
  if (offersExclusion(lastReply)) return false;
  // "Oops, not the chocolate" after "Added: chocolate" leaves out no dish either.
  const isDone = /^(?:Added|Changed|Deleted): /.test(lastReply) && !/^\W*no\b/iu.test(message);
  const refuses = pending === "question" || /^\W*no\b/iu.test(message);
  return (
    (isDone || (pending !== null && refuses)) &&
    clauses.some(
      ({ kind, names }) =>
        kind === "exclude" &&
        (/^\W*no\W*[,.;!]/iu.test(message) ||
          names.some(({ text, points }) => points !== null || holdsName(lastReply, text))),
    )
  );
}

/** "Take it back", "that was wrong" and "put the oranges back" mean what was just changed, where they speak of nothing that is left out. */
function takeBack(clause: Clause, { excluded, lastReply }: Scene): Clause {
  const { kind, names, stated } = clause;
  const isDone = /^(?:Added|Changed|Deleted): /.test(lastReply);
  const isHere = ({ text, points }: Target): boolean => points === 0 || holdsName(lastReply, text);
  const isGone = lastReply.startsWith("Deleted: ") && names.length > 0 && names.every(isHere);
  const isMeant = kind === "takeback" ? isDone || !stated : kind === "restore" && isGone;
  return isMeant && excluded.length === 0 ? createClause("undo") : clause;
}

type Extras = NonNullable<GivenUnderstandAnswer["extras"]>;

/** Reads what few messages need: a question about sources, and an undo. */
function readRare({ message, lastReply }: Scene, clauses: readonly Clause[]): Extras["rare"] {
  const asksSources = ASKS_SOURCES.test(message) && !SMALL_TALK.test(lastReply);
  const undo = clauses.some(({ kind }) => kind === "undo") ? { effects: [] } : null;
  if (!asksSources && undo === null) return null;
  return {
    clarification: null,
    undo,
    topic: null,
    meta: asksSources ? "sources" : "none",
    metaBatch: null,
    language: null,
  };
}

/** A reply that advised nothing, alone or with the step they are on. */
const SMALL_TALK =
  /^(?:You are welcome|Good, then it stays as it is)\.\s*(?:The step you are on.*)?$/u;

/** Asks where an answer came from. */
const ASKS_SOURCES =
  /\bhow do you know\b|\bwhat are your sources\b|\b(?:who|(?:which|how many) \w+) did you (?:ask|consult)\b/iu;

function readAnswer(
  clauses: readonly Clause[],
  { pending, isCompleted, lastReply }: Scene,
): UnderstandAnswer["answersPending"] {
  if (pending === null) return null;
  if (clauses.length === 0) return "other";
  // "Save it" agrees to what was proposed.
  const agrees = ({ kind }: Clause): boolean =>
    kind === "yes" || (kind === "save" && pending === "proposal");
  if (clauses.every(agrees)) return "accept";
  if (clauses.some(({ kind }) => kind === "no")) return "reject";
  // "Just the coffee" takes the place of what was asked.
  if (isCompleted && clauses.some(isChange)) return "adjust";
  // What was proposed may hold what is to be left out now; where a name was asked for, nothing was.
  const isOpen = findAskedPointer(lastReply) !== null;
  return !isOpen && clauses.some(({ kind }) => kind === "exclude") ? "adjust" : null;
}

/** One look at one part needs no plan, where all of its conditions hold together. */
function findLook(clauses: readonly Clause[], scene: Scene): RowRead | null {
  const [clause, ...others] = clauses;
  if (clause?.kind !== "show" || clause.part === null || others.length > 0) return null;
  const { subdomain } = clause.part;
  // Think asks about a misspelled name, and where nothing is found the reply is to say what was looked for.
  const isElsewhere = scene.things.some(
    ({ ref, label }) =>
      !clause.uses &&
      !belongsTo(ref, subdomain) &&
      clause.names.some(({ text }) => isWholeLabel(text, label)),
  );
  return looksForUnknown(clause) || isElsewhere ? null : createLook(clause, subdomain, scene);
}

/** Words suffice for small talk, and for what is left of a choice after an exclusion or one taken back. */
function needsTalk(
  clauses: readonly Clause[],
  curation: UnderstandAnswer["curation"] | null,
  { open }: Scene,
): boolean {
  const { demote = [], restore = [] } = curation ?? {};
  const isShown =
    demote.length + restore.length > 0 &&
    (demote.length === 0 || demote.some(({ ref }) => open.includes(ref))) &&
    restore.every(({ ref }) => open.includes(ref));
  return (
    clauses.length > 0 &&
    clauses.every(
      (clause) =>
        isTalk(clause) || (isShown && (clause.kind === "exclude" || clause.kind === "restore")),
    )
  );
}
