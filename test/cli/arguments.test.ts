import { expect, test } from "vitest";
import { readChatArguments } from "../../cli/chat/arguments.ts";
import { readInspectArguments } from "../../cli/inspect/arguments.ts";
import { UsageError } from "../../app/usage-error.ts";
import { isUserId } from "../../server/access/user-id.ts";
import { ThreadIdSchema } from "../../server/protocol/ids.ts";

const SYSTEM = { timeZone: "Europe/Berlin", locale: "en-GB" };

test("readChatArguments() has a default for everything", () => {
  expect(readChatArguments([], SYSTEM)).toEqual({
    userId: "demo",
    threadId: null,
    json: false,
    trace: false,
    today: null,
    timeZone: "Europe/Berlin",
    locale: "en-GB",
    model: null,
    resetDemo: false,
  });
});

test("readChatArguments() reads every option", () => {
  const argv = "--user anna --thread=k3f --json --trace --today 2024-02-29 --time-zone asia/tokyo";
  const more = "--locale de-at --model simulated --reset-demo";

  expect(readChatArguments(`${argv} ${more}`.split(" "), SYSTEM)).toEqual({
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
});

test("readChatArguments() gives help before anything else is wanted", () => {
  expect(readChatArguments(["--help", "hello"], SYSTEM)).toBe("help");
});

test("readChatArguments() takes the longest ids that the server takes, and none longer", () => {
  const thread = "t".repeat(255);
  const user = "u".repeat(255);

  expect([ThreadIdSchema.safeParse(thread).success, isUserId(user)]).toEqual([true, true]);
  expect(readChatArguments(["--thread", thread, "--user", user], SYSTEM)).toMatchObject({
    threadId: thread,
    userId: user,
  });
  for (const option of ["--thread", "--user"]) {
    expect(() => readChatArguments([option, `${user}u`], SYSTEM)).toThrow(UsageError);
  }
});

test.each(["ann@example.org", "auth0|5f7c", " ", "a\u0085b", "日本"])(
  "readChatArguments() takes the user %j, as the server does",
  (user) => {
    expect(isUserId(user)).toBe(true);
    expect(readChatArguments(["--user", user], SYSTEM)).toMatchObject({ userId: user });
  },
);

test.each([
  [["--trase"], 'Cannot use the option "--trase": the option is unknown; did you mean "--trace"?'],
  [["--verbose"], 'Cannot use the option "--verbose": the option is unknown; --help lists them'],
  [["-x"], 'Cannot use the option "-x": the option is unknown; --help lists them'],
  [["--user"], "Cannot use --user without a value: write --user VALUE"],
  [["--thread", "--json"], "Cannot use --thread without a value: write --thread VALUE"],
  [["--json=yes"], 'Cannot use --json with the value "yes": it takes none'],
  [["--user", "a", "--user", "b"], "Cannot use --user twice: give it once"],
  [
    ["hello"],
    'Cannot use "hello": messages are typed at the prompt or piped in; --help lists the options',
  ],
  [
    ["--user", ""],
    'Cannot use --user "": write an id of 1 to 255 characters without control characters',
  ],
  [
    ["--today", "2026-02-30"],
    'Cannot use --today "2026-02-30": it is not a day of the calendar; write YYYY-MM-DD, as in 2026-01-12',
  ],
  [
    ["--today", "12.1.2026"],
    'Cannot use --today "12.1.2026": it is not a day of the calendar; write YYYY-MM-DD, as in 2026-01-12',
  ],
  [
    ["--time-zone", "Europe/Berln"],
    'Cannot use --time-zone "Europe/Berln": the time zone is unknown; did you mean "Europe/Berlin"?',
  ],
  [
    ["--time-zone", "+02:00"],
    'Cannot use --time-zone "+02:00": the time zone is unknown; write one such as Europe/Berlin',
  ],
  [
    ["--locale", "_"],
    'Cannot use --locale "_": it is not a language tag; write one such as en or de-AT',
  ],
  [
    ["--model", "simulatd"],
    'Cannot use --model "simulatd": write simulated or openai; did you mean "simulated"?',
  ],
])("readChatArguments() refuses %j in one sentence", (argv, message) => {
  expect(() => readChatArguments(argv, SYSTEM)).toThrow(new UsageError(message));
});

test("readInspectArguments() reads the thread, and its options", () => {
  expect(readInspectArguments(["k3f"])).toEqual({ threadId: "k3f", userId: "demo", turns: 5 });
  expect(readInspectArguments(["k3f", "--user", "anna", "--turns", "20"])).toEqual({
    threadId: "k3f",
    userId: "anna",
    turns: 20,
  });
  expect(readInspectArguments(["--help"])).toBe("help");
});

test.each([
  [
    [],
    "Cannot inspect without a thread: write npm run --silent inspect -- THREAD; /threads in the chat lists them",
  ],
  [["a", "b"], 'Cannot inspect "b" as well: name one thread at a time'],
  [["a", "--turns", "0"], 'Cannot use --turns "0": write a whole number from 1 to 1000'],
  [
    ["a", "--turn", "3"],
    'Cannot use the option "--turn": the option is unknown; did you mean "--turns"?',
  ],
])("readInspectArguments() refuses %j in one sentence", (argv, message) => {
  expect(() => readInspectArguments(argv)).toThrow(new UsageError(message));
});
