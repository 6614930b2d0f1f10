import { describe, expect, test } from "vitest";
import { describeError, MessageNotStoredError } from "../../driver/turn-errors.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";

const FAULT = new DatabaseUnavailableError(
  "Cannot reach the database: check the server in DATABASE_URL",
);
const KEPT = "Your message is kept; once the database is back, it is answered before the next one";
const MODEL = Object.assign(new Error('Cannot ask "qwen3:4b" at localhost:11434'), {
  name: "ModelError",
  code: "model_unreachable",
});

describe("describeError()", () => {
  test("names servers, models and settings to an operator", () => {
    expect([FAULT, MODEL].map((error) => describeError(error, "operator"))).toEqual([
      { code: "database_unavailable", message: `${FAULT.message}. ${KEPT}` },
      { code: "model_unreachable", message: MODEL.message },
    ]);
    expect(new MessageNotStoredError(FAULT, "operator").message).toBe(
      `${FAULT.message}. Your message was not stored; send it again`,
    );
  });

  test("names none of them to a user", () => {
    expect([FAULT, MODEL].map((error) => describeError(error, "user"))).toEqual([
      {
        code: "database_unavailable",
        message: `I cannot get at what is stored at the moment. ${KEPT}`,
      },
      {
        code: "internal",
        message:
          "Cannot finish the turn: an unexpected error, which is in the log. Your message is kept; send another to try it again",
      },
    ]);
    expect(new MessageNotStoredError(FAULT, "user").message).toBe(
      "I cannot get at what is stored at the moment. Your message was not stored; send it again",
    );
  });
});
