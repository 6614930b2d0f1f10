import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../app/usage-error.ts";
import { readStudioArguments } from "../../studio/arguments.ts";
import { explainExit } from "../../studio/dev-server.ts";

test("readStudioArguments() gives what is not said its default", () => {
  expect(readStudioArguments([])).toEqual({
    port: 2024,
    configPath: join(import.meta.dirname, "../../langgraph.json"),
    reload: true,
    origins: [],
    anyUser: false,
  });
  const given = ["--port", "8080", "--config", "/a/b.json", "--no-reload", "--any-user"];
  expect(
    readStudioArguments([...given, "--origin", "http://localhost:3000, https://a.example"]),
  ).toEqual({
    port: 8080,
    configPath: "/a/b.json",
    reload: false,
    origins: ["http://localhost:3000", "https://a.example"],
    anyUser: true,
  });
  expect(readStudioArguments(["--help"])).toBe("help");
});

test.each([
  [["--port", "0"], 'Cannot use --port "0"'],
  [["--port", "65536"], 'Cannot use --port "65536"'],
  [["--port", "http"], 'Cannot use --port "http"'],
  [["--origin", "*"], 'Cannot use --origin "*"'],
  [["--origin", "http://a.example/page"], 'Cannot use --origin "http://a.example/page"'],
  [["now"], 'Cannot use "now"'],
  [["--prot", "1"], "--prot"],
])("readStudioArguments() refuses %j", (argv, why) => {
  const attempt = () => readStudioArguments(argv);

  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(why);
});

test("sayWhy() tells a command line that npm cannot fetch from a server that cannot start", () => {
  const offline = "npm warn something\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\n";

  expect(explainExit(offline, "/p/langgraph.json")).toBe(
    "Cannot fetch @langchain/langgraph-cli@1.5.1 (npm says ENOTFOUND): connect to the network and run npm run studio once; after that it starts without",
  );
  expect(explainExit("Error: no such graph\n", "/p/langgraph.json")).toBe(
    'Cannot start the dev server of "/p/langgraph.json": it ended before it answered; what it wrote stands above',
  );
});
