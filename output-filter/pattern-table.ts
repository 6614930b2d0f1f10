/** One row of a table of patterns. */
export interface PatternRow {
  readonly key: string;
  readonly text: string;
  /** Text of the line `unless …` below the row; null where there is none. */
  readonly unless: string | null;
}

/** Reads lines such as `key: text`, each with an indented line `unless text` or none; `#` begins a comment. */
export function readPatternRows(table: string): PatternRow[] {
  const rows = table.matchAll(/^([\w-][^:\n]*): (.*)(?:\n {2}unless (.*))?$/gm);
  return Array.from(rows, ([, key = "", text = "", unless = null]) => ({ key, text, unless }));
}

/** Replaces each `{NAME}` of a pattern by the words it stands for, which may hold names themselves. */
export function expandPattern(pattern: string, words: ReadonlyMap<string, string>): string {
  return pattern.replace(/\{([A-Z_]+)\}/g, (_, name: string) => {
    return `(?:${expandPattern(words.get(name) ?? "", words)})`;
  });
}
