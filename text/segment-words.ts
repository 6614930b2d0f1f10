const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Lists the words of a text as they are written, in languages without spaces too. Linear, total. */
export function segmentWords(text: string): string[] {
  return Array.from(SEGMENTS.segment(text)).flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
}
