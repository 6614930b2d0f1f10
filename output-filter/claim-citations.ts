/** A stretch of a line, in characters. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Lower case `c`: `[C2]` may be a level of German. Not the text or the name of a link, nor a definition of one.
 */
const ONE =
  "\\[(?:[Cc]laims?[ _#-]?|c_?)\\d{1,3}(?:(?: ?[,;&] ?| and )(?:[Cc]laims?[ _#-]?|c_?)?\\d{1,3}){0,19}\\]";
const CITATIONS = new RegExp(`(?<![ \\t])[ \\t]*${ONE}(?:[ \\t]{0,3}${ONE})*(?![[(])`, "gu");
const INLINE_CODE = /(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)/gu;

/** Behind these a citation is part of the sentence ("as shown in [c1]"). */
const GOVERNS =
  /(?:^|[^\p{L}\p{N}])(?:in|by|see|cf|from|per|to|of|with|and|or|nor|not|than|as|under|at|on|for|against|like|both|the|a|an|this|that|only|if|while|but|via|is|are|was|were|be|claims?|points?|contradicts?|supports?|needs?|requires?|refutes?|follows?|outweighs?|shows?|says?|says|cites?|answers?|explains?|undercuts?|undermines?|matches|means?|beats?|versus|vs|between|about|into|over|without|behind|because)$/iu;
const SENTENCE_END = /[.!?…][)\]"”’*_]{0,4}$/u;
const WORD_END = /[\p{L}\p{N}%€$)"”’*_]$/u;

/**
 * Returns the citations of claims, with the blanks before them, that a line can lose and stay whole:
 * behind a sentence, or at the end of a clause.
 */
export function claimCitations(line: string): readonly Stretch[] {
  const code = Array.from(line.matchAll(INLINE_CODE), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
  const firstLetter = line.search(/\p{L}/u);
  return Array.from(line.matchAll(CITATIONS)).flatMap(({ 0: match, index }) => {
    const stretch = { start: index, end: index + match.length };
    const inCode = code.some(({ start, end }) => start < stretch.end && stretch.start < end);
    return !inCode && canGo(line, stretch, firstLetter) ? [stretch] : [];
  });
}

/** In characters: as far as a word and its marks can reach. */
const NEAR = 40;

function canGo(line: string, { start, end }: Stretch, firstLetter: number): boolean {
  const before = line.slice(Math.max(0, start - NEAR), start);
  const after = line.slice(end, end + NEAR);
  if (firstLetter === -1 || firstLetter >= start) return false;
  if (start > 0 && line.lastIndexOf("[", start - 1) > line.lastIndexOf("]", start - 1))
    return false;
  // `![c1]` is a picture.
  if (before.endsWith("!") && line[start] === "[") return false;
  if (SENTENCE_END.test(before)) return /^(?:[ \t]|$|[)"”*_])/u.test(after);
  return (
    WORD_END.test(before) && !GOVERNS.test(before) && /^(?:[ \t]*$|[.,;:!?…)"”*_])/u.test(after)
  );
}
