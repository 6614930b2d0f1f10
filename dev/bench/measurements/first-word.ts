import { mean } from "../figures.ts";
import { BLOCK_TURNS } from "../long-recording.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";
import { playRival, RIVALS } from "../rivals.ts";
import { timeOwnTurns, timeRivalTurns, type TurnTime } from "../turn-time.ts";

/**
 * Seconds to the first word and to the end of a turn with a simulated endpoint, beside agents that
 * hold the same conversation with one list of messages. Nothing is waited for: the calls that were
 * really made, in their real order, move a clock by what the endpoint would take for them.
 */
export const firstWord: Measurement = {
  name: "first-word",
  about:
    "Seconds to the first word and to the end of a turn, beside agents with one list of messages",
  async run({ longConversation, progress }) {
    const turns = await longConversation(progress);
    progress("the same conversation by other agents");
    const methods = [
      { name: "this project", times: timeOwnTurns(turns) },
      ...RIVALS.map((rival) => ({
        name: rival,
        times: timeRivalTurns(playRival(rival, turns, "typed")),
      })),
    ];
    return [
      timeTable("Seconds to the first word", methods, ({ firstWord: seconds }) => seconds),
      timeTable("Seconds to the end of a turn", methods, ({ end }) => end),
    ];
  },
};

interface TimedMethod {
  readonly name: string;
  readonly times: readonly TurnTime[];
}

/** Turns that are looked at, each with the twenty around it that hold the same messages. */
const MARKS = [10, 100, 200] as const;

function timeTable(
  title: string,
  methods: readonly TimedMethod[],
  pick: (time: TurnTime) => number,
): ResultTable {
  const count = methods[0]?.times.length ?? 0;
  return {
    title,
    columns: ["turn", "mean of turns", ...methods.map(({ name }) => name)],
    rows: MARKS.filter((mark) => mark <= count).map((mark) => {
      const from = Math.floor((mark - 1) / BLOCK_TURNS) * BLOCK_TURNS;
      const row: Cell[] = [`${mark}`, `${from + 1}–${from + BLOCK_TURNS}`];
      return row.concat(
        methods.map(({ times }) => mean(times.slice(from, from + BLOCK_TURNS).map(pick))),
      );
    }),
    notes: [
      "A call takes 0.3 s, a second for 5,000 tokens of input that are not cached, a second for 60 of output; tools and databases take no time.",
      "The first word is of code's lines above a reply, or of a reply, which streams. A summary is written after the reply, here and there.",
    ],
  };
}
