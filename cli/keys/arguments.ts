import {
  defineCommand,
  InvalidValue,
  readId,
  readWholeNumber,
  type ActionRequest,
} from "../command-line.ts";

/** The tables of `npm run keys`. */
export const KEYS = {
  create: defineCommand({
    start: "npm run --silent keys -- create",
    settings: "keys",
    about: `
Creates a key with which a user authenticates to the server (CONCIERGE_AUTH=keys). Prints the key
once, alone on standard output; the key itself is not stored.`,
    arguments: {
      userId: ["--user ID", "the user whose key it is", readId],
      label: ["--label TEXT", "what it is for, up to 200 characters", readLabel, ""],
      days: [
        "--days N",
        "how long it is valid (default: until it is revoked)",
        readWholeNumber(1, 3_650),
        null,
      ],
    },
  }),
  list: defineCommand({
    start: "npm run --silent keys -- list",
    settings: "keys",
    about: "Lists the ids, labels and dates of keys.",
    arguments: {
      userId: ["--user ID", "the user whose keys to list (default: all users)", readId, null],
    },
  }),
  revoke: defineCommand({
    start: "npm run --silent keys -- revoke",
    settings: "keys",
    about: "Makes a key invalid at once.",
    arguments: {
      keyId: ["KEY-ID", "the id of the key, as list shows it", readId],
    },
  }),
};

/** An action on keys with its arguments. */
export type KeysRequest = ActionRequest<typeof KEYS>;

function readLabel(text: string): string {
  if (text.length <= 200 && !/\p{Cc}/u.test(text)) return text.toWellFormed();
  throw new InvalidValue("write at most 200 characters without control characters");
}
