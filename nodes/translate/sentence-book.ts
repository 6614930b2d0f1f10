import type { SentenceStore, TranslatedSentence } from "../../state/sentence-store.ts";
import type { Log } from "../../state/log.ts";
import { findTranslationFault } from "../../text/check-translation.ts";
import { SENTENCES } from "../../text/sentences.ts";
import { SHIPPED_SENTENCES } from "../../text/shipped-sentences.ts";
import {
  BASE_LANGUAGE,
  ENGLISH,
  readSpokenLanguage,
  speakIn,
  type SpokenLanguage,
} from "../../text/spoken-language.ts";
import { markTemplate } from "./mark-template.ts";

/** A sentence that is to be translated. */
export interface SentenceTemplate {
  readonly id: string;
  readonly template: string;
}

const TEMPLATES: readonly SentenceTemplate[] = Object.entries(SENTENCES).map(([id, template]) => ({
  id,
  template,
}));

const MARKS: ReadonlyMap<string, string> = new Map(
  TEMPLATES.map(({ id, template }) => [id, markTemplate(template)]),
);

/**
 * Code's sentences in the languages of its users: those that come with the program, then those that a
 * model has translated for this installation. What is in neither is said in English.
 *
 * It never throws: where translations cannot be read or kept, that is logged.
 */
export class SentenceBook {
  private readonly store: SentenceStore | null;
  private readonly log: Pick<Log, "warn">;
  private readonly languages = new Map<string, Map<string, string>>();
  /** Sentences that this process does not ask for again, as `de wishUnknown`. */
  private readonly refused = new Set<string>();

  /** Without a store, translations last as long as the process. */
  constructor(store: SentenceStore | null, log: Pick<Log, "warn">) {
    this.store = store;
    this.log = log;
  }

  /** Does some work in whose sentences code speaks a language. */
  async speak<T>(language: string, work: () => T | Promise<T>): Promise<T> {
    if (language === readSpokenLanguage().language) return work();
    return speakIn(await this.open(language), work);
  }

  /** Returns a language to speak in. */
  async open(language: string): Promise<SpokenLanguage> {
    return language === BASE_LANGUAGE
      ? ENGLISH
      : { language, templates: await this.load(language) };
  }

  /** Lists what is still to be translated into a language, in the order of the table. */
  async listMissing(language: string): Promise<readonly SentenceTemplate[]> {
    if (language === BASE_LANGUAGE) return [];
    const known = await this.load(language);
    const select = (): readonly SentenceTemplate[] =>
      TEMPLATES.filter(({ id }) => !known.has(id) && !this.refused.has(`${language} ${id}`));
    if (select().length === 0) return [];
    // Another process may have had them translated meanwhile.
    await this.readStored(language, known);
    return select();
  }

  /** Keeps the translations that can stand in for their templates; of what was `asked`, the others are not asked for again. */
  async keep(
    language: string,
    asked: readonly SentenceTemplate[],
    given: ReadonlyMap<string, string>,
  ): Promise<void> {
    const known = await this.load(language);
    const accepted = asked.flatMap(({ id, template }): TranslatedSentence[] => {
      const text = given.get(id)?.trim() ?? "";
      if (findTranslationFault(template, text) === null) {
        return [{ id, mark: MARKS.get(id) ?? "", text }];
      }
      this.refused.add(`${language} ${id}`);
      return [];
    });
    for (const { id, text } of accepted) known.set(id, text);
    if (accepted.length === 0) return;
    await this.store?.save(language, accepted).catch((error: unknown) => {
      this.log.warn(`Cannot keep sentences in "${language}": ${String(error)}`);
    });
  }

  private async load(language: string): Promise<Map<string, string>> {
    const loaded = this.languages.get(language);
    if (loaded !== undefined) return loaded;
    const templates = new Map<string, string>(Object.entries(SHIPPED_SENTENCES[language] ?? {}));
    // Where they could not be read, the next turn tries again.
    if (await this.readStored(language, templates)) this.languages.set(language, templates);
    return templates;
  }

  /** Adds the stored translations of present templates; returns false where they cannot be read. */
  private async readStored(language: string, templates: Map<string, string>): Promise<boolean> {
    try {
      const stored = (await this.store?.load(language)) ?? [];
      for (const { id, mark, text } of stored) {
        if (MARKS.get(id) === mark) templates.set(id, text);
      }
      return true;
    } catch (error) {
      this.log.warn(`Cannot read sentences in "${language}": ${String(error)}`);
      return false;
    }
  }
}
