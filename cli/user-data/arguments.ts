import { didYouMean } from "../../text/nearest.ts";
import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** What the command line of `user-data` asks for. */
export interface UserDataRequest {
  readonly kind: "export" | "erase";
  readonly userId: string;
}

/** What `user-data --help` prints. */
export const USER_DATA_HELP = `Usage: npm run --silent user-data -- export --user ID > FILE
       npm run --silent user-data -- erase --user ID

Everything that is kept of a user: conversations with their states, runs, keys, and what the domain
has of them. export prints it as lines of JSON; the last one is {"kind":"end"} with the number of
lines before it, and without it something is missing. erase removes all of it, for good and without
asking; it refuses while a run of the user's is under way.

Exit codes: 0, 1 when it could not be done, 2 for a wrong argument or setting.

  --user ID   whose data it is
  --help      print this
`;

const ACTIONS = ["export", "erase"] as const;

/**
 * Reads the command line of `user-data`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readUserDataArguments(argv: readonly string[]): UserDataRequest | "help" {
  const { values, flags, positionals } = readArguments(argv, { values: ["user"], flags: [] });
  if (flags.has("help")) return "help";
  const [word, second] = positionals;
  const kind = ACTIONS.find((known) => known === word);
  if (kind === undefined) {
    const found = word === undefined ? "nothing was asked for" : `"${word}" is none of its actions`;
    const meant = word === undefined ? "" : didYouMean(word, ACTIONS);
    throw new UsageError(
      `Cannot tell what to do with a user's data: ${found}; write ${ACTIONS.join(" or ")}${meant}`,
    );
  }
  if (second !== undefined) {
    throw new UsageError(`Cannot use "${second}" as well: --help shows what can be asked for`);
  }
  const user = values.get("user");
  if (user === undefined) {
    throw new UsageError(`Cannot ${kind} nobody's data: say whose with --user ID`);
  }
  return { kind, userId: readId("--user", user) };
}
