import type { PlannedStep } from "./journey-plan.ts";

/** Characters of a title, and of every other text, that a plan keeps. */
const TITLE_CHARACTERS = 120;
const TEXT_CHARACTERS = 600;

/** Returns the words of a step without space around them, each within what a plan keeps. */
export function boundStep(step: PlannedStep): PlannedStep {
  return {
    title: bound(step.title, TITLE_CHARACTERS),
    description: boundWords(step.description),
    doneWhen: boundWords(step.doneWhen),
    phase: bound(step.phase, TITLE_CHARACTERS),
    time: bound(step.time, TITLE_CHARACTERS),
    pitfall: boundWords(step.pitfall),
  };
}

/** Returns a text without space around it, within what a plan keeps. */
export function boundWords(text: string): string {
  return bound(text, TEXT_CHARACTERS);
}

/** Returns true for steps whose words are the same. */
export function hasSameWords(one: PlannedStep, other: PlannedStep): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.doneWhen === other.doneWhen &&
    one.phase === other.phase &&
    one.time === other.time &&
    one.pitfall === other.pitfall
  );
}

/** Returns a key by which titles are compared: without case, punctuation and spaces between words. */
export function titleKey(title: string): string {
  const key = title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, " ")
    .trim();
  return key === "" ? title.trim() : key;
}

/** Counted in code points, so that no character is cut in two. */
function bound(text: string, characters: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= characters) return trimmed;
  const points = Array.from(trimmed);
  return points.length <= characters ? trimmed : `${points.slice(0, characters - 1).join("")}…`;
}
