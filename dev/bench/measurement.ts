import type { Database } from "../../storage/postgres/database.ts";
import type { RecordedTurn } from "./long-recording.ts";

/** A cell: a figure, a text, or null where there is none. */
export type Cell = number | string | null;

/** A row of a table, one cell a column. */
export type Row = readonly Cell[];

/** A promise about a figure. A run in which one is not kept exits with 1, but for a quick one. */
export interface Bar {
  /** The figure, as in "model calls a turn". */
  readonly figure: string;
  readonly measured: number;
  readonly most: number;
}

/** Returns true where the figure keeps its promise. */
export function holdsBar({ measured, most }: Bar): boolean {
  return measured <= most;
}

/** One table of results; every row has one cell a column. */
export interface ResultTable {
  readonly title: string;
  /** With their units: "ms", "tokens", "kB". */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The method, and anything that the figures alone do not show. */
  readonly notes: readonly string[];
  readonly bars?: readonly Bar[];
}

/** The means of a measurement. */
export interface BenchContext {
  /** Fewer turns, runs and sizes: shows that everything works, not how fast. */
  readonly quick: boolean;
  /** Of everything random: the same seed gives the same conversation. */
  readonly seed: number;
  /** Opens a migrated database of its own on the run's server, durable as in production; closing it drops it. */
  readonly openDatabase: () => Promise<BenchDatabase>;
  /** Returns the long conversation in the demo kitchen, 200 turns or 40; held once a run. */
  readonly longConversation: (
    progress: BenchContext["progress"],
  ) => Promise<readonly RecordedTurn[]>;
  /** Writes the name of what is being measured to standard error. */
  readonly progress: (text: string) => void;
}

/** A database for one measurement. */
export interface BenchDatabase extends Database {
  /** Its address, as a user who may do everything in it. */
  readonly url: string;
}

/** One measurement: a file in `dev/bench/measurements/`, found by its name. */
export interface Measurement {
  /** The file's name without `.ts`; names it on the command line. */
  readonly name: string;
  /** A few words for the list of measurements. */
  readonly about: string;
  readonly run: (context: BenchContext) => Promise<readonly ResultTable[]>;
}
