import { readCalendar } from "../language/calendar.ts";
import { readRequest } from "../language/request.ts";
import {
  createVocabulary,
  namesChoice,
  partIn,
  partNamed,
  readPart,
  type Vocabulary,
} from "../language/vocabulary.ts";
import type { Request } from "../language/wish.ts";
import { belongsTo, readNamed, readRefs, readTable, type Thing } from "../prompt/read-entities.ts";
import { type ProfileFacts, readProfile } from "../prompt/read-profile.ts";
import { lastUserMessage, linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { readWishes } from "../prompt/read-wishes.ts";
import type { World } from "../world/world.ts";

/** Everything Think's prompt says, taken apart. */
export interface Situation {
  readonly request: Request;
  readonly vocabulary: Vocabulary;
  readonly things: ReadonlyMap<string, Thing>;
  /** What the message points at, in order. */
  readonly references: readonly { readonly ref: string; readonly label: string }[];
  readonly excluded: readonly { readonly ref: string; readonly label: string }[];
  readonly restored: readonly { readonly ref: string; readonly label: string }[];
  /** What the last analysis left standing; null where nothing was judged. */
  readonly remaining: readonly string[] | null;
  readonly answersPending: string | null;
  readonly blocked: string;
  readonly profile: ProfileFacts;
  readonly snapshot: readonly Count[];
  readonly wishes: readonly string[];
  readonly history: string;
  readonly lastTurns: string;
  /** The plan that is being carried out; empty without one. */
  readonly activePlan: string;
  readonly today: string | null;
}

/** One number of the snapshot: 5 "things to buy". */
export interface Count {
  readonly count: number;
  readonly words: string;
}

/** Takes Think's prompt apart. */
export function readSituation(prompt: ParsedPrompt, world: World): Situation {
  const { section } = prompt;
  const parts = linesOf(section("Subdomains")).flatMap((line) => {
    const [, name, tables, about] = /^- ([a-z_]+) \(([^)]*)\): (.+)$/.exec(line) ?? [];
    return name === undefined ? [] : [readPart(name, tables ?? "", about ?? "")];
  });
  const known = readTable(section("Recent Context"), section("Changed in Recent Context"));
  const thisTurn = section("This Turn");
  const references = linesOf(thisTurn).flatMap((line) =>
    /^".*" means /.test(line)
      ? readNamed(line.slice(line.lastIndexOf('" means '))).slice(0, 1)
      : [],
  );
  const vocabulary = createVocabulary(parts, known, world);
  const things = new Map(known.map((thing) => [thing.ref, thing]));
  const answersPending =
    /^The message answers what was pending: (\w+)/m.exec(thisTurn)?.[1] ?? null;
  const lastTurns = section("Last Turn Summary");
  const aboutDraft = references.some(
    ({ ref }) => things.get(ref)?.draft === true || ref.startsWith("gen_"),
  );
  const answersQuestion = answersPending !== null && answersPending !== "reject";
  const asked = answersQuestion ? lastUserMessage(section("What was said last")) : prompt.message;
  return {
    request: readRequest(asked, vocabulary, { aboutDraft }),
    vocabulary,
    things,
    references,
    excluded: namedAfter(thisTurn, "User excluded: "),
    restored: namedAfter(thisTurn, "User brought back: "),
    remaining: remainingOf(lastTurns),
    answersPending,
    blocked:
      /could not be carried out: (.+?) \(tried: .*\)\. Plan another way/.exec(thisTurn)?.[1] ?? "",
    profile: readProfile(section("Profile")),
    snapshot: readCounts(section("How things stand")),
    wishes: readWishes(section("Wishes and rules")).map(({ text }) => text),
    history: [section("conversation_history"), section("Earlier turns")].join("\n"),
    lastTurns,
    activePlan: section("Active Plan"),
    today: readCalendar(thisTurn)?.today ?? null,
  };
}

function namedAfter(
  text: string,
  lead: string,
): { readonly ref: string; readonly label: string }[] {
  return linesOf(text)
    .filter((line) => line.startsWith(lead))
    .flatMap(readNamed);
}

/** What still can be chosen, as the last turn's summary says. */
function remainingOf(lastTurns: string): readonly string[] | null {
  const line = /^\*\*Remaining viable options:\*\* (.+)$/m.exec(lastTurns)?.[1];
  return line === undefined ? null : readRefs(line);
}

function readCounts(snapshot: string): Count[] {
  const [first = ""] = linesOf(snapshot);
  return first.split(",").flatMap((piece): Count[] => {
    const [, count, words] = /^\s*(\d+) ([^.(]+)/.exec(piece) ?? [];
    return count === undefined || words === undefined
      ? []
      : [{ count: Number(count), words: words.trim() }];
  });
}

/** The name of the part that plays a role, as the prompt names it; null where it does not. */
export function part({ vocabulary }: Situation, role: keyof World["parts"]): string | null {
  return partNamed(vocabulary.world.parts[role], vocabulary);
}

/** The part of the data that a ref belongs to; null where the prompt names none. */
export function partOfRef(ref: string, { vocabulary }: Situation): string | null {
  return vocabulary.parts.find(({ name }) => belongsTo(ref, name))?.name ?? null;
}

/** The count that the snapshot gives of a part; null where it gives none. */
export function countOf(
  name: string,
  snapshot: readonly Count[],
  vocabulary: Vocabulary,
): Count | null {
  const { choices } = vocabulary.world.parts;
  return (
    snapshot.find(
      ({ words: said }) =>
        partIn(said, vocabulary) === name || (name === choices && namesChoice(said, vocabulary)),
    ) ?? null
  );
}
