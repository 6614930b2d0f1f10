import { expect, test } from "vitest";
import { explainExit } from "../../studio/dev-server.ts";

test("explainExit() tells a server that npm cannot fetch from one that cannot start", () => {
  const offline = "npm warn something\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\n";

  expect(explainExit(offline, "/p/langgraph.json")).toBe(
    "Cannot fetch @langchain/langgraph-cli@1.5.1 (npm reports ENOTFOUND): connect to the network and run npm run studio once; after that it starts without",
  );
  expect(explainExit("Error: no such graph\n", "/p/langgraph.json")).toBe(
    'Cannot start the dev server of "/p/langgraph.json": it ended before it answered; its output is above',
  );
});
