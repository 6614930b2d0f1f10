import { join } from "node:path";
import type { BenchContext, ResultTable } from "../measurement.ts";
import { openCrowd, runInParallel } from "../parallel-work.ts";
import { openSavers, SAVER_LABELS } from "../savers.ts";
import { recordProfile } from "./record-profile.ts";
import { selfTimes } from "./self-time.ts";
import { sharesTable, type ProfiledWork } from "./shares-table.ts";

const THREADS = 10;
const ROOT = join(import.meta.dirname, "../../..");

/**
 * Whose functions the processor time of runs and turns goes to, with this project's checkpointer and
 * many threads at once. Nothing else runs beside them: a profiler slows down what it looks at.
 */
export async function profileParallelWork({
  quick,
  openDatabase,
  progress,
}: BenchContext): Promise<readonly ResultTable[]> {
  const database = await openDatabase();
  const savers = await openSavers(database.url);
  try {
    const checkpointer = savers.ours;
    const crowd = await openCrowd(THREADS, { database, checkpointer });
    const run = (runs: number) => () => runInParallel(checkpointer, { threads: THREADS, runs });
    const talk = (messages: number) => () => crowd.talk(messages);
    const profiled: ProfiledWork[] = [];
    for (const { name, before, work } of [
      { name: "a run", before: run(100), work: run(quick ? 50 : 400) },
      { name: "a turn", before: talk(1), work: talk(quick ? 1 : 8) },
    ]) {
      progress(name);
      // What is compiled on its first call is not what a run costs.
      await before();
      profiled.push({ name, times: selfTimes(await recordProfile(work), ROOT) });
    }
    const title = `Processor time with ${SAVER_LABELS.ours}, ${THREADS} threads at once`;
    return [{ title, ...sharesTable(profiled) }];
  } finally {
    await savers.close();
    await database.close();
  }
}
