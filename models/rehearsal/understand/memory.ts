import { type Calendar, readCalendar } from "../language/calendar.ts";
import { readRequest } from "../language/request.ts";
import {
  createVocabulary,
  readPart,
  type Vocabulary,
  namesChoice,
  thingsOf,
} from "../language/vocabulary.ts";
import { worldThings } from "../language/world-things.ts";
import type { Request } from "../language/wish.ts";
import { readNamed, readRefs, readTable, type Thing } from "../prompt/read-entities.ts";
import { lastUserMessage, linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";
import { readWishes, type StandingWish } from "../prompt/read-wishes.ts";
import type { World } from "../world/world.ts";
import { createdLast, draftInFocus, type Pointable, refsOfTurns } from "./pointable.ts";

/** Everything Understand's prompt says, taken apart. */
export interface Memory {
  readonly message: string;
  readonly request: Request;
  readonly vocabulary: Vocabulary;
  readonly known: readonly Thing[];
  readonly excluded: readonly Thing[];
  readonly pointable: Pointable;
  readonly lastMessage: string;
  readonly wishes: readonly StandingWish[];
  readonly pending: Pending | null;
  readonly calendar: Calendar | null;
  readonly rules: string;
  /** Where the concierge's journey stands; empty without one. */
  readonly phase: string;
  /** The question that the concierge ended with; empty where it asked none. */
  readonly asked: string;
  readonly recentTurns: string;
}

/** A question that waits for an answer. */
export interface Pending {
  readonly kind: string;
  readonly options: readonly { readonly ref: string; readonly label: string }[];
}

/** Takes Understand's prompt apart. */
export function readMemory(prompt: ParsedPrompt, world: World): Memory {
  const { section, message } = prompt;
  const known = readTable(section("Known entities"), section("Changed in Known entities"));
  const excluded = linesOf(section("Excluded until restored")).flatMap((line) =>
    readNamed(line)
      .slice(0, 1)
      .map(({ ref, label }) => ({ ref, label, facts: line.split("): ")[1] ?? "", draft: false })),
  );
  const parts = linesOf(section("Parts of the data")).flatMap((line) => {
    const [, name, about] = /^- ([a-z_]+): (.+)$/.exec(line) ?? [];
    return name === undefined ? [] : [readPart(name, "", about ?? "")];
  });
  const vocabulary = createVocabulary(parts, [...known, ...excluded], world);
  const pointable: Pointable = {
    things: known,
    listed: linesOf(section("Listed last")).flatMap((line) => readRefs(line).slice(0, 1)),
    recent: refsOfTurns(section("Last turns")),
    created: createdLast(section("Last turns")),
    planned: thingsOf(world.parts.schedule, known),
    pale: vocabulary.pale,
    worldThings: (phrase) => worldThings(phrase, vocabulary),
    namesChoice: (phrase) => namesChoice(phrase, vocabulary),
  };
  const aboutDraft = draftInFocus(pointable) !== null;
  return {
    message,
    request: readRequest(message, vocabulary, { aboutDraft }),
    vocabulary,
    known,
    excluded,
    pointable,
    lastMessage: lastUserMessage(section("What was said last")),
    wishes: readWishes(section("Wishes and rules")),
    pending: readPending(section("Pending question")),
    calendar: readCalendar(section("Calendar")),
    rules: section("Rules"),
    phase: section("Phase"),
    asked: section("The concierge asked last"),
    recentTurns: section("What was said last"),
  };
}

function readPending(text: string): Pending | null {
  const kind = /^(proposal|question): /.exec(text)?.[1];
  if (kind === undefined) return null;
  return {
    kind,
    options: linesOf(text)
      .filter((line) => line.startsWith("- "))
      .flatMap(readNamed),
  };
}
