import { readArguments } from "../../cli/read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

const KILLS = 100;

/** What `npm run crash -- --help` prints. */
export const CRASH_HELP = `Kills the program at its steps, starts it again, and compares with a run that nothing disturbs.

  npm run crash -- [options] [count]

  count            how many kills, spread over both lanes; default ${KILLS}
  --help           this text

A line for each kill: where it died and where it went on. It works on an embedded PostgreSQL of its
own. Exits with 1 when anything was lost, done twice or said in vain, with 2 when it was called
wrongly.
`;

/** Reads the command line: how many kills. @throws UsageError in one sentence. */
export function readCrashArguments(argv: readonly string[]): number | "help" {
  const { flags, positionals } = readArguments(argv, { values: [], flags: [] });
  if (flags.has("help")) return "help";
  const [typed = String(KILLS), stray] = positionals;
  if (stray !== undefined) throw new UsageError(`Cannot use "${stray}": one count is enough`);
  if (/^[1-9]\d{0,4}$/.test(typed)) return Number(typed);
  throw new UsageError(`Cannot kill "${typed}" times: write a whole number from 1 to 99999`);
}
