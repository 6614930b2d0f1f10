import { belongsTo, type Thing } from "../prompt/read-entities.ts";
import type { World } from "../world/world.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { PATTERN_WORDS } from "./patterns.ts";
import { paleWords } from "./world-words.ts";
import { createSpeller, type Spell } from "./spelling.ts";
import { stem } from "./stem.ts";
import { indexOfWords, stems } from "./words.ts";

/** A part of the data, with the words that name it. */
interface Part {
  readonly name: string;
  /** Words of its name: they name the part itself. */
  readonly own: ReadonlySet<string>;
  /** Words of what is said about it. */
  readonly about: ReadonlySet<string>;
}

/** The words a prompt brings, beside those of the world. */
export interface Vocabulary {
  readonly parts: readonly Part[];
  readonly things: readonly Thing[];
  readonly world: World;
  readonly spell: Spell;
  /** Words that name a kind or a time, and no single thing. */
  readonly pale: readonly string[];
}

/** Words of a description that name nothing. */
const PALE = new Set(
  stems(
    "a an the is are was what when where who it in on of to be and or with one row due date dates box with have one each like likes bought about",
  ),
);

/** Makes a vocabulary out of the parts and things that stand in a prompt. */
export function createVocabulary(
  parts: readonly Part[],
  things: readonly Thing[],
  world: World,
): Vocabulary {
  const likely = [
    ...parts.flatMap(({ own, about }) => [...own, ...about]),
    ...things.flatMap(({ label, facts }) => wordsOf(`${label} ${facts}`)),
    ...wordsOf([...Object.keys(world.nouns), ...Object.keys(world.values)].join(" ")),
    ...wordsOf([...world.choiceWords, ...world.uses, ...world.things, ...world.units].join(" ")),
    ...wordsOf([...Object.keys(world.kinds), ...Object.values(world.kinds).flat()].join(" ")),
    ...Object.keys(world.diets),
  ];
  const spell = createSpeller({ likely, common: [...COMMON_WORDS, ...PATTERN_WORDS] });
  return { parts, things, world, spell, pale: paleWords(world) };
}

/** A part from its name, tables and description. */
export function readPart(name: string, tables: string, about: string): Part {
  const own = stems(`${name} ${tables}`.replaceAll("_", " ")).filter((word) => !PALE.has(word));
  return {
    name,
    own: new Set(own),
    about: new Set(stems(about).filter((word) => !PALE.has(word))),
  };
}

/** The parts that a text in plain words names, the most clearly named first. */
export function partsIn(text: string, vocabulary: Vocabulary): string[] {
  const words = stems(text);
  const { nouns } = vocabulary.world;
  const named = Object.entries(nouns).filter(([noun]) => indexOfWords(words, stems(noun)) !== -1);
  return vocabulary.parts
    .map((part) => {
      const others = named.filter(([, name]) => name === part.name).length;
      return { name: part.name, score: ownScore(part, words) + others };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

/** The parts that a text names in the prompt's own words. */
export function surePartsIn(text: string, { parts }: Vocabulary): string[] {
  const words = stems(text);
  return parts.filter((part) => ownScore(part, words) > 0).map(({ name }) => name);
}

function ownScore(part: Part, words: readonly string[]): number {
  const own = words.filter((word) => part.own.has(word)).length;
  const about = words.filter((word) => part.about.has(word) && !part.own.has(word)).length;
  return own * 3 + about * 2;
}

/** The part that a text names most clearly; null where it names none. */
export function partIn(text: string, vocabulary: Vocabulary): string | null {
  return partsIn(text, vocabulary)[0] ?? null;
}

/** The name of a part that the prompt has; null where it does not. */
export function partNamed(name: string | null, { parts }: Vocabulary): string | null {
  return parts.find((part) => part.name === name)?.name ?? null;
}

/** Whether a text names one of the things that are chosen among: "recipes", "a dish". */
export function namesChoice(text: string, { world }: Vocabulary): boolean {
  const words = stems(text);
  return world.choiceWords.some((word) => words.includes(stem(word)));
}

/** Where a thing is named in a text, and how surely. */
export interface Mention {
  readonly thing: Thing;
  /** `whole`: its label; `part`: words of it; `facts`: it only has to do with the words. */
  readonly by: "whole" | "part" | "facts";
  readonly at: number;
  readonly words: number;
}

/** Words that stand in labels and name nothing by themselves. */
const FILLING = new Set(
  stems(
    "a an the of with and or in on for to my our your simple easy quick fresh hot day week min minute draft plan fri sat sun mon tue wed thu jan feb mar apr may jun jul aug sep oct nov dec",
  ),
);

/**
 * The things that a text in plain words names: by their whole label, else by words of it. Words
 * that a longer label takes are not looked at again.
 */
export function mentionsIn(
  text: string,
  things: readonly Thing[],
  pale: readonly string[] = [],
): Mention[] {
  const words = stems(text);
  const filling = new Set([...FILLING, ...pale.map(stem)]);
  const taken = new Set<number>();
  const mentions: Mention[] = [];
  const byLength = things
    .map((thing) => ({ thing, label: stems(thing.label) }))
    .filter(({ label }) => label.length > 0)
    .toSorted((a, b) => b.label.length - a.label.length);
  for (const { thing, label } of byLength) {
    const at = indexOfWords(words, label);
    const free = at !== -1 && label.some((_, offset) => !taken.has(at + offset));
    if (!free) continue;
    mentions.push({ thing, by: "whole", at, words: label.length });
  }
  for (const { at, words: count } of mentions) {
    for (let offset = 0; offset < count; offset += 1) taken.add(at + offset);
  }
  const open = words.map((word, at) =>
    taken.has(at) || filling.has(word) || /^\d/.test(word) ? "" : word,
  );
  const partial = byLength.flatMap(({ thing, label }): Mention[] => {
    if (mentions.some((mention) => mention.thing.ref === thing.ref)) return [];
    const hits = open.flatMap((word, at) => (word !== "" && label.includes(word) ? [at] : []));
    const [at] = hits;
    return at === undefined ? [] : [{ thing, by: "part", at, words: hits.length }];
  });
  // "fried rice" means the dish that has both words, not every dish with rice.
  const best = partial.filter(
    (mention) =>
      !partial.some((other) => other.words > mention.words && Math.abs(other.at - mention.at) <= 2),
  );
  return [...mentions, ...best].toSorted((a, b) => a.at - b.at);
}

/** Things that have to do with a word by label or facts: "cod", or a kind such as "fish". */
export function thingsWith(word: string, things: readonly Thing[], world: World): Thing[] {
  const kind = world.kinds[word] ?? world.kinds[stem(word)] ?? [];
  const wanted = [word, ...kind].map(stems);
  return things.filter(({ label, facts }) => {
    const words = stems(`${label} ${facts}`);
    return wanted.some((one) => indexOfWords(words, one) !== -1);
  });
}

/** The things of a list that belong to a part. */
export function thingsOf(part: string | null, things: readonly Thing[]): Thing[] {
  return things.filter(({ ref }) => belongsTo(ref, part));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}][\p{L}'-]*/gu) ?? [];
}
