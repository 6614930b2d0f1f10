/**
 * The ways in which people say one thing. `{name}` stands for words that every way repeats as they are:
 * labels, columns and values.
 */
interface Wordings {
  /** The sentence of the reference model, which the others replace. */
  readonly plain: string;
  readonly others: readonly [string, string, string, string];
  /** Two of them with a slip of the finger, never in a label or value. */
  readonly typos: readonly [string, string];
}

/** Number of ways to say each thing: five wordings, then two with typos. */
export const MESSAGE_WORDINGS = 7;

/** Longer sentences before shorter ones that they begin like. */
const TABLE: readonly Wordings[] = [
  {
    plain: "show me all {things}",
    others: [
      "list the {things}",
      "which {things} are there?",
      "I'd like to see all {things}",
      "all {things}, please",
    ],
    typos: ["shwo me all {things}", "wich {things} are there?"],
  },
  {
    plain: 'only those with "{value}" as {column}',
    others: [
      'keep just the ones whose {column} is "{value}"',
      '{column} should be "{value}", drop the rest',
      'narrow it down to {column} "{value}"',
      'I only want the ones where the {column} is "{value}"',
    ],
    typos: ['onyl those with "{value}" as {column}', 'narow it down to {column} "{value}"'],
  },
  {
    plain: 'not those with "{value}" as {column}, please',
    others: [
      'leave out the ones whose {column} is "{value}"',
      'nothing with "{value}" as {column}',
      'without those where the {column} is "{value}"',
      'I don\'t want any whose {column} is "{value}"',
    ],
    typos: [
      'not thsoe with "{value}" as {column}, please',
      'leave otu the ones whose {column} is "{value}"',
    ],
  },
  {
    plain: "not {things}, please",
    others: [
      "leave out {things}",
      "without {things}",
      "I don't want {things}",
      "{things}: no, rather not",
    ],
    typos: ["nto {things}, please", "I dont wnat {things}"],
  },
  {
    plain: "which ones did we leave out?",
    others: [
      "what have I ruled out so far?",
      "what did I say no to?",
      "which are out of the running?",
      "remind me what we dropped",
    ],
    typos: ["wich ones did we leave out?", "what have I ruled otu so far?"],
  },
  {
    plain: "bring {things} back",
    others: [
      "put {things} back in",
      "{things} is fine after all",
      "I changed my mind, {things} can stay",
      "include {things} again",
    ],
    typos: ["birng {things} back", "inlcude {things} again"],
  },
  {
    plain: "why did we leave out {thing}?",
    others: [
      "what was wrong with {thing}?",
      "for what reason is {thing} out?",
      "why is {thing} not in the running?",
      "why no {thing}?",
    ],
    typos: ["why did we laeve out {thing}?", "waht was wrong with {thing}?"],
  },
  {
    plain: "so which {things} were left?",
    others: [
      "which {things} remain?",
      "back to the {things}: what is left?",
      "what {things} do we still have to choose from?",
      "{things} again, which are still in?",
    ],
    typos: ["so wich {things} were left?", "whcih {things} remain?"],
  },
  {
    plain: "what is the {column} of {things}?",
    others: [
      "tell me the {column} of {things}",
      "{things}: what {column}?",
      "do you know the {column} of {things}?",
      "I need the {column} of {things}",
    ],
    typos: ["waht is the {column} of {things}?", "tel me the {column} of {things}"],
  },
  {
    plain: 'set the {column} of {thing} to "{value}", and add {label}',
    others: [
      'change the {column} of {thing} to "{value}", and also add {label}',
      'add {label}, and make the {column} of {thing} "{value}"',
      'the {column} of {thing} should be "{value}"; besides, add {label}',
      'please set the {column} of {thing} to "{value}" and create {label}',
    ],
    typos: [
      'set teh {column} of {thing} to "{value}", adn add {label}',
      'chagne the {column} of {thing} to "{value}", and also add {label}',
    ],
  },
  {
    plain: 'in the draft of {thing}, set the {column} to "{value}"',
    others: [
      'change the {column} in the draft of {thing} to "{value}"',
      'the draft of {thing} should have "{value}" as {column}',
      'make the {column} "{value}" in the draft of {thing}',
      'for the draft of {thing}: {column} "{value}" instead',
    ],
    typos: [
      'in teh draft of {thing}, set the {column} to "{value}"',
      'mkae the {column} "{value}" in the draft of {thing}',
    ],
  },
  {
    plain: 'set the {column} of {thing} to "{value}"',
    others: [
      'change the {column} of {thing} to "{value}"',
      'make the {column} of {thing} "{value}"',
      'the {column} of {thing} should be "{value}" from now',
      'update {thing}: {column} is "{value}"',
    ],
    typos: [
      'set teh {column} of {thing} to "{value}"',
      'chagne the {column} of {thing} to "{value}"',
    ],
  },
  {
    plain: "is the {column} of {thing} right?",
    others: [
      "does the {column} of {thing} look right to you?",
      "I'm not sure about the {column} of {thing}",
      "can the {column} of {thing} be right?",
      "check the {column} of {thing}: is that correct?",
    ],
    typos: ["is the {column} of {thing} rihgt?", "I'm not sure abuot the {column} of {thing}"],
  },
  {
    plain: "draft a {type} called {label}",
    others: [
      "make a draft of a {type} named {label}",
      "sketch a {type} {label}, don't save it yet",
      "prepare a {type} called {label} for me to look at",
      "write up a {type} {label} as a draft",
    ],
    typos: ["darft a {type} called {label}", "perpare a {type} called {label} for me to look at"],
  },
  {
    plain: "plan {count} {things}: {labels}",
    others: [
      "draft {count} {things}: {labels}",
      "sketch {count} {things} for me: {labels}",
      "prepare {count} {things}, unsaved: {labels}",
      "make drafts of {count} {things}: {labels}",
    ],
    typos: ["paln {count} {things}: {labels}", "darft {count} {things}: {labels}"],
  },
  {
    plain: "save {thing}",
    others: [
      "keep {thing}",
      "store the draft of {thing}",
      "{thing} is good, save it",
      "please save {thing} now",
    ],
    typos: ["svae {thing}", "sotre the draft of {thing}"],
  },
  {
    plain: "add {label}",
    others: ["please add {label}", "put {label} in", "create {label}", "I need a new one: {label}"],
    typos: ["ad {label}", "craete {label}"],
  },
  {
    plain: "delete {things}",
    others: [
      "remove {things}",
      "please delete {things}",
      "get rid of {things}",
      "{things} can be deleted",
    ],
    typos: ["delte {things}", "reomve {things}"],
  },
  {
    plain: "yes, do it",
    others: ["yes please", "go ahead", "ok, do that", "sure, that's right"],
    typos: ["yse, do it", "go ahaed"],
  },
  {
    plain: "no, leave it",
    others: ["no, don't", "better not", "leave it as it is", "no thanks"],
    typos: ["no, laeve it", "bteter not"],
  },
  {
    plain: "undo that",
    others: [
      "take that back",
      "revert that",
      "please undo the last change",
      "put it back the way it was",
    ],
    typos: ["udno that", "tkae that back"],
  },
  {
    plain: "from now on {wish}",
    others: [
      "as a rule: {wish}",
      "keep in mind from here on: {wish}",
      "in future, {wish}",
      "always remember: {wish}",
    ],
    typos: ["form now on {wish}", "in futrue, {wish}"],
  },
  {
    plain: "forget {wish}",
    others: [
      "never mind {wish}",
      "drop what I said: {wish}",
      "{wish} no longer holds",
      "ignore {wish} from here on",
    ],
    typos: ["froget {wish}", "nevr mind {wish}"],
  },
  {
    plain: "by the way, {words}",
    others: [
      "just so you know, {words}",
      "oh, and {words}",
      "for your information: {words}",
      "incidentally, {words}",
    ],
    typos: ["by teh way, {words}", "jsut so you know, {words}"],
  },
  {
    plain: "what did I say about {cue}?",
    others: [
      "what was it that I told you about {cue}?",
      "remind me what I said about {cue}",
      "I mentioned {cue}: what was that?",
      "do you remember what I said about {cue}?",
    ],
    typos: ["waht did I say about {cue}?", "remnid me what I said about {cue}"],
  },
  {
    plain: "thank you",
    others: ["thanks", "great, thanks", "thanks a lot", "ok, thank you"],
    typos: ["thnak you", "thansk"],
  },
];

interface Pattern {
  readonly form: RegExp;
  readonly ways: readonly string[];
}

const PATTERNS: readonly Pattern[] = TABLE.map(({ plain, others, typos }) => ({
  form: toPattern(plain),
  ways: [plain, ...others, ...typos],
}));

/**
 * Says a message of the reference model in another of the `MESSAGE_WORDINGS` ways, counted from 0 (as it is).
 *
 * @throws RangeError for a message that no wording is known for.
 */
export function rewordMessage(message: string, way: number): string {
  for (const { form, ways } of PATTERNS) {
    const groups = form.exec(message)?.groups;
    if (groups === undefined && !form.test(message)) continue;
    const words = ways[way % MESSAGE_WORDINGS] ?? message;
    return words.replaceAll(/\{(\w+)\}/gu, (_, name: string) => groups?.[name] ?? "");
  }
  throw new RangeError(`Cannot reword "${message}": no wording is known for it; add one`);
}

function toPattern(plain: string): RegExp {
  const source = plain
    .replaceAll(/[.?*+()[\]|\\^$]/gu, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/gu, "(?<$1>[^]*?)");
  return new RegExp(`^${source}$`, "u");
}
