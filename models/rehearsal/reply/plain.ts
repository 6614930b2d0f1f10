/** A text for people: refs taken out. */
export function withoutRefs(text: string): string {
  return text
    .replace(/\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+ \(((?:[^()]|\([^()]*\))*)\)/g, "$1")
    .replace(/\((?:[a-z]+_)+\d+\) ?/g, "")
    .replace(/\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+ (?=\S)/g, "")
    .replace(/ ?\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+\b/g, "")
    .trim();
}

/** What the steps came to, a sentence each. */
export function outcomeText(outcomes: readonly string[]): string {
  return outcomes
    .map((line) => withoutRefs(line.slice(line.indexOf(": ") + 2)))
    .filter((line) => line !== "")
    .map((line) => (/[.!?]$/.test(line) ? line : `${line}.`))
    .join("\n");
}

/** The text with its first letter in lower case. */
export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
