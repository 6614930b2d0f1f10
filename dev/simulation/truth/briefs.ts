import type { EntityType } from "../../../state/entity.ts";
import { SMALL_TALK, type Brief, type MadeUpRow, type StepBrief, type Work } from "../brief.ts";
import type { Numbers } from "../numbers.ts";

/** Makes something true. */
export type Commit = () => void;
export const NOTHING: Commit = () => undefined;

/** The meaning of an intent: what honest models are handed, and what it makes true. */
export interface IntentMeaning {
  readonly brief: Brief;
  /** Makes true what the turn has done, before the reply. */
  readonly commit: Commit;
}

/** Returns an intent's meaning: what its brief has beyond small talk, and what it makes true. */
export function resolve(brief: Partial<Brief>, commit: Commit = NOTHING): IntentMeaning {
  return { brief: { ...SMALL_TALK, ...brief }, commit };
}

/** Returns the meaning of an intent that cannot mean anything now: a word of thanks. */
export function talk(): IntentMeaning {
  return resolve({});
}

export function step(type: EntityType, work: Work, about: readonly MadeUpRow[] = []): StepBrief {
  return { type, work, about };
}

export function nameAll(things: readonly MadeUpRow[]): string {
  return things.map(({ label }) => label).join(" and ");
}

/** Returns a column that is neither the name nor a pointer. */
export function pickColumn({ columns }: EntityType, numbers: Numbers): string {
  const plain = columns.filter(({ name, references }) => name !== "name" && !references);
  return plain[numbers.below(plain.length)]?.name ?? "name";
}
