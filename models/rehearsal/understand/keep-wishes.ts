import type { UnderstandAnswer } from "../../../state/understanding.ts";
import { endIn } from "../language/calendar.ts";
import { PATTERNS } from "../language/patterns.ts";
import { thingsOf } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { stems } from "../language/words.ts";
import { countedTimes, timeWords } from "../language/world-words.ts";
import type { World } from "../world/world.ts";
import { isAboutDraft } from "./curate.ts";
import { exclusionOf } from "./exclusions.ts";
import type { Memory } from "./memory.ts";

type Kept = UnderstandAnswer["constraints"][number];

/** The wishes that outlast the message, and which older one each takes the place of. */
export function constraintsOf(memory: Memory): Kept[] {
  return memory.request.wishes.flatMap((wish) => keptOf(wish, memory));
}

function keptOf(wish: Wish, memory: Memory): Kept[] {
  const { request, vocabulary, known, calendar } = memory;
  const { world } = vocabulary;
  const until = endIn(wish.phrase, calendar) ?? endIn(request.plain, calendar);
  switch (wish.kind) {
    case "exclude": {
      if (isAboutDraft(wish)) return [];
      const options = thingsOf(vocabulary.world.parts.choices, known);
      const { wishes } = exclusionOf(wish.phrase, options, vocabulary);
      return wishes.map((word) => kept(`no ${word}`, { until }));
    }
    case "welcome":
      return liftedWishes(wish.phrase, memory).map((replaces) =>
        kept(`${replaces.replace(/^no /, "")} again`, { replaces }),
      );
    case "rule":
      return [kept(wish.text, { kind: "hard" })];
    case "fill":
      return [
        ...(wish.count === null
          ? []
          : [kept(withoutGaps(wish.phrase, world), { until, count: wish.count })]),
        ...gapsIn(wish.phrase, world).map((text) => kept(text, { until })),
      ];
    case "recount":
      return recounted(wish.count, memory);
    default:
      return [];
  }
}

function kept(text: string, rest: Partial<Kept>): Kept {
  return { text, kind: "soft", count: null, until: null, replaces: null, ...rest };
}

/** The counted wish that stands, with the other number. */
function recounted(count: number, { wishes, vocabulary }: Memory): Kept[] {
  const counted = wishes.find(({ text }) => countedTimes(text, vocabulary.world) !== null);
  if (counted === undefined) return [];
  const text = counted.text.replace(/\d+/, `${count}`);
  return [kept(text, { count, until: counted.until, replaces: counted.text })];
}

/** Standing wishes against something that is welcome again. */
function liftedWishes(phrase: string, { wishes }: Memory): string[] {
  const words = new Set(stems(phrase));
  return wishes
    .map(({ text }) => text)
    .filter(
      (text) => text.startsWith("no ") && stems(text.slice(3)).every((word) => words.has(word)),
    );
}

/** What is to stay empty, as one wish: "leave wednesday dinner and friday lunch empty". */
function gapsIn(phrase: string, world: World): string[] {
  const gaps = phrase
    .split(" , ")
    .filter((clause) => PATTERNS.gap.test(clause))
    .flatMap((clause) => Array.from(clause.matchAll(gapPattern(world)), slotOf));
  return gaps.length === 0 ? [] : [`leave ${gaps.join(" and ")} empty`];
}

function gapPattern(world: World): RegExp {
  const day = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|\\d{4}-\\d{2}-\\d{2}";
  const time = timeWords(world).join("|");
  return new RegExp(`\\b(${day}) (${time})\\b|\\b(${time}) on (${day})\\b`, "g");
}

function slotOf([, day, time, timeFirst, dayLast]: RegExpExecArray): string {
  return `${day ?? dayLast} ${time ?? timeFirst}`;
}

function withoutGaps(phrase: string, world: World): string {
  return phrase
    .split(" , ")
    .filter((clause) => gapsIn(clause, world).length === 0)
    .join(", ");
}
