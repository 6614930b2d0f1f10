import { neutralise } from "../../../state/fence.ts";

/** How much of a text is read: rules take longer the longer a text is. */
const MOST_READ = 4_000;

/** The sentences of a text, each with its end mark; amounts and times stay whole. */
export function sentencesOf(text: string): string[] {
  return Array.from(text)
    .slice(0, MOST_READ)
    .join("")
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The clauses of a text, without end marks: what stands between "and", "but" and commas. */
export function clausesOf(text: string): string[] {
  return sentencesOf(text)
    .flatMap((sentence) =>
      sentence.split(/,\s+(?:and\s+|but\s+)?|\s+(?:and|adn|nad|but|though)\s+/i),
    )
    .map((clause) => clause.replace(/^[\s,]+|[\s.!?;:,]+$/g, ""))
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** A text for a sentence of one's own: on one line, no end mark, nothing that could open a block. */
export function inline(text: string): string {
  return neutralise(text.replace(/[\s\p{Cc}]+/gu, " ").trim()).replace(/[\s.!?;:,]+$/, "");
}

/** At most so many characters, cut between words. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/\s+\S*$/, "")}…`;
}

/** The first letter in upper case, the end with a full stop. */
export function asSentence(text: string): string {
  const said = inline(text);
  return said === "" ? "" : `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
}

/** The first letter in lower case, unless the word is a name or "I". */
export function lowered(text: string): string {
  return /^(?:I\b|[A-Z][A-Z])/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}

const OTHER_SIDE: Readonly<Record<string, string>> = {
  i: "you",
  "i'm": "you are",
  im: "you are",
  "i've": "you have",
  "i'd": "you would",
  "i'll": "you will",
  we: "you",
  "we're": "you are",
  "we've": "you have",
  "we'd": "you would",
  "we'll": "you will",
  "let's": "you will",
  me: "you",
  us: "you",
  my: "your",
  our: "your",
  mine: "yours",
  ours: "yours",
  am: "are",
  myself: "yourself",
  ourselves: "yourselves",
};

/** What a person said of themselves, said back to them: "my partner" becomes "your partner". */
export function mirrored(text: string): string {
  return inline(text)
    .replaceAll("’", "'")
    .replace(/[\p{L}']+/gu, (word) => {
      const key = word.toLowerCase();
      return Object.hasOwn(OTHER_SIDE, key) ? (OTHER_SIDE[key] ?? word) : word;
    })
    .replace(/\byou was\b/gi, "you were");
}

const FILLING = new Set(
  `a about after again all also an and any are as at be been before begin being both but by can could day did do does down each
  even every few for from get give go going has have how however if in into is it its just keep let like lot many more most much my
  need no not now of off on once one only or other our out over own really right same say should so some still such take than that
  the their them then there these they thing things this those time to too until up us use very want was way we week were what when
  where which who whose why will with without would you your i me am im dont isnt cant thats whats`.split(
    /\s+/,
  ),
);

/** The words of a text that say something, shortened to their stems. */
export function contentStems(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !FILLING.has(word)).map(rootOf));
}

/** Rougher than a stem: "cooking", "cooked" and "cooks" are one. */
export function rootOf(word: string): string {
  const root = word
    .replace(/ies$/, "y")
    .replace(/(?:ing|ed|es|s|ly)$/, "")
    .replace(/e$/, "");
  const single = root.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  return single.length < 3 ? word : single;
}

/** How many stems two texts share. */
export function sharedStems(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((stem) => other.has(stem)).length;
}
