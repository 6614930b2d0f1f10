import { fc } from "@fast-check/vitest";
import type { StructuralAnalysisInput } from "../../claim-analysis/analysis.ts";
import { ClaimTypeSchema, EdgeTypeSchema, type Claim } from "../../state/claims.ts";

const WORDS = {
  english:
    "ask book venue guests early contract before deposit weather caterer budget invite weeks music licence parking speech rehearsal children allergies seating ceremony until nobody answers because insurance covers".split(
      " ",
    ),
  chinese: Array.from(
    "我们应该在夏天之前先预订场地并确认合同条款因为押金不能退还客人需要知道过敏情况天气不好时要有备用方案",
  ),
} as const;

/** A language that maps of claims are written in. */
export type Tongue = keyof typeof WORDS;

/** The size of a map, in claims, and of a claim's text, in words or characters. */
export interface SpokenMapSize {
  readonly tongue: Tongue;
  readonly least?: number;
  readonly most: number;
  /** Default: from one word to more than a full line. */
  readonly words?: number;
}

const MOST_HARM = 6;

/** Maps in a language, of two to six experts; texts and labels differ, at most six claims are of harm. */
export function spokenMaps({
  tongue,
  least = 1,
  most,
  words,
}: SpokenMapSize): fc.Arbitrary<StructuralAnalysisInput> {
  const sentence = (min: number, max: number): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...WORDS[tongue]), { minLength: min, maxLength: max })
      .map((parts) => parts.join(tongue === "english" ? " " : ""));
  const text = words === undefined ? sentence(6, 60) : sentence(words, words);
  return fc
    .record({
      experts: fc.integer({ min: 2, max: 6 }),
      size: fc.integer({ min: least, max: most }),
    })
    .chain(({ experts, size }) => {
      const everyone = Array.from({ length: experts }, (_, at) => at + 1);
      const position = fc.integer({ min: 0, max: size - 1 });
      const claim = fc.record({
        label: sentence(2, 5),
        text,
        why: fc.oneof(fc.constant(""), sentence(2, 8)),
        supporters: fc.oneof(
          fc.subarray(everyone, { minLength: 1, maxLength: 1 }),
          fc.subarray(everyone),
        ),
        type: fc.constantFrom(...ClaimTypeSchema.options),
      });
      return fc.record({
        claims: fc
          .tuple(
            fc.uniqueArray(claim, {
              minLength: size,
              maxLength: size,
              selector: (each) => each.text,
            }),
            fc.uniqueArray(position, { maxLength: MOST_HARM }),
            fc.uniqueArray(position, { maxLength: MOST_HARM }),
          )
          .map(([claims, harm, loss]) =>
            claims.map((each, at): Claim => ({
              ...each,
              id: `c${at + 1}`,
              stakes: harm.includes(at) ? "harm" : loss.includes(at) ? "loss" : "none",
            })),
          ),
        edges: fc.array(
          fc.record({
            from: position.map((at) => `c${at + 1}`),
            to: position.map((at) => `c${at + 1}`),
            type: fc.constantFrom(...EdgeTypeSchema.options),
            reason: sentence(2, 8),
          }),
          { maxLength: 30 },
        ),
        gaps: fc.array(sentence(4, 12), { maxLength: 4 }),
        experts: fc.constant(experts),
      });
    });
}
