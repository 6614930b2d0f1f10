import { checkTurn, type Finding } from "./check.ts";
import type { Stage } from "./conversation.ts";
import { playTurns, type PlayedTurn } from "./play.ts";
import type { Scenario } from "./schema.ts";
import { STAGINGS, stageFor } from "./staging.ts";
import { FAULTS, findThen, FOLLOW_UPS } from "./then.ts";

/** What was expected of one turn of a scenario, and what came of it. */
export interface TurnReport {
  readonly said: string;
  readonly findings: readonly Finding[];
}

/** A scenario as it was played, and what came of it. */
export interface PlayReport {
  readonly scenario: string;
  /** One for each turn of the scenario. */
  readonly reports: readonly TurnReport[];
  /** Everything that was played: the scenario's turns, then the follow-ups that a `then` wanted. */
  readonly turns: readonly PlayedTurn[];
}

/** Plays a scenario in these words, with its fault and its follow-ups, and judges every turn. */
export async function playScenario(
  stage: Stage,
  { scenario, words }: { readonly scenario: Scenario; readonly words: readonly string[] },
): Promise<PlayReport> {
  const fault = FAULTS[scenario.id];
  let playing = 0;
  const set = stageFor(stage, { staging: STAGINGS[scenario.id], turn: () => playing });
  const turns = await playTurns(set, {
    words: [...words, ...(FOLLOW_UPS[scenario.id] ?? [])],
    faultOf: (turn, before) => {
      playing = turn;
      return fault?.turn === turn ? fault.fault(before) : null;
    },
  });
  const reports = scenario.turns.map(({ expect = {} }, index): TurnReport => {
    const turn = turns[index];
    if (turn === undefined)
      throw new RangeError(`Cannot judge turn ${index + 1}: it was not played`);
    const findings = checkTurn(turn, expect);
    const sentence =
      expect.then === undefined
        ? []
        : [thenFinding(expect.then, { scenario: scenario.id, index, turns, turn })];
    return { said: turn.said, findings: [...findings, ...sentence] };
  });
  return { scenario: scenario.id, reports, turns };
}

function thenFinding(
  text: string,
  place: {
    readonly scenario: string;
    readonly index: number;
    readonly turn: PlayedTurn;
    readonly turns: readonly PlayedTurn[];
  },
): Finding {
  const expectation = `then ${text}`;
  const assertion = findThen({ scenario: place.scenario, turn: place.index, text });
  if (assertion === null) return { expectation, problem: "nobody wrote an assertion for it" };
  const problems = assertion.problems(place);
  return { expectation, problem: problems.length === 0 ? null : problems.join("; ") };
}

/** One line for each expectation that does not hold: turn, what was said, what is wrong. */
export function failuresOf({ reports }: PlayReport): readonly string[] {
  return reports.flatMap(({ said, findings }, index) =>
    findings.flatMap(({ expectation, problem }) =>
      problem === null ? [] : [`turn ${index + 1} "${said}": ${expectation}: ${problem}`],
    ),
  );
}
