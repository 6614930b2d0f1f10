import * as fc from "fast-check";
import { MADE_UP_DOMAINS } from "./made-up-domain.ts";
import type { WorldPlan } from "./world.ts";

/** Everything that a made-up person may want of a turn. */
export const INTENT_KINDS = [
  "list",
  "look",
  "narrow",
  "exclude",
  "exclude-ordinal",
  "exclude-property",
  "restore",
  "ask",
  "ask-ordinal",
  "ask-pronoun",
  "compare",
  "why",
  "left",
  "left-out",
  "restore-ordinal",
  "return",
  "side",
  "add",
  "change",
  "rename",
  "delete",
  "draft",
  "redraft",
  "save",
  "offer",
  "wish",
  "forget",
  "tell",
  "said",
  "plan-many",
  "two-changes",
  "accept",
  "reject",
  "undo",
  "outside-change",
  "outside-rename",
  "outside-delete",
  "talk",
] as const;
export type IntentKind = (typeof INTENT_KINDS)[number];

/** A wish as numbers only: "the n-th of what is left". It is resolved when it is played, so that every shorter conversation is valid. */
export interface Intent {
  readonly kind: IntentKind;
  readonly pick: readonly [number, number, number];
}

/** A conversation that can be played, and played again from its JSON. */
export interface MadeUpConversation {
  readonly world: WorldPlan;
  readonly intents: readonly Intent[];
  /** Seed of the lies; null where every model is honest. */
  readonly lies: number | null;
}

const number = fc.nat({ max: 999 });

const intent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(
    fc.constantFrom(...INTENT_KINDS),
    // Conversations that narrow something down are what memory is for.
    fc.constantFrom(
      "list",
      "narrow",
      "exclude",
      "restore",
      "left",
      "side",
      "wish",
      "left-out",
      "restore-ordinal",
    ),
  ),
  pick: fc.tuple(number, number, number),
});

const world: fc.Arbitrary<WorldPlan> = fc.record({
  plan: fc.nat({ max: MADE_UP_DOMAINS - 1 }),
  seed: number,
  rows: fc.integer({ min: 2, max: 12 }),
  isTight: fc.boolean(),
});

interface ConversationOptions {
  readonly lies: boolean;
  /** The fewest turns. Default: one. */
  readonly atLeast?: number;
}

/** Conversations of so many turns, at the most; with lies, one answer of a model in four is wrong. */
export function conversations(turns: number, options: ConversationOptions) {
  return fc.record<MadeUpConversation>({
    world,
    intents: fc.array(intent, { minLength: options.atLeast ?? 1, maxLength: turns, size: "max" }),
    lies: options.lies ? number : fc.constant(null),
  });
}
