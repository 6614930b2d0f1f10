import { Temporal } from "temporal-polyfill";
import { HEADINGS } from "../../prompts/headings.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { GivenThinkAnswer } from "../../state/plan.ts";
import { type Answer, answerValue } from "../answer.ts";
import { listDates, nameDate } from "../language/dates.ts";
import { createLexicon, namePart } from "../language/lexicon.ts";
import { correctMessage, findFault, readClauses, readMessage } from "../language/read-message.ts";
import {
  type Clause,
  createClause,
  createTarget,
  describeClause,
  describeNew,
  isChange,
  isTalk,
  type Request,
} from "../language/request.ts";
import { WORDINGS } from "../language/wordings.ts";
import { joinNames, joinQuoted } from "../phrase.ts";
import { belongsTo, readNamed, readRefs } from "../prompt/read-entities.ts";
import { type ParsedPrompt, readUnwanted } from "../prompt/read-prompt.ts";
import { ASKS_DAY, ASKS_WHICH_DAY, askWhichThing } from "../prompt/complete-answer.ts";
import { readScene, type Scene } from "../prompt/scene.ts";
import { isWelcome } from "../understand/curate.ts";
import { findShown, holdsName, isWholeLabel } from "../understand/match-things.ts";
import { findTable } from "../prompt/read-tables.ts";
import { buildSteps, listPlaces, refuseUnchangeable, SEARCH } from "./build-steps.ts";
import {
  continueLast,
  goesOn,
  isDoubtfulExclusion,
  moveStored,
  nameAsked,
  nameReferences,
  OFFERS_EXCLUSION,
  placeExclusion,
  placeRemoval,
  planChoice,
} from "./complete-clause.ts";
import { refuseAddition } from "../act/fill-row.ts";
import { readHousehold } from "../act/job.ts";
import { hasNames } from "./row-calls.ts";
import {
  answerTalk,
  asksAdvice,
  describeClauses,
  hideRefs,
  NO_ADVICE,
  NOTHING_WAITS,
  quoteUnread,
  refuse,
  SAVED,
} from "./sentences.ts";

/** Facts of Think's prompt about this turn and the last, beside the scene. */
export interface PlanFacts {
  readonly scene: Scene;
  readonly words: SimulatedWords;
  /** The refs that are left to choose from; null where no choice is open. */
  readonly candidates: readonly string[] | null;
  /** The refs that Understand excluded or restored in this turn. */
  readonly curated: readonly string[];
  /** The number of people at home. */
  readonly household: number | null;
}

const BLOCKED =
  /^The plan before this one could not be carried out: (.+) \(tried: (.+?)\)\.(?: Not done: (.+)\.)? Plan another way\.$/m;

/** Plans a message: writes only what all its words ask for, asks or refuses everything else. */
export function plan(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  const { section } = prompt;
  const now = section(HEADINGS.thisTurn);
  const curated = now.split("\n").filter((line) => /^User (?:excluded|brought back): /.test(line));
  const scene = readScene(prompt, words);
  const facts: PlanFacts = {
    scene,
    words,
    candidates: scene.left.length === 0 ? null : scene.left,
    curated: curated.flatMap(readNamed).map(({ ref }) => ref),
    household: readHousehold(section(HEADINGS.profile)),
  };
  return answerValue(decide(now, facts));
}

/** Parts in which a name is looked for that nobody places. */
const MOST_PLACES = 6;

/** A deletion never follows from a correction; an exclusion is Understand's and cannot follow either. */
const CORRECTABLE: ReadonlySet<string> = new Set(
  "add mark change plan show open options".split(" "),
);

function decide(now: string, facts: PlanFacts): GivenThinkAnswer {
  const { scene, words } = facts;
  const { message, lexicon } = scene;
  const [, question, command, left = ""] = BLOCKED.exec(now) ?? [];
  if (question !== undefined && command !== undefined)
    return proposeCommand(question, [command, ...listLeft(left)], facts);
  if (now.includes("The message answers what was pending: accept")) return planAccepted(facts);
  const reading = readMessage(message, lexicon);
  if (reading.kind === "ambiguous") {
    const readings = [
      ...new Set(reading.requests.map(({ clauses }) => `“${describeClauses(clauses, words)}”`)),
    ];
    const [only] = reading.requests;
    if (only !== undefined && readings.length === 1) return planRequest(only, facts);
    return clarify(
      `I can read that in more than one way: ${readings.slice(0, 2).join(" or ")}. Which one do you mean?`,
    );
  }
  const isNew =
    reading.kind === "unknown" ||
    reading.request.clauses.some(
      (each) => findNew(nameReferences(each, scene)).length > 0 || namesUnknown(each),
    );
  const correction = isNew ? correctMessage(message, lexicon) : null;
  if (
    correction !== null &&
    correction.request.clauses.every(({ kind }) => CORRECTABLE.has(kind))
  ) {
    return propose(`Did you mean “${correction.text}”?`, correction.request.clauses, facts);
  }
  if (reading.kind === "understood") return planRequest(reading.request, facts);
  if (reading.rest !== null)
    return addUnread(planRequest(reading.rest, facts), quoteUnread(reading.words));
  if (asksAdvice(message)) return answer(NO_ADVICE);
  const [word = "", ...more] = reading.words;
  // A word of its own is at fault itself; "it" and "put" are where the reading ended.
  const isCause = more.length === 0 && !WORDINGS.closed.has(word.toLowerCase());
  const fault = isCause ? null : findFault(message, lexicon);
  return answer(refuse(fault ?? reading.words, words));
}

/** Tells whether a look is for a name that neither prompt nor catalogue knows. */
export function looksForUnknown(clause: Clause): boolean {
  return clause.kind !== "mark" && namesUnknown(clause);
}

function namesUnknown({ kind, names }: Clause): boolean {
  const isFound = kind === "mark" || kind === "show" || kind === "open";
  return isFound && names.some(({ known, points }) => !known && points === null);
}

/** Finds the names to be added that neither prompt nor catalogue knows. */
function findNew({ kind, names }: Clause): string[] {
  return kind === "add" ? names.filter(({ known }) => !known).map(({ text }) => text) : [];
}

/** A yes to "shall I do it all the same?" repeats the message before; any other question has no plan. */
function planAccepted(facts: PlanFacts): GivenThinkAnswer {
  const { lastReply, lastMessage, lexicon } = facts.scene;
  const before = lastReply.includes("all the same") ? readMessage(lastMessage, lexicon) : null;
  const changes = before?.kind === "understood" ? before.request.clauses.filter(isChange) : [];
  return changes.length === 0 ? answer(NOTHING_WAITS) : planSteps(changes, facts);
}

function planRequest({ clauses, isQuestion }: Request, facts: PlanFacts): GivenThinkAnswer {
  const { words, scene } = facts;
  const asked = clauses
    .filter((clause) => !isTalk(clause))
    .map((clause) => continueLast(placeExclusion(clause, scene), scene))
    .map((clause) => placeRemoval(moveStored(nameAsked(clause, scene), scene), facts));
  if (asked.length === 0) return answer(answerTalk(clauses, words, scene.pending !== null));
  if (clauses.every(({ kind }) => kind === "yes" || kind === "save")) {
    const isSaved = /^(?:Added|Changed): /.test(scene.lastReply);
    return answer(isSaved && clauses.some(({ kind }) => kind === "save") ? SAVED : NOTHING_WAITS);
  }
  const problem = findProblem(asked, facts);
  if (problem !== null) return problem;
  if (asked.every(({ kind }) => kind === "exclude") && showsRest(facts))
    return {
      ...answer("What is left is shown."),
      goal: asked.map((clause) => describeClause(clause, words)).join("; "),
    };
  const fill = asked.find(({ kind }) => kind === "fill");
  if (fill !== undefined) return proposeDays(fill, facts);
  const named = asked
    .map((clause) => planChoice(nameReferences(clause, scene), words))
    .flatMap((clause) => placeLook(clause, facts));
  const strange = named.flatMap((clause) => findNew(clause));
  const unknown = strange.length === 0 ? "" : `I do not know ${joinQuoted(strange)}. `;
  const [what = ""] = named.map((each) =>
    each.isFragment && each.stated ? `${askWhat(each)} ` : "",
  );
  const kept = sayKept(named, facts);
  const question = `${unknown}${what}Shall I ${hideRefs(describeClauses(named, words))}?${kept}`;
  const isOpen =
    strange.length > 0 ||
    (isQuestion && asked.some(isChange)) ||
    asked.some(({ stated }) => stated) ||
    pointsTooFar(asked, facts);
  return isOpen ? propose(question, named, facts) : planSteps(named, facts);
}

const IS_OUT =
  /(?:^\W*|\b(?:ran|have run|ve run|are|re|am|m|all|completely|clean|fresh) )out of\b/iu;

/** Says of what a person is out of that a yes adds it to the list alone; empty for all else. */
function sayKept([only, ...others]: readonly Clause[], { scene, words }: PlanFacts): string {
  const { list, stock } = words.roles;
  const isNeeded = only?.kind === "add" && only.stated && only.part?.subdomain === list;
  if (!isNeeded || others.length > 0 || stock === null || !IS_OUT.test(scene.message)) return "";
  const place = namePart({ subdomain: stock, value: null }, words);
  const names = joinNames(only.names.map(({ text }) => text));
  return ` The ${place} stays as it is: to take it off there, write “no ${names} left”.`;
}

/** Says before a question or an answer, or beside what is shown, which words were passed over. */
function addUnread(given: GivenThinkAnswer, unread: string): GivenThinkAnswer {
  const { asks, goal, reasoning } = given;
  const [first, ...others] = asks;
  if (first !== undefined) return { ...given, asks: [`${unread} ${first}`, ...others] };
  return { ...given, reasoning: goal === ANSWER ? `${unread} ${reasoning}` : unread };
}

/** "Show Ana" means the thing that the prompt shows by this name; else it is looked for, and the goal says where. */
function placeLook(clause: Clause, { scene, words }: PlanFacts): Clause[] {
  const [given] = clause.names;
  // A planned meal is opened as its dish: its day is known.
  const isMeal =
    words.roles.choices !== null &&
    given?.ref != null &&
    belongsTo(given.ref, words.roles.schedule);
  const dish = { ref: null, text: given?.text.replace(/, .*$/u, "") ?? "" };
  const name = given !== undefined && isMeal ? { ...given, ...dish } : given;
  if (clause.kind !== "open" || name === undefined || name.ref !== null) return [clause];
  const found = scene.things.filter(({ label }) => isWholeLabel(name.text, label));
  if (found.length === 1)
    return [{ ...clause, names: found.map(({ ref }) => Object.assign({}, name, { ref })) }];
  const { choices, people, stock, list } = words.roles;
  // "Ginger" is a food, "the risotto" a dish.
  const parts =
    choices === null ? scene.parts : [choices, people, ...(name.known ? [stock, list] : [])];
  return parts
    .filter((part) => part !== null)
    .filter((part) => hasNames(findTable(part, scene.tables)))
    .slice(0, MOST_PLACES)
    .map((subdomain) => createClause("show", { names: [name], part: { subdomain, value: null } }));
}

/** Tells whether the open choices show what is left after the exclusions of this turn. */
function showsRest({ curated, scene }: PlanFacts): boolean {
  return curated.length > 0 && curated.every((ref) => scene.open.includes(ref));
}

/**
 * Tells whether a change needs a yes because the message only points at what it means: at rows to be
 * removed, but for one line of the list, or into a list that the last reply did not show.
 */
function pointsTooFar(clauses: readonly Clause[], { scene, words }: PlanFacts): boolean {
  const pointed = clauses.flatMap(({ kind, names }) =>
    names.flatMap(({ text, points }) => {
      const meant = points === null ? [] : scene.references.filter((each) => each.text === text);
      return meant.map(({ ref, label }) => ({ kind, points, ref, label }));
    }),
  );
  const removed = pointed.filter(({ kind }) => kind === "remove");
  return (
    removed.length > 1 ||
    removed.some(({ ref, label }) => !belongsTo(ref, words.roles.list) && !isNew(label, scene)) ||
    removed.some(({ label }) => scene.listed.filter((each) => each.label === label).length > 1) ||
    pointed.some(({ points, label }) => points !== 0 && !scene.lastReply.includes(label))
  );
}

/** Tells whether a thing is all that the last turn added. */
function isNew(label: string, { lastReply }: Scene): boolean {
  const [, added] = /^Added: (.*)$/.exec(lastReply) ?? [];
  return added?.replace(/ \([^()]*\)$/, "") === label;
}

/** Finds what keeps the clauses from being carried out, all of them: a day or a thing that is not certain. */
function findProblem(clauses: readonly Clause[], facts: PlanFacts): GivenThinkAnswer | null {
  for (const clause of clauses) {
    const question = findQuestion(clause, facts);
    if (question !== null) return clarify(question);
    const reason = refuseUnchangeable(clause, facts) ?? findReason(clause, facts);
    if (reason !== null) return answer(reason);
  }
  const both = findContradiction(clauses);
  if (both !== undefined)
    return clarify(`You ask me to add and to remove "${both}". Which of the two shall I do?`);
  return clauses.length > 1 && clauses.some(({ kind }) => kind === "fill")
    ? clarify("Please ask for several days in a message of its own.")
    : null;
}

/** Finds a name that is both added and removed, where its place does not tell the two apart. */
function findContradiction(clauses: readonly Clause[]): string | undefined {
  const added = clauses.filter(({ kind }) => kind === "add");
  for (const clause of clauses.filter(({ kind }) => kind === "remove" || kind === "clear")) {
    const { part, kind } = clause;
    const same = added.filter((add) => part === null || part.subdomain === add.part?.subdomain);
    // "Clear the list and add bread" begins it anew.
    if (kind === "clear" && clauses[0] === clause) continue;
    const again = same.flatMap((add) => add.names);
    // "Add bread and clear the list" removes the bread, too.
    const names = kind === "clear" ? again : clause.names;
    const both = names.find(({ text }) => again.some((each) => isWholeLabel(each.text, text)));
    if (both !== undefined) return both.text;
  }
  return undefined;
}

/** The question that a clause leaves open; null where its days and things are certain. */
function findQuestion(clause: Clause, facts: PlanFacts): string | null {
  const { kind, names, day, part, to, isFragment } = clause;
  const { scene, curated, words } = facts;
  const { choices } = words.roles;
  if (isDoubtfulExclusion({ kind, names, day }, scene)) {
    const all = joinNames(names.map(({ text }) => text));
    const list = namePart({ subdomain: words.roles.list ?? "", value: null }, words);
    return `Do you mean “${OFFERS_EXCLUSION} ${all}” or “add ${all} to the ${list}”?`;
  }
  const what =
    to === null
      ? `${askWhat({ names })} Please say it with a verb, for example “add ${names[0]?.text}”.`
      : `What shall be ${describeNew(to)}? Please name it.`;
  if (isFragment && !goesOn(kind, scene)) return what;
  if (listPlaces(clause, facts).length > MOST_PLACES)
    return `Where is ${joinQuoted(names.map(({ text }) => text))}? Please send it again with its place.`;
  const open = [day, to?.day, ...names.map((name) => name.day)].find((each) => each?.or != null);
  if (open?.or != null)
    return `${ASKS_WHICH_DAY} ${nameDate(open.first)} or ${nameDate(open.or)}? Please send it again with that date.`;
  const meant = scene.references.filter(({ text }) => names.some((name) => name.text === text));
  const pointer = names.find(
    ({ text, points }) => points !== null && !meant.some((each) => each.text === text),
  );
  if (pointer !== undefined && curated.length === 0)
    return isFragment ? what : askWhichThing(pointer.text);
  const choice = meant.find(({ ref }) => belongsTo(ref, choices));
  // "Drop the first one" can mean the dish of this week or its recipe.
  if (kind === "remove" && part === null && choice !== undefined) {
    const from = namePart({ subdomain: choices ?? "", value: null }, words);
    return `Do you mean “${OFFERS_EXCLUSION} ${choice.label}” or “remove ${choice.label} from the ${from}”?`;
  }
  return kind === "plan" && names.some((name) => name.day === null)
    ? `${ASKS_DAY} Please answer with a day, for example “Friday”.`
    : null;
}

function askWhat({ names }: Pick<Clause, "names">): string {
  return `What shall I do with ${joinQuoted(names.map(({ text }) => text))}?`;
}

/** Says why a clause has nothing to be done to; null where it has. */
function findReason(clause: Clause, { scene, curated, words }: PlanFacts): string | null {
  const { kind, names, part } = clause;
  const table = part === null ? null : findTable(part.subdomain, scene.tables);
  if (kind === "add" && part !== null && table !== null)
    return refuseAddition(names, table, `the ${namePart(part, words)}`);
  if (kind === "save") return "Nothing that I proposed waits to be saved.";
  const isNoted = (text: string): boolean =>
    scene.wishes.toLowerCase().includes(`no ${text.toLowerCase()}`);
  if (kind === "exclude" && curated.length === 0 && !names.every(({ text }) => isNoted(text)))
    return `Nothing that I have shown is called ${joinQuoted(names.map(({ text }) => text))}, so I left nothing out.${words.roles.choices === null ? "" : " Ask “what could I cook?” first."}`;
  return kind === "restore" && curated.length === 0 ? refuseRestore(names, { scene, words }) : null;
}

/** Says why names cannot be brought back: none of them is left out, or several by that name, or something wider; null where they are back. */
function refuseRestore(
  names: Clause["names"],
  { scene, words }: Pick<PlanFacts, "scene" | "words">,
): string | null {
  const unwanted = readUnwanted(scene.wishes);
  const wider = unwanted.find((each) =>
    names.some(({ text }) => findShown([text], each, words) !== undefined),
  );
  if (wider !== undefined)
    return `"${wider}" is left out as a whole. To bring it back, write “${wider} is fine again”.`;
  if (names.every(({ text }) => isWelcome(text, scene.wishes))) return null;
  const narrower = unwanted.filter((each) => names.some(({ text }) => holdsName(each, text)));
  return narrower.length > 1
    ? `More than one is left out: ${joinQuoted(narrower)}. Please name the one that is fine again whole.`
    : sayNotLeftOut(joinQuoted(names.map(({ text }) => text)), unwanted);
}

/** A dish may be left out for what is in it: then its name is not in the wish. */
function sayNotLeftOut(named: string, unwanted: readonly string[]): string {
  return unwanted.length === 0
    ? `${named} is not left out at the moment.`
    : `${named} is not left out by that name. Left out at the moment: ${joinQuoted(unwanted)}.`;
}

/** Fills days, in order, from what the analysis left; without one it is made first. */
function proposeDays({ count, day, slot }: Clause, facts: PlanFacts): GivenThinkAnswer {
  const { scene, words, candidates } = facts;
  const choices = scene.things.filter(
    ({ ref }) => belongsTo(ref, words.roles.choices) && candidates?.includes(ref) === true,
  );
  const today = Temporal.PlainDate.from(scene.lexicon.today);
  const [from, to] = [1, count ?? 7].map((days) => today.add({ days }).toString());
  const days = day ?? { first: from ?? "", last: to ?? "" };
  const dates = listDates(days, Math.min(count ?? 7, 14)).map((date) => {
    return { first: date, last: date, or: null, evening: false };
  });
  if (choices.length === 0)
    return planSteps(
      dates.map((on) => createClause("suggest", { day: on, slot })),
      facts,
    );
  const names = dates.map((on, index) => {
    const { label = "", ref = "" } = choices[index % choices.length] ?? {};
    return createTarget(label, { known: true, ref, slot, day: on });
  });
  const lines = names.map(({ text, day: on }) => `- ${nameDate(on?.first ?? "")}: ${text}`);
  const question = `Shall I plan this?\n${lines.join("\n")}`;
  return propose(question, [createClause("plan", { names })], facts);
}

function planSteps(clauses: readonly Clause[], facts: PlanFacts): GivenThinkAnswer {
  const named = clauses.map((clause) => nameReferences(clause, facts.scene));
  const goals = new Set(named.map((clause) => describeClause(clause, facts.words)));
  const { steps, calls } = buildSteps(named, facts);
  return {
    ...answer("Every word of the message has one place."),
    goal:
      steps.length + calls.length === 1 &&
      goals.size === 1 &&
      !clauses.some((clause) => looksForUnknown(clause) || clause.kind === "exclude")
        ? null
        : [...goals].join("; "),
    decision: "plan",
    steps,
    calls,
  };
}

function propose(text: string, clauses: readonly Clause[], facts: PlanFacts): GivenThinkAnswer {
  return { ...planSteps(clauses, facts), decision: "propose", asks: [text] };
}

/** A semicolon in a name stands between quotation marks. */
const BETWEEN_STEPS = /; (?=(?:[^"]*"[^"]*")*[^"]*$)/u;

/** The commands of steps that were not done; what was to be looked for is looked for again, without its looks. */
function listLeft(steps: string): string[] {
  const commands = steps.split(BETWEEN_STEPS);
  const searches = commands.filter((each) => each.includes(SEARCH));
  const names = searches.flatMap((each) => each.match(/"[^"]*"/gu) ?? []);
  const isPart = (each: string): boolean =>
    names.some((name) => each.startsWith("Show ") && each.endsWith(` called ${name}`));
  return commands.filter((each) => !isPart(each)).map((each) => each.split(SEARCH)[0] ?? "");
}

/**
 * A step that needs the person's yes came back with its question and the command that a yes runs, and
 * the commands behind it.
 */
function proposeCommand(
  question: string,
  commands: readonly string[],
  facts: PlanFacts,
): GivenThinkAnswer {
  const { words, scene } = facts;
  const { today } = scene.lexicon;
  const lexicon = createLexicon({ words, parts: scene.parts, labels: [], today, takesRefs: true });
  const clauses = commands.flatMap((command) => readClauses(command, lexicon));
  const { steps, calls } = buildSteps(clauses, facts);
  return {
    ...answer("The step needs the person's yes."),
    goal: commands.join("; "),
    decision: "propose",
    steps: steps.map((step) => Object.assign({}, step, { refs: readRefs(step.description) })),
    calls,
    asks: [question],
  };
}

/** Goal of a plan that shows and changes nothing. */
const ANSWER = "Answer";

/** Puts a sentence into the reason of a plan without steps: Reply finds it there. */
function answer(text: string): GivenThinkAnswer {
  return {
    reasoning: text,
    goal: ANSWER,
    decision: "answer",
    steps: [],
    calls: [],
    asks: [],
  };
}

function clarify(question: string): GivenThinkAnswer {
  return {
    ...answer("Only the person can say which is meant."),
    decision: "clarify",
    asks: [question],
  };
}
