import type { Fault } from "./fault.ts";
import type { PlayedTurn } from "./play.ts";
import type { Scenario } from "./schema.ts";
import type { TurnState } from "../../state/turn.ts";
import { CONCIERGE_EXTRA } from "./then/concierge-extra.ts";
import { CONCIERGE_FAULTS } from "./then/concierge-faults.ts";
import { DRAFTS } from "./then/drafts.ts";
import { FAILURES } from "./then/failures.ts";
import { JOURNEY } from "./then/journey.ts";
import { LISTS } from "./then/lists.ts";
import { LOOKS } from "./then/looks.ts";
import { NARROWING } from "./then/narrowing.ts";
import { PLANS } from "./then/plans.ts";

/** What a `then` asserts: every turn of the play, the follow-ups behind the scenario's own. */
export interface ThenFacts {
  /** The turn that the `then` stands at. */
  readonly turn: PlayedTurn;
  /** Its place in `turns`. */
  readonly index: number;
  readonly turns: readonly PlayedTurn[];
}

/** A sentence of a scenario made checkable. */
export interface Then {
  readonly scenario: string;
  /** Of the turn, from 0. */
  readonly turn: number;
  /** The sentence, word for word. */
  readonly text: string;
  /** What does not hold, in words; nothing where all of it holds. */
  readonly problems: (facts: ThenFacts) => readonly string[];
}

/** Every `then` that is known. */
const THENS: readonly Then[] = [
  ...NARROWING,
  ...LOOKS,
  ...DRAFTS,
  ...PLANS,
  ...FAILURES,
  ...LISTS,
  ...JOURNEY,
  ...CONCIERGE_FAULTS,
  ...CONCIERGE_EXTRA,
];

/** The assertion of a `then`; null where nobody wrote one, which is a failure of the scenario. */
export function findThen(place: {
  readonly scenario: string;
  readonly turn: number;
  readonly text: string;
}): Then | null {
  return (
    THENS.find(
      ({ scenario, turn, text }) =>
        scenario === place.scenario && turn === place.turn && text === place.text,
    ) ?? null
  );
}

/** Assertions whose sentence stands in none of the scenarios: left over when one was changed. */
export function strayThens(scenarios: readonly Scenario[]): readonly Then[] {
  return THENS.filter(({ scenario, turn, text }) => {
    const found = scenarios.find(({ id }) => id === scenario);
    return found?.turns[turn]?.expect?.then !== text;
  });
}

/** What is said after a scenario's own turns, because a `then` speaks of "later". */
export const FOLLOW_UPS: Readonly<Record<string, readonly string[]>> = {
  "honest-failure": ["save the missing one too"],
  allergy: ["plan dinners for tuesday and wednesday"],
  "markers-while-exploring": ["I have no time in the evenings"],
  "typed-markers": ["what should I do about lunch at the office?"],
};

/** The insert that fails in a turn of a scenario, from the state before that turn. */
export const FAULTS: Readonly<
  Record<
    string,
    { readonly turn: number; readonly fault: (before: TurnState | null) => Fault | null }
  >
> = {
  "honest-failure": { turn: 1, fault: secondDraftFails },
};

function secondDraftFails(before: TurnState | null): Fault | null {
  const drafts = (before?.registry.entries ?? []).filter(
    ({ id, row, type }) => id === null && row !== null && type === "recipe",
  );
  const name = drafts[1]?.row?.["name"];
  return typeof name === "string" ? { table: "recipes", text: name } : null;
}
