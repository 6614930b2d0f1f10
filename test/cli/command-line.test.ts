import { expect, test } from "vitest";
import { UsageError } from "../../app/usage-error.ts";
import { chatCommand } from "../../cli/chat/arguments.ts";
import {
  defineCommand,
  readAction,
  readCommandLine,
  readId,
  readChoice,
  readWholeNumber,
  renderCommandHelp,
  type Command,
} from "../../cli/command-line.ts";
import { INSPECT } from "../../cli/inspect/arguments.ts";
import { KEYS } from "../../cli/keys/arguments.ts";
import { SERVE } from "../../cli/serve/arguments.ts";
import { USER_DATA } from "../../cli/user-data/arguments.ts";
import { CRASH } from "../../dev/crash/arguments.ts";
import { isUserId } from "../../server/access/user-id.ts";
import { ThreadIdSchema } from "../../server/protocol/ids.ts";
import { STUDIO } from "../../studio/arguments.ts";

const CHAT = chatCommand({ timeZone: "Europe/Berlin", locale: "en-GB" });

const BREW = defineCommand({
  start: "npm run brew --",
  about: "Brews tea.",
  arguments: {
    tea: ["TEA", "the tea", readChoice(["green", "black"])],
    cups: ["--cups N", "how many cups", readWholeNumber(1, 9), 1],
    guestId: ["--guest ID", "who drinks it", readId, null],
    milk: ["--milk", "adds milk"],
    extras: ["EXTRA…", "what to serve with it", String],
  },
});

test("readCommandLine() reads options, flags and words in any order, with defaults", () => {
  const defaults = { tea: "green", cups: 1, guestId: null, milk: false, extras: [] };

  expect(readCommandLine(BREW, ["green"])).toEqual(defaults);
  expect(
    readCommandLine(BREW, ["--milk", "--cups=3", "black", "cake", "--guest", "ann", "jam"]),
  ).toEqual({ tea: "black", cups: 3, guestId: "ann", milk: true, extras: ["cake", "jam"] });
  expect(readCommandLine(BREW, ["--cups", "x", "--help"])).toBeNull();
});

test.each([
  [
    ["green", "--guets", "ann"],
    'Cannot use the option "--guets": the option is unknown; did you mean "--guest"?',
  ],
  [["green", "-x"], 'Cannot use the option "-x": the option is unknown; --help lists them'],
  [["green", "--guest"], "Cannot use --guest without a value: write --guest ID"],
  [["green", "--milk=yes"], 'Cannot use --milk with the value "yes": it takes none'],
  [["green", "--cups", "1", "--cups", "2"], "Cannot use --cups twice: give it once"],
  [["green", "--cups", "-3"], 'Cannot use --cups "-3": write a whole number from 1 to 9'],
  [["gren"], 'Cannot use TEA "gren": write green or black; did you mean "green"?'],
  [[], "Cannot start without TEA: write npm run brew -- TEA (the tea)"],
  [
    ["green", "--guest", ""],
    'Cannot use --guest "": write an id of 1 to 255 characters without control characters',
  ],
])("readCommandLine() rejects %j in one sentence", (argv, message) => {
  expect(() => readCommandLine(BREW, argv)).toThrow(new UsageError(message));
});

test("renderCommandHelp() lists every argument with its default", () => {
  expect(renderCommandHelp(BREW)).toBe(`Usage: npm run brew -- TEA [EXTRA…] [options]

Brews tea.

  TEA         the tea
  --cups N    how many cups (default: 1)
  --guest ID  who drinks it
  --milk      adds milk
  EXTRA…      what to serve with it
  --help      print this
`);
});

test("readAction() reads the action's own arguments", () => {
  const create = ["create", "--user", "ann", "--label", "laptop", "--days", "30"];

  expect(readAction(KEYS, create)).toEqual({
    action: "create",
    values: { userId: "ann", label: "laptop", days: 30 },
  });
  expect(readAction(KEYS, ["list"])).toEqual({ action: "list", values: { userId: null } });
  expect(readAction(KEYS, ["revoke", "k1"])).toEqual({ action: "revoke", values: { keyId: "k1" } });
  expect(readAction(USER_DATA, ["erase", "--user", "ann"])).toEqual({
    action: "erase",
    values: { userId: "ann" },
  });
  expect(readAction(KEYS, ["--help"])).toBeNull();
  expect(readAction(KEYS, ["list", "--help"])).toBeNull();
});

test.each([
  [[], "Cannot start without an action: write create, list or revoke"],
  [
    ["creat"],
    'Cannot use the action "creat": write create, list or revoke; did you mean "create"?',
  ],
  [
    ["list", "--days", "3"],
    'Cannot use the option "--days": the option is unknown; --help lists them',
  ],
])("readAction() rejects %j in one sentence", (argv, message) => {
  expect(() => readAction(KEYS, argv)).toThrow(new UsageError(message));
});

test("--model takes simulated or any model's name, and no longer openai", () => {
  expect(readCommandLine(CHAT, ["--model", "qwen3:4b"])?.model).toBe("qwen3:4b");
  expect(() => readCommandLine(CHAT, ["--model", "openai"])).toThrow(
    new UsageError(
      'Cannot use --model "openai": leave --model out for the configured model, or name one',
    ),
  );
  expect(() => readCommandLine(CHAT, ["--model", " "])).toThrow(
    new UsageError('Cannot use --model " ": write simulated, or the name of a model'),
  );
});

test("the commands read the options that README and docs name", () => {
  const chat = "--user anna --thread=k3f --json --trace --today 2024-02-29 --time-zone asia/tokyo";
  const more = "--locale de-at --model simulated --reset-demo";

  expect(readCommandLine(CHAT, [])).toMatchObject({
    userId: "demo",
    threadId: null,
    locale: "en-GB",
  });
  expect(readCommandLine(CHAT, `${chat} ${more}`.split(" "))).toEqual({
    userId: "anna",
    threadId: "k3f",
    json: true,
    trace: true,
    today: "2024-02-29",
    timeZone: "Asia/Tokyo",
    locale: "de-AT",
    model: "simulated",
    resetDemo: true,
  });
  expect(readCommandLine(INSPECT, ["k3f"])).toEqual({
    threadId: "k3f",
    userId: "demo",
    turns: 5,
  });
  expect(readCommandLine(SERVE, ["--role", "server", "--host=::1", "--port", "0"])).toEqual({
    role: "server",
    host: "::1",
    port: 0,
    model: null,
  });
  expect(
    readCommandLine(
      STUDIO,
      "--port 8080 --config /a/b.json --any-user --origin http://localhost:3000,https://a.example".split(
        " ",
      ),
    ),
  ).toEqual({
    port: 8080,
    configPath: "/a/b.json",
    noReload: false,
    origins: ["http://localhost:3000", "https://a.example"],
    anyUser: true,
  });
  expect(readCommandLine(CRASH, ["20"])).toEqual({ count: 20 });
});

test.each<[Command, readonly string[], string]>([
  [
    CHAT,
    ["hello"],
    'Cannot use "hello": messages are typed at the prompt or piped in; --help lists the options',
  ],
  [
    CHAT,
    ["--today", "2026-02-30"],
    'Cannot use --today "2026-02-30": it is not a day of the calendar; write YYYY-MM-DD, as in 2026-01-12',
  ],
  [
    CHAT,
    ["--time-zone", "Europe/Berln"],
    'Cannot use --time-zone "Europe/Berln": the time zone is unknown; did you mean "Europe/Berlin"?',
  ],
  [
    CHAT,
    ["--locale", "_"],
    'Cannot use --locale "_": it is not a language tag; write one such as en or de-AT',
  ],
  [INSPECT, ["a", "b"], 'Cannot use "b": name one thread at a time'],
  [
    SERVE,
    ["--host", "http://x"],
    'Cannot use --host "http://x": write a name or an address to listen on, as in 127.0.0.1 or ::1',
  ],
  [
    KEYS.create,
    ["--user", "ann", "--label", "a\nb"],
    'Cannot use --label "a\nb": write at most 200 characters without control characters',
  ],
  [
    STUDIO,
    ["--origin", "http://a.example/page"],
    'Cannot use --origin "http://a.example/page": write scheme, host and port only, as in http://localhost:3000',
  ],
])("a command rejects a value that only it knows: %#", (command, argv, message) => {
  expect(() => readCommandLine(command, argv)).toThrow(new UsageError(message));
});

test.each(["u".repeat(255), "ann@example.org", "auth0|5f7c", " ", "a\u0085b", "日本"])(
  "readId() accepts the user %j, as the server does",
  (user) => {
    expect(isUserId(user)).toBe(true);
    expect(readId(user)).toBe(user);
  },
);

test("readId() accepts the longest id of a thread and no longer one", () => {
  const thread = "t".repeat(255);

  expect(ThreadIdSchema.safeParse(thread).success).toBe(true);
  expect(readId(thread)).toBe(thread);
  expect(() => readId(`${thread}t`)).toThrow("write an id of 1 to 255 characters");
});
