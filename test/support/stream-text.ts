import { array, integer, type Arbitrary } from "fast-check";
import type { OutputGate } from "../../output-filter/output-gate.ts";
import type { TakeBack } from "../../output-filter/thought-filter.ts";

/** Sizes of the pieces in which a text comes, in characters; the first follows the last. */
export const sizesOfPieces: Arbitrary<readonly number[]> = array(integer({ min: 1, max: 9 }), {
  minLength: 1,
  maxLength: 40,
});

interface StreamOptions {
  readonly sizes: readonly number[];
  readonly create: (takeBack: TakeBack) => OutputGate;
}

/** Returns what stands on a screen after a text has come through a filter in pieces. */
export function streamText(text: string, { sizes, create }: StreamOptions): string {
  let shown: string[] = [];
  const filter = create(() => {
    shown = [];
  });
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const passed = filter.push(text.slice(at, at + size));
    shown.push(passed);
    at += size;
  }
  const rest = filter.end();
  shown.push(rest);
  return shown.join("");
}
