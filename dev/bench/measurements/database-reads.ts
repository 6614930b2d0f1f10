import { openModels } from "../../../app/open-models.ts";
import type { Stage } from "../../../cli/scenarios/conversation.ts";
import { playScenario } from "../../../cli/scenarios/judge.ts";
import { loadScenarios, wordsOf } from "../../../cli/scenarios/load.ts";
import type { Scenario } from "../../../cli/scenarios/schema.ts";
import { STAGINGS } from "../../../cli/scenarios/staging.ts";
import { mealsDomain } from "../../../meals/index.ts";
import type { TurnEvent } from "../../../driver/events.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";

/**
 * Reads of the database in the scenarios: those that a model asked for, and those that ran.
 *
 * A read is suppressed when everything its filter finds is held at the needed detail and version;
 * with suppression off it would run, so its reads are those that ran and those that were
 * suppressed. Models also plan fewer reads because they are told what is held: the scenarios are
 * played once more with the sections left out of Think's prompt that tell it.
 */
export const databaseReads: Measurement = {
  name: "database-reads",
  about: "Reads of the database per turn in the scenarios, with suppression and without",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const opened = await openModels({ kind: "simulated" });
      const stage: Stage = { database, domain: mealsDomain, ...opened };
      const book = await loadScenarios();
      // Waiting for experts that hang says nothing about reads.
      const scenarios = book.scenarios
        .filter(({ id }) => STAGINGS[id]?.experts === undefined)
        .slice(0, quick ? 6 : undefined);
      const counts: ScenarioReads[] = [];
      for (const scenario of scenarios) {
        progress(scenario.id);
        const words = wordsOf(scenario, { wordings: book.wordings, wording: null });
        const told = await readsOf(stage, { scenario, words });
        const untold = await readsOf(
          { ...stage, omitSection: tellsWhatIsHeld },
          { scenario, words },
        );
        counts.push({ scenario: scenario.id, told, untold });
      }
      return [readsTable(counts)];
    } finally {
      await database.close();
    }
  },
};

/** Reads of one play of a scenario. */
interface Reads {
  readonly turns: number;
  readonly ran: number;
  readonly suppressed: number;
}

interface ScenarioReads {
  readonly scenario: string;
  readonly told: Reads;
  /** With Think not told what is held. */
  readonly untold: Reads;
}

const HELD_SECTIONS: ReadonlySet<string> = new Set(["registry", "last-turn-summary"]);

function tellsWhatIsHeld(node: string, kind: string): boolean {
  return node === "think" && HELD_SECTIONS.has(kind);
}

async function readsOf(
  stage: Stage,
  play: { readonly scenario: Scenario; readonly words: readonly string[] },
): Promise<Reads> {
  const { turns } = await playScenario(stage, play);
  const reads = turns.flatMap(({ events }) => events).filter(isRead);
  const suppressed = reads.filter((read) => read.suppressed).length;
  return { turns: turns.length, ran: reads.length - suppressed, suppressed };
}

type ToolEnd = TurnEvent & { readonly type: "tool-end" };

/** A read of the domain's data that could be carried out; earlier turns are none of it. */
function isRead(event: TurnEvent): event is ToolEnd {
  return (
    event.type === "tool-end" && event.effect === "read" && event.ok && event.tool !== "recall"
  );
}

function readsTable(counts: readonly ScenarioReads[]): ResultTable {
  const reading = counts.filter(({ told, untold }) => asked(told) + asked(untold) > 0);
  const all = (pick: (count: ScenarioReads) => Reads): Reads =>
    reading.map(pick).reduce(
      (sum, one) => ({
        turns: sum.turns + one.turns,
        ran: sum.ran + one.ran,
        suppressed: sum.suppressed + one.suppressed,
      }),
      { turns: 0, ran: 0, suppressed: 0 },
    );
  return {
    title: "Reads of the database in the scenarios",
    columns: [
      "scenario",
      "turns",
      "reads",
      "without suppression",
      "reads a turn",
      "without, a turn",
      "reads, Think not told",
      "not told, without suppression",
    ],
    rows: [
      ...reading.map(rowOf),
      rowOf({
        scenario: "all",
        told: all(({ told }) => told),
        untold: all(({ untold }) => untold),
      }),
    ],
    notes: [
      "Without suppression: a read that was answered from the registry counts as one that runs.",
      "Think not told: the registry table and `## Last Turn Summary` are left out of its prompt. It then plans from less, not only more reads.",
      "Left out are scenarios without a read, and those whose experts hang.",
    ],
  };
}

function rowOf({ scenario, told, untold }: ScenarioReads): Cell[] {
  return [
    scenario,
    told.turns,
    told.ran,
    asked(told),
    perTurn(told.ran, told),
    perTurn(asked(told), told),
    untold.ran,
    asked(untold),
  ];
}

function asked({ ran, suppressed }: Reads): number {
  return ran + suppressed;
}

function perTurn(reads: number, { turns }: Reads): number | null {
  return turns === 0 ? null : Math.round((100 * reads) / turns) / 100;
}
