import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../app/usage-error.ts";
import { readStudioArguments } from "../../studio/arguments.ts";
import { sayWhy } from "../../studio/dev-server.ts";

test("readStudioArguments() gives what is not said its default", () => {
  expect(readStudioArguments([])).toEqual({
    port: 2024,
    configPath: join(import.meta.dirname, "../../langgraph.json"),
    reload: true,
  });
  expect(readStudioArguments(["--port", "8080", "--config", "/a/b.json", "--no-reload"])).toEqual({
    port: 8080,
    configPath: "/a/b.json",
    reload: false,
  });
  expect(readStudioArguments(["--help"])).toBe("help");
});

test.each([
  [["--port", "0"], 'Cannot use --port "0"'],
  [["--port", "65536"], 'Cannot use --port "65536"'],
  [["--port", "http"], 'Cannot use --port "http"'],
  [["now"], 'Cannot use "now"'],
  [["--prot", "1"], "--prot"],
])("readStudioArguments() refuses %j", (argv, why) => {
  const attempt = () => readStudioArguments(argv);

  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(why);
});

test("sayWhy() tells a command line that npm cannot fetch from a server that cannot start", () => {
  const offline = "npm warn something\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\n";

  expect(sayWhy(offline, "/p/langgraph.json")).toBe(
    "Cannot fetch @langchain/langgraph-cli@1.5.1 (npm says ENOTFOUND): connect to the network and run npm run studio once; after that it starts without",
  );
  expect(sayWhy("Error: no such graph\n", "/p/langgraph.json")).toBe(
    'Cannot start the dev server of "/p/langgraph.json": it ended before it answered; what it wrote stands above',
  );
});
