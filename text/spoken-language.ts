// oxlint-disable-next-line no-restricted-imports -- it holds what surrounds the work, and does no I/O
import { AsyncLocalStorage } from "node:async_hooks";

/** The language in which code speaks to a person, and its own sentences in it. */
export interface SpokenLanguage {
  /** A language of `readLanguage`. */
  readonly language: string;
  /** Templates by the id of their sentence; the English one stands in for what is not here. */
  readonly templates: ReadonlyMap<string, string>;
}

/** The language of `SENTENCES`. */
export const BASE_LANGUAGE = "en";

/** The language in which nothing is translated. */
export const ENGLISH: SpokenLanguage = { language: BASE_LANGUAGE, templates: new Map() };

/*
 * Sentences are worded in some 150 places, most of them pure functions that decide nothing by the language.
 * It is therefore the work's surroundings, as its trace is, and no argument of each of them.
 */
const spoken = new AsyncLocalStorage<SpokenLanguage>();

/** Does some work in whose sentences code speaks a language. */
export function speakIn<T>(language: SpokenLanguage, work: () => T): T {
  return spoken.run(language, work);
}

/** Returns the language that code speaks in the present work: English where nobody says otherwise. */
export function readSpokenLanguage(): SpokenLanguage {
  return spoken.getStore() ?? ENGLISH;
}

const NAMES = new Intl.DisplayNames([BASE_LANGUAGE], { type: "language", fallback: "none" });

/**
 * Reads a BCP 47 tag as a language that sentences can be written in, without its region; null for one that
 * nobody knows.
 *
 * @example
 * readLanguage("de-AT"); // "de"
 * readLanguage("zh-Hant-TW"); // "zh-Hant"
 * readLanguage("pirate"); // null
 */
export function readLanguage(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag.trim());
    const name = script === undefined ? language : `${language}-${script}`;
    return NAMES.of(language) === undefined ? null : name;
  } catch {
    return null;
  }
}

/** Returns a language's English name, as a model is told it: "German". */
export function nameLanguage(language: string): string {
  return NAMES.of(language) ?? language;
}
