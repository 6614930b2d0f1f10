import { expect, test } from "vitest";
import { readServeArguments } from "../../../cli/serve/arguments.ts";
import { UsageError } from "../../../app/usage-error.ts";

test("readServeArguments() needs nothing", () => {
  expect(readServeArguments([])).toEqual({ role: "all", host: null, port: null, model: null });
});

test("readServeArguments() reads everything", () => {
  const argv = ["--role", "server", "--host=::1", "--port", "0", "--model", "simulated"];

  expect(readServeArguments(argv)).toEqual({
    role: "server",
    host: "::1",
    port: 0,
    model: "simulated",
  });
  expect(readServeArguments(["--port", "x", "--help"])).toBe("help");
});

test.each([
  [
    ["--role", "wroker"],
    'Cannot use --role "wroker": write all or server or worker; did you mean "worker"?',
  ],
  [["--port", "70000"], 'Cannot use --port "70000": write a whole number from 0 to 65535'],
  [["--port", "1e3"], 'Cannot use --port "1e3": write a whole number from 0 to 65535'],
  [
    ["--host", "http://x"],
    'Cannot use --host "http://x": write a name or an address to listen on, as in 127.0.0.1 or ::1',
  ],
  [
    ["worker"],
    'Cannot use "worker": put options after a separate --, as in npm start -- --role worker; npm start -- --help lists them',
  ],
] as const)("readServeArguments() refuses %j in one sentence", (argv, message) => {
  expect(() => readServeArguments(argv)).toThrow(new UsageError(message));
});
