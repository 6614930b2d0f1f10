import { changedHeading, HEADINGS } from "../../prompts/headings.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import { readToday } from "../language/dates.ts";
import { createLexicon, type Lexicon, type Part } from "../language/lexicon.ts";
import { readClauses } from "../language/read-message.ts";
import { LACKING } from "../phrase.ts";
import { asksForDay, completeAnswer } from "./complete-answer.ts";
import {
  type PromptRef,
  readLeftOut,
  readListed,
  readNamed,
  readRefs,
  readTable,
  type Thing,
} from "./read-entities.ts";
import { findFillable, readColumnList, type ShownTable } from "./read-tables.ts";
import { type ParsedPrompt, readFenced } from "./read-prompt.ts";

/** The conversation and the data as Understand's or Think's prompt shows them. Total. */
export interface Scene {
  readonly message: string;
  /** The message chooses or corrects what the last turn asked or wrote, and is written as the whole command. */
  readonly isCompleted: boolean;
  /** Things that are in play. */
  readonly things: readonly Thing[];
  /** Things that are left out, with the reason that was given. */
  readonly excluded: readonly (PromptRef & { readonly reason: string })[];
  readonly listed: readonly (PromptRef & { readonly place: number })[];
  /** Refs that are left of the choice in focus. */
  readonly left: readonly string[];
  /** Refs of the open choices, those that were left out of them too. */
  readonly open: readonly string[];
  readonly wishes: string;
  /** Kind of the question that waits for an answer. */
  readonly pending: "proposal" | "question" | null;
  /** Meanings of the message's pointing words, as Understand resolved them. */
  readonly references: readonly (PromptRef & { readonly text: string })[];
  /** The subdomains by name. */
  readonly parts: readonly string[];
  /** The rows of each type, as the list of columns has them. */
  readonly tables: readonly ShownTable[];
  /** The changes that the steps of each subdomain can make: "delete task". */
  readonly changes: ReadonlyMap<string, readonly string[]>;
  readonly lastReply: string;
  /** The person's message before this one. */
  readonly lastMessage: string;
  readonly lexicon: Lexicon;
}

/** Takes a prompt of Understand or Think apart. */
export function readScene({ section, message: whole }: ParsedPrompt, words: SimulatedWords): Scene {
  const [, part] =
    /^The concierge's part: "(.*)"\. It is answered after/m.exec(section(HEADINGS.message)) ?? [];
  const message = part === undefined ? whole : dropPart(whole, part);
  const data = (name: string): string => readFenced("data", section(name));
  const { recentContext } = HEADINGS;
  const things = readTable(data(recentContext), data(changedHeading(recentContext)));
  const excluded = readLeftOut(data(HEADINGS.choices));
  const listed = readNumbered(data(HEADINGS.listedLast));
  const [shown, guide] = [section(HEADINGS.data), section(HEADINGS.subdomains)];
  const changes = readChanges(guide);
  const partTypes = new Map([...listOwnTypes(changes), ...readPartTypes(shown)]);
  const named = [...guide.matchAll(/^- ([a-z]\w*): /gm)].map(([, part = ""]) => part);
  const parts = [...new Set([...partTypes.values(), ...named])];
  const pending = section(HEADINGS.pendingQuestion);
  // `"the second one" means recipe_2 (Cod Tacos)`
  const references = section(HEADINGS.thisTurn)
    .split("\n")
    .flatMap((line) => {
      const [, text] = /^"(.+)" means /.exec(line) ?? [];
      const [named] = readNamed(line);
      return text === undefined || named === undefined ? [] : [{ ...named, text }];
    });
  const today = readToday(`${section(HEADINGS.calendar)}\n${section(HEADINGS.thisTurn)}`);
  const labels = [...things, ...excluded, ...listed].map(({ label }) => label);
  const turns = data(HEADINGS.recentTurns);
  const tables = readColumnList(`${shown}\n${section(HEADINGS.columns)}`, partTypes, words);
  const uncounted = findUncounted(tables, parts);
  const lexicon = createLexicon({ words, parts, labels, today, takesRefs: false, uncounted });
  const lastUser = turns.slice(turns.lastIndexOf("User: ") + "User: ".length);
  const lastMessage = lastUser.split("\nAssistant: ")[0] ?? "";
  const lastReply = turns.slice(turns.lastIndexOf("Assistant: ") + "Assistant: ".length);
  const completed = completeAnswer({ message, lastMessage, lastReply, lexicon, things });
  return {
    message: completed ?? message,
    isCompleted: completed !== null && !asksForDay(lastReply),
    things,
    excluded,
    listed,
    left: [...data(HEADINGS.choices).matchAll(/^\d+\. (\S+)/gm)].map(([, ref = ""]) => ref),
    open: readRefs(data(HEADINGS.choices).replaceAll(/^Left out elsewhere: .*$/gm, "")),
    wishes: section(HEADINGS.wishes),
    pending: pending === "" ? null : pending.startsWith("proposal: ") ? "proposal" : "question",
    references,
    parts,
    tables,
    changes,
    lastReply,
    lastMessage,
    lexicon: {
      ...lexicon,
      // One that the program has written names rows of one label by their refs.
      takesRefs: completed !== null,
      missing: findMissing(lastReply),
      lastPart: findStoredPart(lastReply, lexicon) ?? findLastPart(lastMessage, lexicon),
    },
  };
}

/** The parts whose rows have no amount, and null where that is all of them. */
function findUncounted(
  tables: readonly ShownTable[],
  parts: readonly string[],
): ReadonlySet<string | null> {
  const found = new Set(
    tables.filter((table) => findFillable(table, "number") === null).map(({ part }) => part),
  );
  return new Set([...found, ...(parts.every((part) => found.has(part)) ? [null] : [])]);
}

/** A message without the part that the concierge answers. */
export function dropPart(message: string, part: string): string {
  const left = message.replace(/\s+/g, " ").replace(part, () => "");
  return left.replace(/^[\s,;.!?]*(?:(?:and|also|then)\s)*|(?:[\s,;]+(?:and|also|then)?)*$/gi, "");
}

/** The place in stock that the receipt of an addition names: "Added: bacon (freezer)"; null where it names none. */
function findStoredPart(reply: string, { words }: Lexicon): Part | null {
  const [, facts = ""] = /^Added: .*\(([^()]*)\)/u.exec(reply) ?? [];
  const places = Object.keys(words.nouns).map((noun) => noun.split("/"));
  const [found] = places.flatMap(([subdomain = "", value]) =>
    value !== undefined && facts.split(", ").includes(value) ? { subdomain, value } : [],
  );
  return found ?? null;
}

/** The things of a reply: "Missing for Cod Tacos: cabbage, tortillas." */
function findMissing(reply: string): readonly string[] {
  const lines = [...reply.matchAll(new RegExp(`^${LACKING} for .+?: (.+)\\.$`, "gm"))];
  return [...new Set(lines.flatMap(([, names = ""]) => names.split(", ")))];
}

/** The part of the data that a message was about last; null where it named none. */
function findLastPart(message: string, lexicon: Lexicon): Part | null {
  return readClauses(message, lexicon).findLast(({ part }) => part !== null)?.part ?? null;
}

/** The lines of a numbered list, `3. recipe_5 French Toast`, by their numbers. */
function readNumbered(text: string): Scene["listed"] {
  return text.split("\n").flatMap((line) => {
    const [, place = ""] = /^(\d+)\. /.exec(line) ?? [];
    return readListed(line).map((named) => Object.assign(named, { place: Number(place) }));
  });
}

/** The part of the data of each type: `- recipe (recipes, the recipe box): name, servings number`. */
function readPartTypes(data: string): ReadonlyMap<string, string> {
  const lines = data.matchAll(/^- ([a-z]\w*) \(([a-z]\w*), /gm);
  return new Map([...lines].map(([, type = "", part = ""]) => [type, part]));
}

/** The first type that a part can change is its own. */
function listOwnTypes(changes: Scene["changes"]): [string, string][] {
  return [...changes].map(([part, [first = ""]]) => [first.replace(/^\w+ /, ""), part]);
}

/** The changes that a type allows which stands alone. */
const EVERY_ACTION = "create, update, delete";

/** `- tasks: chores`, and below it `  - can change: task (create, update)`. */
function readChanges(guide: string): Scene["changes"] {
  const lines = guide.matchAll(/^- ([a-z]\w*): .*\n {2}- can change: (.+)$/gm);
  return new Map(
    [...lines].map(([, part = "", types = ""]) => {
      const listed = [...types.matchAll(/([a-z_]\w*)(?: \(([a-z, ]+)\))?/g)];
      const changes = listed.flatMap(([, type = "", actions = EVERY_ACTION]) =>
        actions.split(", ").map((action) => `${action} ${type}`),
      );
      return [part, changes];
    }),
  );
}
