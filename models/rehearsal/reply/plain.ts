/** A text for people: refs taken out. */
export function withoutRefs(text: string): string {
  return text
    .replace(/\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+ \(((?:[^()]|\([^()]*\))*)\)/g, "$1")
    .replace(/\((?:[a-z]+_)+\d+\) ?/g, "")
    .replace(/\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+ (?=\S)/g, "")
    .replace(/ ?\b(?:gen_)?[a-z]+(?:_[a-z]+)*_\d+\b/g, "")
    .trim();
}

/** Steps that say after a colon what they are about. */
const LONG_NAME =
  /^(?:Look at|Add to|Change|Put|Draft the days|Move|Mark as done|Build the list|Delete from)\b/;

/** What a step came to, without what it was called. */
export function outcomeIn(line: string): string {
  const rest = line.slice(line.indexOf(": ") + 2);
  return LONG_NAME.test(line) ? rest.slice(rest.indexOf(": ") + 2) : rest;
}

/** What the steps came to, a sentence each. */
export function outcomeText(outcomes: readonly string[]): string {
  return outcomes
    .map((line) => withoutRefs(outcomeIn(line)))
    .filter((line) => line !== "")
    .map((line) => (/[.!?]$/.test(line) ? line : `${line}.`))
    .join("\n");
}

/** The text with its first letter in lower case. */
export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Why a step failed, without what it was called; of a row with its name. */
export function reasonIn(line: string): string {
  return LONG_NAME.test(line) ? outcomeIn(line) : line;
}
