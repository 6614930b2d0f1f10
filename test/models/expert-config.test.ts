import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readModelConfig } from "../../app/model-config.ts";
import { UsageError } from "../../app/usage-error.ts";
import { readExperts } from "../../models/expert-config.ts";

const folder = await mkdtemp(join(tmpdir(), "experts-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function saveFile(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const PLAIN = { lens: null, baseUrl: null, apiKey: null, apiKeyEnv: null };

test("readExperts() reads a list with everything an entry may hold", () => {
  const entries = [
    { id: "risk", model: "large" },
    {
      id: "Kosten_2",
      model: " local ",
      lens: " What does it cost? ",
      baseUrl: "http://localhost:11434/v1",
      apiKeyEnv: "COST_KEY",
    },
    { id: "bare", model: "small", lens: null, baseUrl: null, apiKeyEnv: null },
  ];

  expect(readExperts(JSON.stringify(entries), { COST_KEY: " sk-cost " })).toEqual([
    { ...PLAIN, id: "risk", model: "large" },
    {
      id: "Kosten_2",
      model: "local",
      lens: "What does it cost?",
      baseUrl: "http://localhost:11434/v1",
      apiKey: "sk-cost",
      apiKeyEnv: "COST_KEY",
    },
    { ...PLAIN, id: "bare", model: "small" },
  ]);
});

test.each([
  ["experts.json", '\uFEFF[{"id": "risk", "model": "large"}]'],
  ["experts.yaml", "- id: risk\n  model: large # the best there is\n"],
  ["experts", '[{"id": "risk", "model": "large"}]'],
])("readExperts() reads the file %s", async (name, content) => {
  const path = await saveFile(name, content);

  expect(readExperts(path, {})).toEqual([{ ...PLAIN, id: "risk", model: "large" }]);
});

const FORMS =
  'a JSON list such as [{"id": "risk", "model": "gpt-4.1", "lens": "What can go wrong?"}], or the path of a JSON or YAML file with one';
const MAY = 'it must hold "id" and "model", and may hold "lens", "baseUrl" and "apiKeyEnv"';

test.each<[unknown, string]>([
  [[], `it must list 1 to 64 experts; write ${FORMS}`],
  [{ id: "risk", model: "large" }, `it must list 1 to 64 experts; write ${FORMS}`],
  [
    Array.from({ length: 65 }, (_, index) => ({ id: `e${index}`, model: "large" })),
    `it must list 1 to 64 experts; write ${FORMS}`,
  ],
  [["large"], `entry 1: ${MAY}`],
  [
    [{ id: "the risk", model: "large" }],
    'entry 1 ("the risk"): "id" must be 1 to 40 letters, digits, "-" or "_"',
  ],
  [
    ["a", "b", "a"].map((id) => ({ id, model: "large" })),
    'entry 3 ("a"): its "id" is that of entry 1; give each its own',
  ],
  [
    [{ id: "a", model: "large", baseUrl: "localhost:11434" }],
    'entry 1 ("a"): "baseUrl" must be a URL that begins with "http://" or "https://"',
  ],
  [
    [{ id: "a", model: "large", apiKeyEnv: "ABSENT_KEY" }],
    'entry 1 ("a"): "apiKeyEnv" names ABSENT_KEY, which is not set; set it, or leave "apiKeyEnv" out',
  ],
  [
    [{ id: "a", model: "large", apiKeyEnv: "gsk_very0secret" }],
    'entry 1 ("a"): "apiKeyEnv" must be the name of an environment variable, in capitals',
  ],
  [[{ id: "a", model: "large", temper: 1 }], `entry 1 ("a"): there is no setting "temper": ${MAY}`],
  [
    [{ id: "a", model: "large", apiKey: "very0secret" }],
    `entry 1 ("a"): there is no setting "apiKey": ${MAY}; keep the key in a variable, and name that as "apiKeyEnv"`,
  ],
])("readExperts() says what is wrong with %j", (entries, found) => {
  expect(() => readExperts(JSON.stringify(entries), { EMPTY_KEY: " " })).toThrow(
    new TypeError(found),
  );
});

test("readExperts() names a file that is not there", () => {
  expect(() => readExperts("nowhere/experts.yaml", {})).toThrow(
    new TypeError(`the file "nowhere/experts.yaml" cannot be read (ENOENT); write ${FORMS}`),
  );
});

test.each([
  ["broken.json", '[\n{"id": "a" "apiKey": "very0secret"}]', "JSON (at position 13)"],
  ["broken.yaml", '- id: "a\n- apiKey: very0secret\n', "YAML (line 3)"],
])(
  "readExperts() says where %s is broken, and quotes nothing of it",
  async (name, content, what) => {
    const path = await saveFile(name, content);

    expect(() => readExperts(path, {})).toThrow(
      new TypeError(`it is not valid ${what}; write ${FORMS}`),
    );
  },
);

test("readModelConfig() reads the experts, and gives the simulated model none", () => {
  const CONCIERGE_EXPERTS = '[{"id": "risk", "model": "large"}]';

  const { experts } = readModelConfig({ OPENAI_API_KEY: "sk-key", CONCIERGE_EXPERTS }) as {
    experts?: unknown;
  };

  expect(experts).toEqual([{ ...PLAIN, id: "risk", model: "large" }]);
  expect(readModelConfig({ CONCIERGE_EXPERTS })).toEqual({ kind: "simulated" });
  expect(() => readModelConfig({ CONCIERGE_EXPERTS: "[]" })).toThrow(
    new UsageError(
      `CONCIERGE_EXPERTS (environment) cannot be used: it must list 1 to 64 experts; write ${FORMS}`,
    ),
  );
});
