import { linesOf } from "./read-prompt.ts";

/** A wish or rule that holds, as it stands in the prompt. */
export interface StandingWish {
  readonly text: string;
  readonly until: string | null;
}

/** Wishes and rules line by line: "- no cod (until 2026-01-18)". */
export function readWishes(text: string): StandingWish[] {
  return linesOf(text).flatMap((line) => {
    const [, wish, notes] = /^- (.+?)(?: \(([^()]*)\))?$/.exec(line) ?? [];
    if (wish === undefined) return [];
    return [{ text: wish, until: /until (\d{4}-\d{2}-\d{2})/.exec(notes ?? "")?.[1] ?? null }];
  });
}
