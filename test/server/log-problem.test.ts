import { expect, test } from "vitest";
import { createProblemLog } from "../../server/log-problem.ts";
import { Problem, toProblem } from "../../server/problems.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";

function open() {
  const lines: string[] = [];
  let time = 0;
  const log = createProblemLog(
    {
      warn: (line) => void lines.push(line),
      error: (error, line) => void lines.push(`${line} (${String(error)})`),
    },
    () => time,
  );
  return { lines, log, pass: (ms: number) => void (time += ms) };
}

const FULL = toProblem(
  new DatabaseUnavailableError("Cannot write to the database: the server's disk is full"),
);
const GONE = toProblem(new DatabaseUnavailableError("Cannot reach the database: it is away"));

test("createProblemLog() says why the database refuses, each reason once in five seconds", () => {
  const { lines, log, pass } = open();

  for (const problem of [FULL, FULL, GONE, FULL]) log(problem, "r");
  pass(5_000);
  log(FULL, "r");

  const full = "Requests are refused: Cannot write to the database: the server's disk is full";
  const gone = "Requests are refused: Cannot reach the database: it is away";
  expect(lines).toEqual([full, gone, full]);
});

test("createProblemLog() says that the issuer's keys cannot be read", () => {
  const { lines, log } = open();

  const detail = "Cannot check the token";
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:9");
  log(new Problem("keys_unavailable", { detail }), "r");
  log(new Problem("keys_unavailable", { detail, cause: new Error("request timed out") }), "r");
  log(
    new Problem("keys_unavailable", {
      detail,
      cause: new TypeError("fetch failed", { cause: refused }),
    }),
    "r",
  );

  const line = "Tokens cannot be checked: the keys of their issuer cannot be read";
  expect(lines).toEqual([
    line,
    `${line} (request timed out)`,
    `${line} (connect ECONNREFUSED 127.0.0.1:9)`,
  ]);
});

test("createProblemLog() notes what nobody has foreseen under each request's id, and nothing of what clients do wrong", () => {
  const { lines, log } = open();

  for (const id of ["1", "2"]) log(toProblem(new TypeError("broken")), id);
  log(new Problem("invalid_json", { detail: "Cannot read the body" }), "3");

  expect(lines).toEqual([
    "Request 1 failed unexpectedly (TypeError: broken)",
    "Request 2 failed unexpectedly (TypeError: broken)",
  ]);
});
