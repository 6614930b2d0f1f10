import { parseBatchSignal } from "../../../control-blocks/batch-signal.ts";
import { createSignalGate } from "../../../control-blocks/gate.ts";
import { parseIntentHandover } from "../../../control-blocks/intent-handover.ts";
import { ANSWERS } from "../../../test/support/signal-texts.ts";
import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { timed } from "../paired.ts";

/** Texts of a size, by what they repeat: a plain answer, answers with blocks, and what invites reading twice. */
const REPEATED: Readonly<Record<string, string>> = {
  prose: "Cooking ahead costs one afternoon a week and saves five evenings. ",
  "answers with blocks": `${ANSWERS.join("\n\n")}\n\n`,
  "openers without an end": "<<<HANDOVER>>>\n",
  "blocks in one line": "<<<BATCH>>> a <<<END>>> b ",
  "angle brackets": "<",
  "code fences": "```\n",
  "lists in a block": "<<<HANDOVER>>>\ngoal: g\ngaps: (a, [\n",
};

const MEGABYTE = 1_000_000;
/** Of what takes less, the clock and not the text would decide the ratio. */
const SHORTEST_MS = 2;

/**
 * Milliseconds to read the signals of 1 MB of answer, in one call and streamed.
 *
 * A real answer has 2 to 4 kB; the texts are as long as nobody's answer, so that reading that is
 * not linear would show. Streamed in pieces of 20 characters, about what endpoints send.
 */
export const signals: Measurement = {
  name: "signals",
  about: "Milliseconds to read the signals of 1 MB of a concierge's answer",
  async run({ quick, progress }) {
    const rows: Row[] = [];
    for (const [name, piece] of Object.entries(REPEATED)) {
      progress(name);
      const text = repeatTo(piece, MEGABYTE);
      const half = text.slice(0, MEGABYTE / 2);
      const times = quick ? 1 : 5;
      const whole = await medianOf(times, () => readWhole(text));
      const ofHalf = await medianOf(times, () => readWhole(half));
      const streamed = await medianOf(times, () => readStreamed(text));
      rows.push([name, whole, whole < SHORTEST_MS ? null : whole / ofHalf, streamed]);
    }
    return [
      {
        title: "Signals of 1 MB",
        columns: ["text", "both parsers, ms", "against half of it", "gate, streamed, ms"],
        rows,
        notes: ["medians; reading that is linear takes twice as long for twice the text"],
      },
    ];
  },
};

function repeatTo(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function readWhole(text: string): void {
  parseIntentHandover(text);
  parseBatchSignal(text);
}

const CHUNK = 20;

function readStreamed(text: string): void {
  const gate = createSignalGate();
  for (let from = 0; from < text.length; from += CHUNK) gate.push(text.slice(from, from + CHUNK));
  gate.end();
}

/** One time before is not counted. */
async function medianOf(times: number, work: () => void): Promise<number> {
  work();
  const measured: number[] = [];
  for (let time = 0; time < times; time += 1) measured.push(await timed(work));
  return median(measured);
}
