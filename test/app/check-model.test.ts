import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkModel } from "../../app/check-model.ts";
import { readConfig } from "../../app/config.ts";
import {
  endpointError,
  buildModelList,
  serveEndpoint,
  type EndpointScript,
} from "../support/plain-endpoint.ts";

const DONE = { status: 200, body: JSON.stringify({ choices: [{ index: 0 }] }) };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-check-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function readModel(url: string, model = "m") {
  return readConfig({ OPENAI_API_KEY: "sk-1234", OPENAI_BASE_URL: url, OPENAI_MODEL: model }).model;
}

/** Checks the model "m" at an endpoint with this behaviour; returns the paths that were asked too. */
async function check(script: EndpointScript, model = "m") {
  const { url, requests } = await serveEndpoint(script);
  const found = await checkModel(readModel(url, model), {
    dataDir: await makeFolder(),
    seconds: 0.3,
  });
  return { found, paths: requests.map(({ path }) => path) };
}

/** Answers the list and the completion of one token. */
function answering(
  list: ReturnType<EndpointScript>,
  completion: ReturnType<EndpointScript>,
): EndpointScript {
  return ({ path }) => (path === "/models" ? list : completion);
}

const LIST = ["/models"];
const BOTH = ["/models", "/chat/completions"];
const PAGE = { status: 200, type: "text/html", body: "<html>Sign in</html>" };

describe("checkModel()", () => {
  test("asks nothing for the simulated model", async () => {
    const found = await checkModel({ kind: "simulated" }, { dataDir: "/nowhere" });

    expect(found).toEqual({ kind: "usable" });
  });

  test.each<[string, EndpointScript, readonly string[]]>([
    ["the list has the model", answering(buildModelList("k", "m"), "silence"), LIST],
    ["the list is empty", answering(buildModelList(), "silence"), LIST],
    ["the list adds a tag", answering(buildModelList("m:latest"), "silence"), LIST],
    ["the key may not list, but complete", answering(endpointError(401), DONE), BOTH],
    ["there is no list", answering(endpointError(404), DONE), BOTH],
    ["a web page stands in the list's place", answering(PAGE, DONE), BOTH],
    ["the model is still being loaded", answering(endpointError(404), "silence"), BOTH],
    ["too much is asked of it now", answering(endpointError(404), endpointError(429)), BOTH],
    ["it refuses one token", answering(endpointError(404), endpointError(400)), BOTH],
  ])("finds a model usable where %s", async (_, script, paths) => {
    expect(await check(script)).toEqual({ found: { kind: "usable" }, paths });
  });

  test.each<[string, EndpointScript, RegExp]>([
    [
      "the key is refused",
      () => endpointError(401),
      /rejected the key \(401\); check OPENAI_API_KEY/u,
    ],
    ["the key may do nothing", () => endpointError(403), /may not use this model/u],
    [
      "nothing is at the address",
      () => endpointError(404),
      /nothing at this address .+ OPENAI_BASE_URL/u,
    ],
    ["a web page answers", () => PAGE, /not an answer of a chat endpoint/u],
    [
      "the account is empty",
      answering(endpointError(404), endpointError(429, "insufficient_quota")),
      /no credit left/u,
    ],
  ])("finds a model unusable where %s", async (_, script, reason) => {
    const { found, paths } = await check(script);

    expect(found).toEqual({ kind: "unusable", reason: expect.stringMatching(reason) });
    expect(JSON.stringify(found)).not.toContain("sk-1234");
    expect(paths).toEqual(BOTH);
  });

  test("names the three nearest of a list without the model", async () => {
    const list = buildModelList("gpt-4.1", "qwen3:8b", "gpt-4.1-nano", "gpt-4o-mini", "whisper");
    const { found, paths } = await check(() => list, "gpt-4.1-mini");

    expect(found).toEqual({
      kind: "unusable",
      reason: expect.stringMatching(
        /^Cannot use model "gpt-4\.1-mini" at 127\.0\.0\.1:\d+: .+ nearest are "gpt-4o-mini", "gpt-4\.1-nano", "gpt-4\.1"; check OPENAI_MODEL/u,
      ),
    });
    expect(paths).toEqual(LIST);
  });

  test.each<[string, string]>([
    ["nothing listens", "http://127.0.0.1:1/v1"],
    ["the host has no address", "http://nowhere.invalid/v1"],
  ])("finds a model unreachable where %s", async (_, url) => {
    const found = await checkModel(readModel(url), { dataDir: await makeFolder() });

    expect(found).toEqual({
      kind: "unreachable",
      reason: expect.stringMatching(/check OPENAI_BASE_URL and the network/u),
    });
  });

  test("finds a model unreachable where nothing answers in time, or the server fails", async () => {
    const silent = await check(() => "silence");
    const failing = await check(() => endpointError(500));

    expect([silent.found.kind, failing.found.kind]).toEqual(["unreachable", "unreachable"]);
  });

  test("remembers for an hour that a completion worked, and nothing of the key", async () => {
    const { url, requests } = await serveEndpoint(answering(endpointError(404), DONE));
    const dataDir = await makeFolder();
    const checkAt = async (now: number, model = "m") => {
      const before = requests.length;
      await checkModel(readModel(url, model), { dataDir, now: () => now });
      return requests.length - before;
    };

    const counts = [
      await checkAt(0),
      await checkAt(3_599_999),
      await checkAt(3_600_000),
      await checkAt(3_600_000, "other"),
    ];

    expect(counts).toEqual([2, 1, 2, 2]);
    expect(await readFile(join(dataDir, "model-check.json"), "utf8")).not.toMatch(
      /sk-1234|127\.0\.0\.1/u,
    );
  });
});
