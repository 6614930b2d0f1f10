import { expect, test } from "vitest";
import { limitsWith } from "../../../state/limits.ts";
import type { ModelProfileStore } from "../../../state/model.ts";
import { planProbe } from "../../../cli/models/plan-probe.ts";
import { renderReport } from "../../../cli/models/render-models.ts";
import { fetchServed, suggestModels } from "../../../models/servers/find-served.ts";
import { createOpenAIModels, listConfiguredModels } from "../../../models/client/openai.ts";
import type { ProfileTraits } from "../../../models/profile/profile.ts";
import { runProbe, type ProbeReport } from "../../../models/probe/run-probe.ts";
import { memoryProfiles } from "../../support/memory-profiles.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { startProbedEndpoint, type EndpointCharacter } from "../../support/probed-endpoint.ts";

interface Probing {
  readonly baseUrl: string;
  readonly store?: ModelProfileStore;
  readonly seconds?: number;
}

/** Probes an endpoint as `npm run models -- test` does; the block without port and speed, which differ from run to run. */
async function probe({ baseUrl, store = memoryProfiles(), seconds = 60 }: Probing) {
  const config = openAIConfig(baseUrl, { apiKey: "sk-mine" });
  const [model] = listConfiguredModels(config, { store });
  if (model === undefined) throw new Error("Cannot probe: no model is configured");
  const plan = await planProbe(model, { limits: limitsWith({}, { local: true }), window: false });
  const served = await fetchServed(model);
  const report = await runProbe(model, { plan, seconds });
  const suggested = suggestModels(model.name, served.models ?? []);
  const isUnknown = failureCode(report) === "model_unknown";
  const reported = { model, served, suggested: isUnknown ? suggested : [], seconds };
  const block = renderReport(report, reported)
    .replaceAll(/127\.0\.0\.1:\d+( *)(?=tier)/g, "HOST  ")
    .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
    .replaceAll(/ {2,}(?=tier)/g, "  ")
    .replaceAll(/^ {2}speed.*\n/gm, "");
  return { report, block, plan };
}

function failureCode({ done }: ProbeReport): string | null {
  const outcome = done[0]?.outcome;
  return outcome?.kind === "failed" ? outcome.error.code : null;
}

/** The fields that were probed, with their values. */
function probedTraits({ profile }: ProbeReport): Partial<ProfileTraits> {
  const { endpoint: _endpoint, model: _model, dialect: _dialect, evidence, ...traits } = profile;
  const entries = Object.entries(traits).filter(([name]) =>
    Object.entries(evidence).some(([known, { source }]) => known === name && source === "probed"),
  );
  return Object.fromEntries(entries);
}

const FULL = {
  structured: "json_schema",
  tools: "required",
  strict: true,
  streams: true,
  reasoningControl: "none",
  promptCache: "unreported",
  contextWindow: 16_384,
} as const;

const USUAL_BLOCK = `gpt-test at HOST  tier: full
  models               1 listed, this one among them
  structured answers   json_schema; also all others             probed
  tool calls           required, several at once                probed
  streaming            in pieces                                probed
  thinking             none seen                                probed
  cached tokens        none of the same prompt twice            probed
  window               16,384 (at least; more was not tried)    probed
  Understand 3 of 3, Think 3 of 3 answers valid                 usable
`;

/** The usual block with lines that are other than usual, each in the place of the line that begins alike. */
function changeBlock(...lines: readonly string[]): string {
  return lines.reduce((block, line) => {
    const usual = new RegExp(`^${line.slice(0, 13)}.*$`, "m");
    if (!usual.test(block))
      throw new RangeError(`Cannot change the line "${line}": it is not usual`);
    return block.replace(usual, () => line);
  }, USUAL_BLOCK);
}

const CHARACTERS: readonly (readonly [
  name: string,
  character: EndpointCharacter,
  traits: Partial<ProfileTraits>,
  block: string,
])[] = [
  [
    "can do everything",
    { caches: true },
    { ...FULL, promptCache: "reported" },
    changeBlock("  cached tokens        counted                                  probed"),
  ],
  [
    "ignores json_schema",
    { ignoresSchema: true, ollama: "0.32" },
    { ...withoutStrict(FULL), structured: "json_object" },
    changeBlock(
      "gpt-test at HOST (Ollama 0.32)  tier: full",
      "  structured answers   json_schema is ignored, tool is ignored → json_object  probed",
    ),
  ],
  [
    "refuses tools",
    { refusesTools: true },
    { ...FULL, tools: "union" },
    changeBlock(
      "  structured answers   json_schema; also json_object, text      probed",
      "  tool calls           required is refused → union, one at once probed",
    ),
  ],
  [
    "answers a required call with words",
    { ignoresTools: true },
    { ...FULL, tools: "union" },
    changeBlock(
      "  structured answers   json_schema; also json_object, text      probed",
      "  tool calls           required is ignored → union, one at once probed",
    ),
  ],
  [
    "thinks between tags",
    { thinks: true },
    { ...FULL, reasoningStyle: "tags", reasoningControl: "template", allowance: 4_096 },
    changeBlock("  thinking             tags, can be switched off                probed"),
  ],
  [
    "cuts prompts without a word",
    { window: 4_096, ollama: "0.32" },
    { ...FULL, contextWindow: 4_096 },
    changeBlock(
      "gpt-test at HOST (Ollama 0.32)  tier: small",
      "  window               4,096 (a longer prompt lost its beginning): set OLLAMA_CONTEXT_LENGTH=8192",
    ),
  ],
  [
    "has a model whose answers to Understand are wrong",
    { understand: { reasoning: "No idea." } },
    { ...FULL, tier: "small" },
    changeBlock(
      "gpt-test at HOST  tier: small",
      `  Understand 0 of 3, Think 3 of 3 answers valid                 not usable
  To do first: choose another model: no answer to the prompt of Understand was valid.`,
    ),
  ],
];

function withoutStrict({ strict: _strict, ...traits }: typeof FULL) {
  return traits;
}

test.each(CHARACTERS)(
  "runProbe() finds out about an endpoint that %s",
  async (_, character, traits, block) => {
    const { baseUrl } = await startProbedEndpoint(character);

    const probed = await probe({ baseUrl });

    expect(probed.block).toBe(block);
    expect(probedTraits(probed.report)).toEqual(traits);
  },
);

test("runProbe() teaches the next process how to ask", async () => {
  const store = memoryProfiles();
  const { baseUrl, requests } = await startProbedEndpoint({ ignoresSchema: true });
  await probe({ baseUrl, store });
  const before = requests.length;

  const { think } = createOpenAIModels(openAIConfig(baseUrl), { store });
  await think.complete(modelRequest({ schema: DECISION }));

  expect(requests.slice(before)).toMatchObject([{ response_format: { type: "json_object" } }]);
});

test.each([
  [{ lacks: ["stream_options"] }, { streamUsage: false, streams: true }, "in pieces"],
  [{ lacks: ["stream"] }, { delivery: "whole", streams: false }, "is refused → whole answers"],
  [{ delivers: "whole" }, { streams: false }, "is ignored → whole answers"],
  [{ delivers: "streamed" }, { delivery: "streamed", streams: true }, "in pieces"],
  [{ lacks: ["system"] }, { systemRole: false, streams: true }, "in pieces"],
] satisfies readonly (readonly [EndpointCharacter, Partial<ProfileTraits>, string])[])(
  "runProbe() teaches the next process, until the next probe, how an endpoint that %j gives words",
  async (character, traits, words) => {
    const store = memoryProfiles();
    const endpoint = await startProbedEndpoint(character);
    const { baseUrl, requests } = endpoint;

    const { report, block } = await probe({ baseUrl, store });
    const before = requests.length;
    const { reply } = createOpenAIModels(openAIConfig(baseUrl), { store });
    const pieces: string[] = [];
    const answer = await reply.complete(modelRequest({ onText: (text) => pieces.push(text) }));
    const after = requests.length;
    endpoint.change({});
    const { report: cured } = await probe({ baseUrl, store });

    expect(report.verdict).toEqual({ kind: "usable", judged: "valid" });
    expect(probedTraits(report)).toEqual({ ...FULL, ...traits });
    expect(block).toMatch(new RegExp(`streaming +${words} +probed`));
    expect([answer.text, pieces.join(""), after - before]).toEqual(["75", "75", 1]);
    expect(cured.profile).toMatchObject({
      streams: true,
      delivery: "either",
      streamUsage: true,
      systemRole: true,
    });
  },
);

test("runProbe() finds a model unusable whose streams break off: every reply in words is one", async () => {
  const { baseUrl } = await startProbedEndpoint({ breaksStreams: true });

  const { report, block } = await probe({ baseUrl });

  expect(report.verdict.kind).toBe("failed");
  expect(block).toContain("not usable");
  expect(block.replaceAll(/\s+/g, " ")).toContain(
    "the connection ended in the middle of the answer",
  );
});

test("runProbe() finds a model no longer small once its answers are valid", async () => {
  const store = memoryProfiles();
  const endpoint = await startProbedEndpoint({ understand: { reasoning: "No idea." } });
  const { report: first } = await probe({ baseUrl: endpoint.baseUrl, store });
  endpoint.change({});

  const { report } = await probe({ baseUrl: endpoint.baseUrl, store });

  expect([first.profile.tier, report.profile.tier]).toEqual(["small", "full"]);
});

test("runProbe() stops at a rejected key, and leaves the profile as it was", async () => {
  const { baseUrl, requests } = await startProbedEndpoint({ key: "sk-another" });

  const { report, block } = await probe({ baseUrl });

  expect(block).toBe(`gpt-test at HOST  tier: small
  the key is rejected                                           not usable
  Cannot get an answer from model "gpt-test" at HOST: the endpoint rejected the key (401,
  invalid_api_key); check OPENAI_API_KEY, and that it belongs to OPENAI_BASE_URL.
`);
  expect(probedTraits(report)).toEqual({});
  expect(requests).toEqual([]);
});

test("runProbe() stops at an unknown model, and the nearest names are listed", async () => {
  const models = ["llama3.3", "gpt-tests", "gpt-test-2"];
  const { baseUrl } = await startProbedEndpoint({ models });

  const { report, block } = await probe({ baseUrl });

  expect(failureCode(report)).toBe("model_unknown");
  expect(block.replaceAll(/\s+/g, " ")).toContain(
    'check OPENAI_MODEL and the CONCIERGE_MODEL_ settings; the endpoint lists "gpt-tests", "gpt-test-2".',
  );
});

test.each([
  ["This model's maximum context length is 5120 tokens.", 5_120],
  ["The prompt is too long.", 4_096],
])("runProbe() reads the window from a refusal: %s", async (words, contextWindow) => {
  const { baseUrl } = await startProbedEndpoint({ refusesAbove: { tokens: 5_000, words } });

  const { report, block } = await probe({ baseUrl });

  expect(probedTraits(report)).toEqual({ ...FULL, contextWindow });
  expect(block).toContain("(a longer prompt is refused): set the window of its server to 8192");
});

test("runProbe() learns nothing from a call that found no place", async () => {
  const { baseUrl } = await startProbedEndpoint({ limitAfter: 1 });

  const { report, block } = await probe({ baseUrl });

  expect(report.verdict.kind).toBe("failed");
  expect(probedTraits(report)).toEqual({});
  expect(block).toContain("too many requests");
});

test("runProbe() says that nothing is listening", async () => {
  const { report, block } = await probe({ baseUrl: "http://127.0.0.1:9/v1" });

  expect(failureCode(report)).toBe("model_unreachable");
  expect(block).toContain(
    "nothing answers at this address                               not usable",
  );
});

test("runProbe() ends in time at an endpoint that goes silent, keeps what it knows and names the rest", async () => {
  const { baseUrl } = await startProbedEndpoint({ answers: 5 });

  const { report, block } = await probe({ baseUrl, seconds: 3 });

  expect(report).toMatchObject({ isLate: true, verdict: { kind: "usable", judged: "partly" } });
  expect(probedTraits(report)).toEqual({
    structured: "json_schema",
    strict: true,
    tools: "required",
    streams: true,
  });
  expect(block.replaceAll(/\s+/g, " ")).toContain(
    "Not tried within 3 s: structured answers by tool, json_object, text, thinking on and off, Understand, Think, cached tokens, the window.",
  );
});
