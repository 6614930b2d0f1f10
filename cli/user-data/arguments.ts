import { didYouMean } from "../../text/nearest.ts";
import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** The action of `user-data` and its user. */
export interface UserDataRequest {
  readonly kind: "export" | "erase";
  readonly userId: string;
}

/** The text of `user-data --help`. */
export const USER_DATA_HELP = `Usage: npm run --silent user-data -- export --user ID > FILE
       npm run --silent user-data -- erase --user ID

Exports or erases everything that is stored about a user: conversations with their states, runs, keys,
and the domain's rows. export prints lines of JSON; the last one is {"kind":"end"} with the number of
lines before it, and without it the export is incomplete. erase removes everything permanently and
without asking; it fails while one of the user's runs is active.

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
    const found =
      word === undefined ? "no action was given" : `"${word}" is not one of its actions`;
    const meant = word === undefined ? "" : didYouMean(word, ACTIONS);
    throw new UsageError(`Cannot run user-data: ${found}; write ${ACTIONS.join(" or ")}${meant}`);
  }
  if (second !== undefined) {
    throw new UsageError(`Cannot use "${second}" as well: --help lists the actions and options`);
  }
  const user = values.get("user");
  if (user === undefined) {
    throw new UsageError(`Cannot ${kind} data without a user: name one with --user ID`);
  }
  return { kind, userId: readId("--user", user) };
}
