/** A sentence of code in another language. */
export interface TranslatedSentence {
  /** Id of the sentence. */
  readonly id: string;
  /** Mark of the English one that it was made from. */
  readonly mark: string;
  /** Template with the same placeholders. */
  readonly text: string;
}

/** Port of the translations of code's sentences, which all users share: a template holds no data. */
export interface SentenceStore {
  /** Returns the sentences of a language; those of older templates among them. */
  load(language: string): Promise<readonly TranslatedSentence[]>;
  /** Keeps sentences, in the place of older ones of the same ids. */
  save(language: string, sentences: readonly TranslatedSentence[]): Promise<void>;
}
