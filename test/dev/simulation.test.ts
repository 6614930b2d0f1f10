import { describe, expect, test } from "vitest";
import { DriverRunners } from "../../dev/simulation/driver-runner.ts";
import {
  findShortestFailure,
  readKeptFailures,
  renderFailure,
} from "../../dev/simulation/found-failures.ts";
import { measureGrowth, MOST_GROWTH } from "../../dev/simulation/measure-growth.ts";
import { judgeModel, renderModelVerdict } from "../../dev/simulation/judge-model.ts";
import { playConversation } from "../../dev/simulation/play.ts";
import { withMadeUpTables } from "../../dev/simulation/stored-tables.ts";
import { createOpenAIModels } from "../../models/client/openai.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import { createTestDatabase } from "../support/database.ts";
import { openAIConfig } from "../support/model-requests.ts";
import { startOpenAIMock } from "../support/openai-mock.ts";

test("judgeModel() asks a real client over HTTP and says where conversations break", async () => {
  const mock = await startOpenAIMock({ answer: () => ({ text: "I would rather talk." }) });
  const models = createOpenAIModels(openAIConfig(mock.baseUrl));
  const verdict = await judgeModel({ models, runs: 3, turns: 8, seed: 4 });
  await mock.close();

  expect(mock.requests.length).toBeGreaterThan(0);
  expect(renderModelVerdict(verdict)).toMatch(
    /^\d\. turn \d+ \([a-z-]+\): .*[^]*\d of 3 conversations hold$/u,
  );
});

/** `SIMULATED_CONVERSATIONS=200 npm test -- test/dev/simulation.test.ts` plays more, as does `npm run simulate`. */
const RUNS = Number(process.env["SIMULATED_CONVERSATIONS"] ?? 60);

const TIMEOUT_MS = 120_000;
const KEPT = await readKeptFailures();

describe("a made-up conversation", { timeout: TIMEOUT_MS }, () => {
  test.each([
    ["honest models", false],
    ["models that lie in one answer of four", true],
  ])("keeps every promise with %s", async (_, lies) => {
    const search = { runs: RUNS, turns: 12, seed: 20_260_112, path: "", lies };
    const { failure, conversations } = await findShortestFailure(search);

    expect(failure === null ? "" : await renderFailure(failure)).toBe("");
    expect(conversations).toBe(RUNS);
  });

  test("keeps every promise in the graph, the driver and Postgres", async () => {
    const database = await withMadeUpTables((folder) =>
      createTestDatabase({ migrations: [folder] }),
    );
    const runners = new DriverRunners(database);
    const search = { runs: 5, turns: 12, seed: 7, path: "", lies: false };
    const { failure } = await findShortestFailure({ ...search, openRunner: runners.open });
    await runners.close();
    await database.close();

    expect(failure).toBeNull();
  });

  test("of sixty turns is held, and its late prompts are hardly longer than its early ones", async () => {
    const { all, failures } = await measureGrowth({ runs: 6, seed: 2 });

    expect(failures.map(({ violations }) => violations)).toEqual([]);
    expect(all.late).toBeLessThan(MOST_GROWTH * all.early);
  });

  test("breaks where a prompt lacks a section that it needs", async () => {
    const without = { role: "reply" as const, heading: HEADINGS.choices };
    const search = { runs: 400, turns: 12, seed: 20_260_112, path: "", lies: false, without };
    const { failure } = await findShortestFailure(search);

    expect(failure).not.toBeNull();
  });

  test.each([...KEPT])("that was once broken is kept: %s", async (_, conversation) => {
    expect((await playConversation(conversation)).failure?.violations).toBeUndefined();
  });
});
