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
    about: `
Creates a key with which a user authenticates to the server (CONCIERGE_AUTH=keys). Prints the key
once, alone on standard output; the key itself is not stored.`,
    arguments: {
      userId: { form: "--user ID", about: "the user whose key it is", read: readId },
      label: {
        form: "--label TEXT",
        about: "what it is for, up to 200 characters",
        read: readLabel,
        absent: "",
      },
      days: {
        form: "--days N",
        about: "how long it is valid (default: until it is revoked)",
        read: readWholeNumber(1, 3_650),
        absent: null,
      },
    },
  }),
  list: defineCommand({
    start: "npm run --silent keys -- list",
    about: "Lists the ids, labels and dates of keys.",
    arguments: {
      userId: {
        form: "--user ID",
        about: "the user whose keys to list (default: all users)",
        read: readId,
        absent: null,
      },
    },
  }),
  revoke: defineCommand({
    start: "npm run --silent keys -- revoke",
    about: "Makes a key invalid at once.",
    arguments: {
      keyId: { form: "KEY-ID", about: "the id of the key, as list shows it", read: readId },
    },
  }),
};

/** An action on keys with its arguments. */
export type KeysRequest = ActionRequest<typeof KEYS>;

function readLabel(text: string): string {
  if (text.length <= 200 && !/\p{Cc}/u.test(text)) return text.toWellFormed();
  throw new InvalidValue("write at most 200 characters without control characters");
}
