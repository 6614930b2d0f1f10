import type { Segment } from "./segment.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { stems } from "./words.ts";

/** Whether a piece of a message names something that can be taken out: an option, or what the world knows. */
export function namesExcludable(segment: Segment, vocabulary: Vocabulary): boolean {
  return segment.choices.length > 0 || worldThings(segment.text, vocabulary).length > 0;
}

/** The things and kinds of the world that a text names. */
export function worldThings(text: string, { world }: Vocabulary): string[] {
  const words = stems(text).join(" ");
  const known = [
    ...world.things,
    ...Object.keys(world.kinds),
    ...Object.values(world.kinds).flat(),
  ];
  const place = (thing: string): number => ` ${words} `.indexOf(` ${stems(thing).join(" ")} `);
  const hits = [...new Set(known)].filter((thing) => place(thing) !== -1);
  return hits
    .filter((hit) => !hits.some((other) => other !== hit && ` ${other} `.includes(` ${hit} `)))
    .toSorted((a, b) => place(a) - place(b));
}
