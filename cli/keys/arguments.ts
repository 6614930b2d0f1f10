import { didYouMean } from "../../text/nearest.ts";
import { readArguments, readId, type GivenArguments } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** The action and options of `keys`. */
export type KeysRequest =
  | {
      readonly kind: "create";
      readonly userId: string;
      readonly label: string;
      /** Null for a key that does not expire. */
      readonly days: number | null;
    }
  /** `userId` null lists the keys of all users. */
  | { readonly kind: "list"; readonly userId: string | null }
  | { readonly kind: "revoke"; readonly keyId: string };

/** The text of `keys --help`. */
export const KEYS_HELP = `Usage: npm run --silent keys -- create --user ID [--label TEXT] [--days N]
       npm run --silent keys -- list [--user ID]
       npm run --silent keys -- revoke KEY-ID

Manages the keys with which users authenticate to the server (CONCIERGE_AUTH=keys). create prints the
key once, alone on standard output; the key itself is not stored. list shows the keys' ids and dates.
revoke makes a key invalid at once.

  --user ID      whose key it is
  --label TEXT   what it is for, up to 200 characters
  --days N       how long it is valid (default: until it is revoked)
  --help         print this
`;

const ACTIONS = ["create", "list", "revoke"] as const;
const MOST_DAYS = 3_650;
const LONGEST_LABEL = 200;

/**
 * Reads the command line of `keys`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readKeysArguments(argv: readonly string[]): KeysRequest | "help" {
  const given = readArguments(argv, { values: ["user", "label", "days"], flags: [] });
  if (given.flags.has("help")) return "help";
  const [word, ...rest] = given.positionals;
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined) throw unknownAction(word);
  switch (action) {
    case "create":
      refuseMore(rest);
      return {
        kind: action,
        userId: readUser(given),
        label: readLabel(given.values.get("label") ?? ""),
        days: readDays(given.values.get("days")),
      };
    case "list": {
      refuseMore(rest);
      refuseOptions(given, ["label", "days"], action);
      const user = given.values.get("user");
      return { kind: action, userId: user === undefined ? null : readId("--user", user) };
    }
    case "revoke": {
      refuseOptions(given, ["user", "label", "days"], action);
      const [keyId, ...more] = rest;
      refuseMore(more);
      if (keyId !== undefined) return { kind: action, keyId: readId("key", keyId) };
      throw new UsageError(
        "Cannot revoke without the key's id: npm run --silent keys -- list shows the ids",
      );
    }
    default:
      return action satisfies never;
  }
}

function unknownAction(word: string | undefined): UsageError {
  const found = word === undefined ? "no action was given" : `"${word}" is not one of its actions`;
  const meant = word === undefined ? "" : didYouMean(word, ACTIONS);
  return new UsageError(`Cannot run keys: ${found}; write ${ACTIONS.join(", ")}${meant}`);
}

function readUser({ values }: GivenArguments): string {
  const user = values.get("user");
  if (user !== undefined) return readId("--user", user);
  throw new UsageError("Cannot create a key without a user: name one with --user ID");
}

function readLabel(value: string): string {
  if (value.length <= LONGEST_LABEL && !/\p{Cc}/u.test(value)) return value.toWellFormed();
  throw new UsageError(
    `Cannot use --label "${value.slice(0, 40)}": write at most ${LONGEST_LABEL} characters without control characters`,
  );
}

function readDays(value: string | undefined): number | null {
  if (value === undefined) return null;
  const days = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (days >= 1 && days <= MOST_DAYS) return days;
  throw new UsageError(`Cannot use --days "${value}": write a whole number from 1 to ${MOST_DAYS}`);
}

function refuseMore(rest: readonly string[]): void {
  const [word] = rest;
  if (word === undefined) return;
  throw new UsageError(`Cannot use "${word}" as well: --help lists the actions and options`);
}

function refuseOptions({ values }: GivenArguments, names: readonly string[], action: string): void {
  const found = names.find((name) => values.has(name));
  if (found === undefined) return;
  throw new UsageError(
    `Cannot use --${found} with ${action}: --help lists the options of each action`,
  );
}
