import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkModel } from "../../app/check-model.ts";
import { readConfig } from "../../app/config.ts";
import { watchModel } from "../../app/watch-model.ts";
import { serveHttp } from "../support/http-server.ts";
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

const BOTH = ["/models", "/chat/completions"];
const PAGE = { status: 200, type: "text/html", body: "<html>Sign in</html>" };
const LISTED = buildModelList("k", "m");
const OTHER = buildModelList("/models/qwen3-4b.gguf");

/** Builds what routers answer with status 200 when the endpoint behind them has refused. */
function reportError(code: number) {
  return { status: 200, body: JSON.stringify({ error: { message: "no", code } }) };
}

/** Serves what Ollama says of itself and of one model, which no completion finds. */
async function serveOllama(name: string) {
  const asked: string[] = [];
  const routes: Readonly<Record<string, object>> = {
    "/api/version": { version: "0.32.0" },
    "/api/tags": { models: [{ name, model: name }] },
    "/v1/models": { data: [{ id: name }] },
  };
  const port = await serveHttp((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const body = routes[url] ?? { error: { message: "model not found", code: null } };
    response.writeHead(url in routes ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  return { url: `http://127.0.0.1:${port}/v1`, asked };
}

describe("checkModel()", () => {
  test("asks nothing for the simulated model", async () => {
    const found = await checkModel({ kind: "simulated" }, { dataDir: "/nowhere" });

    expect(found).toEqual({ kind: "usable" });
  });

  test.each<[string, EndpointScript, readonly string[]]>([
    ["the list has the model", answering(buildModelList("k", "m"), DONE), BOTH],
    ["the list is empty", answering(buildModelList(), DONE), BOTH],
    ["the list has one other name, for a server that answers any", answering(OTHER, DONE), BOTH],
    ["a listed model is still being loaded", answering(LISTED, "silence"), BOTH],
    ["an unlisted one is", answering(OTHER, endpointError(503)), BOTH],
    ["too much is asked of a listed model now", answering(LISTED, endpointError(429)), BOTH],
    ["a listed model answers one token with a web page", answering(LISTED, PAGE), BOTH],
    ["the one behind a router fails", answering(OTHER, reportError(502)), BOTH],
    [
      "there is no list, and the server fails now",
      answering(endpointError(404), endpointError(503)),
      BOTH,
    ],
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
    [
      "everybody may list, and the key is refused",
      answering(LISTED, endpointError(401)),
      /rejected the key \(401\)/u,
    ],
    [
      "the key may list and not complete",
      answering(LISTED, endpointError(403)),
      /may not use this model/u,
    ],
    [
      "the listed model is not there",
      answering(LISTED, endpointError(404, "model_not_found")),
      /does not know this model/u,
    ],
    ["the account owes money", answering(LISTED, endpointError(402)), /no credit left/u],
    [
      "the account with a list is empty",
      answering(LISTED, endpointError(429, "insufficient_quota")),
      /no credit left/u,
    ],
    [
      "a router reports that the key is refused",
      answering(OTHER, reportError(401)),
      /rejected the key/u,
    ],
    [
      "Gemini refuses the key, in a list and with status 400",
      answering(endpointError(400), {
        status: 400,
        body: JSON.stringify([{ error: { code: 400, message: "API key not valid." } }]),
      }),
      /rejected the key/u,
    ],
    [
      "the words alone say that the model is unknown",
      answering(endpointError(404), {
        status: 400,
        body: JSON.stringify({ message: "Invalid model: m" }),
      }),
      /does not know this model/u,
    ],
  ])("finds a model unusable where %s", async (_, script, reason) => {
    const { found, paths } = await check(script);

    expect(found).toEqual({ kind: "unusable", reason: expect.stringMatching(reason) });
    expect(JSON.stringify(found)).not.toContain("sk-1234");
    expect(paths).toEqual(BOTH);
  });

  test("names the three nearest of a list without the model, where the endpoint refuses it", async () => {
    const list = buildModelList("gpt-4.1", "qwen3:8b", "gpt-4.1-nano", "gpt-4o-mini", "whisper");
    const { found, paths } = await check(answering(list, endpointError(404)), "gpt-4.1-mini");

    expect(found).toEqual({
      kind: "unusable",
      reason: expect.stringMatching(
        /^Cannot use model "gpt-4\.1-mini" at 127\.0\.0\.1:\d+: .+ nearest are "gpt-4o-mini", "gpt-4\.1-nano", "gpt-4\.1"; check OPENAI_MODEL/u,
      ),
    });
    expect(paths).toEqual(BOTH);
  });

  test("asks one token of every model, and finds the one that is refused", async () => {
    const { url, requests } = await serveEndpoint(({ path, body }) => {
      if (path === "/models") return endpointError(404);
      if (body.includes('"slow"')) return "silence";
      return body.includes('"gone"') ? endpointError(404, "model_not_found") : DONE;
    });
    const { model } = readConfig({
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "slow",
      CONCIERGE_MODEL_REPLY: "gone",
      CONCIERGE_MODEL_MAPPER: "m",
    });
    const found = await checkModel(model, { dataDir: await makeFolder(), seconds: 0.3 });

    expect(found).toEqual({ kind: "unusable", reason: expect.stringMatching(/^.+ model "gone"/u) });
    expect(requests).toHaveLength(4);
  });

  test("asks nothing of a model that Ollama lists, which it would load with another window", async () => {
    const { url, asked } = await serveOllama("m:latest");
    const found = await checkModel(readModel(url), { dataDir: await makeFolder() });

    expect(found).toEqual({ kind: "usable" });
    expect(asked).not.toContain("/v1/chat/completions");
  });

  test("asks a model that Ollama does not list, and names the nearest", async () => {
    const { url } = await serveOllama("qwen3:4b");
    const found = await checkModel(readModel(url, "qwen3:8b"), { dataDir: await makeFolder() });

    expect(found).toMatchObject({
      kind: "unusable",
      reason: expect.stringContaining('the nearest are "qwen3:4b"'),
    });
  });

  test("remembers no completion that did not come", async () => {
    const { url, requests } = await serveEndpoint(answering(LISTED, "silence"));
    const dataDir = await makeFolder();
    const checkOnce = () => checkModel(readModel(url), { dataDir, seconds: 0.3 });
    await checkOnce();
    await checkOnce();

    expect(requests.map(({ path }) => path)).toEqual([...BOTH, ...BOTH]);
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

/** Checks the model "m" with experts at an endpoint that knows only the model "e" and the key "sk-e". */
async function checkExperts(experts: readonly object[]) {
  const main = await serveEndpoint(answering(LISTED, DONE));
  const away = await serveEndpoint(({ path, body }) => {
    if (path === "/models") return buildModelList("e");
    return body.includes('"e"') ? DONE : endpointError(404, "model_not_found");
  });
  const list = experts.map((expert) => ({ baseUrl: away.url, ...expert }));
  const { model } = readConfig({
    OPENAI_API_KEY: "sk-1234",
    OPENAI_BASE_URL: main.url,
    OPENAI_MODEL: "m",
    CONCIERGE_EXPERTS: JSON.stringify(list),
  });
  const dataDir = await makeFolder();
  const checkAt = (now: number) => checkModel(model, { dataDir, seconds: 0.3, now: () => now });
  return { main, away, checkAt };
}

describe("checkModel() of experts", () => {
  test("names the entry of one whose model is not known, and lets the program start", async () => {
    const { checkAt } = await checkExperts([
      { id: "good", model: "e" },
      { id: "risk", model: "typo" },
    ]);

    expect(await checkAt(0)).toEqual({
      kind: "usable",
      warnings: [expect.stringMatching(/model "typo".*check "model" in the entry "risk"/u)],
    });
  });

  test("warns of an endpoint that cannot be reached", async () => {
    const { checkAt } = await checkExperts([
      { id: "away", model: "e", baseUrl: "http://127.0.0.1:1/v1" },
    ]);

    expect(await checkAt(0)).toMatchObject({
      kind: "usable",
      warnings: [expect.stringContaining('check "baseUrl" in the entry "away"')],
    });
  });

  test("asks each model for one token an hour, and none that a role has", async () => {
    const { main, away, checkAt } = await checkExperts([
      { id: "one", model: "e" },
      { id: "two", model: "e", lens: "What can go wrong?" },
      { id: "here", model: "m", baseUrl: null },
    ]);

    const found = [await checkAt(0), await checkAt(1)];

    expect(found).toEqual([{ kind: "usable" }, { kind: "usable" }]);
    const completions = [main, away].map(
      ({ requests }) => requests.filter(({ path }) => path === "/chat/completions").length,
    );
    expect(completions).toEqual([1, 1]);
  });

  test("is told to the log of a server, which watches nothing then", async () => {
    const { checkAt } = await checkExperts([{ id: "risk", model: "typo" }]);
    const warned: string[] = [];
    const log = { warn: (line: string) => warned.push(line), info: () => {}, error: () => {} };

    await watchModel({ found: await checkAt(0), check: () => checkAt(0), log })();

    expect(warned).toEqual([expect.stringContaining('the entry "risk"')]);
  });
});
