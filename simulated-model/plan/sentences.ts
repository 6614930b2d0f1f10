import type { SimulatedWords } from "../../state/simulated-words.ts";
import { type Clause, describeClause } from "../language/request.ts";
import { lowerFirst, quoteWords } from "../phrase.ts";

const SET_MODEL =
  "To set a model: OPENAI_API_KEY, or OPENAI_BASE_URL with OPENAI_MODEL (see docs/settings.md).";

/** Says that advice needs a model, and where advice can be seen. */
export const NO_ADVICE =
  "I cannot advise without a language model. To see how advice works here, ask: “We keep ordering takeout, what should we do?”";

/** Says that there is nothing to agree to. */
export const NOTHING_WAITS = "Nothing is waiting for a yes. Please say the whole command.";

/** Says that what the last reply reported is stored. */
export const SAVED = "It is saved already.";

const SAY_PLAINLY = "I am not sure whether that is a yes. Please answer with “yes” or “no”.";

const NOTHING_TO_STOP =
  "Nothing is waiting, and I have done nothing now. To take my last change back, write “undo”.";

const TALK: Partial<Record<Clause["kind"], (words: SimulatedWords) => string>> = {
  yes: () => NOTHING_WAITS,
  no: () => "All right, nothing was changed.",
  thanks: () => "You are welcome.",
  undo: () => "To take my last change back, write “undo”.",
  takeback: () => "Do you mean “undo”, or “bring back” something that is left out?",
  report: () => "I cannot see here what I changed.",
  meant: () =>
    "Please say the whole command once more. To take my last change back first, write “undo”.",
  hello: (words) => `Hello! ${introduce(words)}`,
};

/** Answers clauses that ask for nothing that is stored; a no where nothing waits may mean the last change. */
export function answerTalk(
  clauses: readonly Clause[],
  words: SimulatedWords,
  isWaiting: boolean,
): string {
  if (!isWaiting && clauses.some(({ kind }) => kind === "no")) return NOTHING_TO_STOP;
  if (isWaiting && clauses.some(({ kind }) => kind === "yes")) return SAY_PLAINLY;
  const [talk = introduce] = clauses.flatMap(({ kind }) => TALK[kind] ?? []);
  return talk(words);
}

/** Says which words had no place, and what can be asked instead. */
export function refuse(words: readonly string[], domain: SimulatedWords): string {
  return `${quoteUnread(words)} ${describeAbilities(domain)}`;
}

/** Begins the sentence on words that had no place. */
export const UNREAD = "I did not understand";

/** Says which words had no place. */
export function quoteUnread(words: readonly string[]): string {
  const quoted = words.map((word) => `"${shortenWord(word.replaceAll('"', ""))}"`).join(", ");
  return `${UNREAD} ${quoted === "" ? "that" : quoted}.`;
}

const LONGEST_WORD = 60;

function shortenWord(word: string): string {
  const characters = [...word];
  return characters.length <= LONGEST_WORD
    ? word
    : `${characters.slice(0, LONGEST_WORD).join("")}…`;
}

/** Says what the simulated model can do. */
export function introduce(domain: SimulatedWords): string {
  return `I follow plain commands. ${describeAbilities(domain)}`;
}

/** For a domain of whose names nothing is known: "Box of pins" is one, and has a unit in it. */
const QUOTED = "; a name that I do not know goes in quotation marks";

function describeAbilities({ examples, roles }: SimulatedWords): string {
  const abilities = `add, remove and ${roles.schedule === null ? "leave out" : "plan"}`;
  const shown = examples.slice(0, 2).map((example) => quoteWords([example]));
  const such = shown.length === 0 ? QUOTED : `, for example ${shown.join(" or ")}`;
  return `Without a language model I can show, ${abilities} what is stored here${such}. ${SET_MODEL}`;
}

/** Says what clauses ask for, in lower case: `add "milk" to the shopping list; show the pantry`. */
export function describeClauses(clauses: readonly Clause[], words: SimulatedWords): string {
  return clauses.map((clause) => lowerFirst(describeClause(clause, words))).join("; ");
}

/** Takes the refs behind quoted names out of a command, for people. */
export function hideRefs(command: string): string {
  return command.replaceAll(/" \((?:gen_)?[a-z_]+_\d+\)/g, '"');
}

const ADVICE =
  /\b(?:should|shall) (?:i|we)\b|\bwhat (?:should|can|could|do|would) (?:i|we|you) do\b|\bhow (?:do|can|should|could|would) (?:i|we|you) (?!make|cook|see|add)\w+|\b(?:advice|advise|tips)\b|\bis it (?:worth|better|best|wise|a (?:good|bad) idea)\b|\bbetter to\b|\bdo you think\b|\bhelp (?:me|us) (?:to )?(?:decide|choose|understand)\b|\bwhat(?:'s| is) the best way\b|\bwhy (?:do|does|is|are|can)\b/i;

/** Tells whether a message asks for advice, which nothing but a language model can give. */
export function asksAdvice(message: string): boolean {
  return ADVICE.test(message);
}
