import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog, createPlainLog } from "../../app/log.ts";
import type { LogLevel } from "../../app/settings/program-settings.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { LeaseLostError } from "../../storage/conversations/leases.ts";

function open(logLevel: LogLevel, logMessages: boolean) {
  const output = new PassThrough({ encoding: "utf8" });
  const log = createLog({ logLevel, logMessages }, output);
  return { log, lines: () => String(output.read() ?? "").trimEnd() };
}

test.each([
  [false, { level: 30, thread: "t", characters: 12, msg: "A message was received" }],
  [
    true,
    { level: 30, thread: "t", characters: 12, text: "no olives, p", msg: "A message was received" },
  ],
])(
  "createLog() logs the text of a message only if messages are to be logged: %s",
  (allowed, entry) => {
    const { log, lines } = open("info", allowed);

    log.noteMessage({ threadId: "t", text: "no olives, p" });

    expect(JSON.parse(lines())).toEqual({ ...entry, time: expect.any(Number) });
  },
);

test("work that is tried no more is a warning with its thread and the reason", () => {
  const { log, lines } = open("warn", false);

  log.noteDeadLetter({ threadId: "t", userId: "ann", reason: "broken: It is out of order" });

  expect(JSON.parse(lines())).toEqual({
    level: 40,
    time: expect.any(Number),
    thread: "t",
    user: "ann",
    reason: "broken: It is out of order",
    msg: "A job failed for good; the messages of its thread wait for the next message",
  });
});

test("the log keeps quiet below its level", () => {
  const { log, lines } = open("warn", true);

  log.noteMessage({ threadId: "t", text: "secret" });
  log.info("no");
  log.debug("no");
  log.warn("yes");

  expect(JSON.parse(lines())).toMatchObject({ msg: "yes" });
});

test("an error is logged with its stack and causes, and without what hangs on it", () => {
  const { log, lines } = open("warn", false);
  const cause = Object.assign(new Error("23505"), { detail: "Key (name)=(Anna's allergies)" });

  log.error(Object.assign(new Error("Cannot save", { cause }), { code: "internal" }), "It failed");

  const entry = lines();
  expect(JSON.parse(entry)).toMatchObject({
    msg: "It failed",
    error: {
      code: "internal",
      stack: expect.stringContaining("Error: Cannot save\n"),
      cause: { code: null, stack: expect.stringContaining("Error: 23505\n"), cause: null },
    },
  });
  expect(entry).not.toContain("allergies");
});

test.each([
  new LeaseLostError("t"),
  new DatabaseUnavailableError("Cannot reach the database: gone", { cause: new Error("57P01") }),
])("what is to be expected is logged in a line, with its stack for debugging only: %s", (error) => {
  const line = { level: 40, code: error.code, reason: error.message, msg: "A turn failed" };
  const quiet = open("warn", false);
  const loud = open("debug", false);

  quiet.log.error(error, "A turn failed");
  loud.log.error(error, "A turn failed");

  expect(JSON.parse(quiet.lines())).toEqual({ ...line, time: expect.any(Number) });
  expect(
    loud
      .lines()
      .split("\n")
      .map((entry): unknown => JSON.parse(entry)),
  ).toMatchObject([line, { level: 20, error: { stack: expect.stringContaining(" at ") } }]);
});

test("createPlainLog() gives a person one sentence for a warning or an unexpected error", () => {
  const lines: string[] = [];
  const log = createPlainLog((line) => lines.push(line));

  log.debug("no");
  log.info("no");
  log.noteMessage({ threadId: "t", text: "no" });
  log.warn("The database was ended from outside and has been restarted");
  log.error(new DatabaseUnavailableError("Cannot reach it"), "A turn failed");
  log.error(new RangeError("too far"), "A turn failed");

  expect(lines).toEqual([
    "The database was ended from outside and has been restarted",
    "A turn failed: too far (CONCIERGE_LOG=error logs the details)",
  ]);
});
