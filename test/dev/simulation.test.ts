import { describe, expect, test } from "vitest";
import {
  findShortestFailure,
  readKeptFailures,
  renderFailure,
} from "../../dev/simulation/found-failures.ts";
import { playConversation } from "../../dev/simulation/play.ts";

const TIMEOUT_MS = 120_000;
const KEPT = await readKeptFailures();

describe("a made-up conversation", { timeout: TIMEOUT_MS }, () => {
  test.each([
    ["honest models", false],
    ["models that lie in one answer of four", true],
  ])("keeps every promise with %s", async (_, lies) => {
    const search = { runs: 200, turns: 12, seed: 20_260_112, path: "", lies };
    const { failure, conversations } = await findShortestFailure(search);

    expect(failure === null ? "" : await renderFailure(failure)).toBe("");
    expect(conversations).toBe(200);
  });

  test.each([...KEPT])("that was once broken is kept: %s", async (_, conversation) => {
    expect((await playConversation(conversation)).failure?.violations).toBeUndefined();
  });
});
