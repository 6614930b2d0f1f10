import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../app/config.ts";
import {
  modelFilePath,
  NO_MODEL_CHOSEN,
  readModelFile,
  writeModelFile,
} from "../../app/model-file.ts";
import { UsageError } from "../../app/usage-error.ts";

const CHOICE = {
  endpoint: "http://127.0.0.1:11434/v1",
  model: "qwen3:4b",
  dialect: "ollama",
} as const;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "model-file-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Loads the configuration as a command with these variables would, whatever this process has. */
function load(dataDir: string, values: Record<string, string> = {}) {
  const none = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", OPENAI_MODEL: "" };
  return loadConfig("chat", {
    options: { values: { ...none, CONCIERGE_DATA_DIR: dataDir, ...values }, options: {} },
  });
}

test("writeModelFile() stores a choice for its owner only, in a folder that it makes", () => {
  const dataDir = join(makeFolder(), "of", "mine");

  writeModelFile(dataDir, NO_MODEL_CHOSEN);
  writeModelFile(dataDir, CHOICE);

  expect(readModelFile(dataDir)).toEqual(CHOICE);
  expect(readdirSync(dataDir)).toEqual(["model.json"]);
  expect(statSync(modelFilePath(dataDir)).mode & 0o777).toBe(0o600);
});

test("readModelFile() finds no choice where none was made", () => {
  expect(readModelFile(join(makeFolder(), "missing"))).toBe(null);
});

test.each([
  "{",
  "[]",
  '{"endpoint":"file:///etc","model":"m","dialect":"chat"}',
  '{"endpoint":"http://127.0.0.1/v1","model":"","dialect":"chat"}',
  '{"endpoint":null,"model":null,"dialect":"chat"}',
])("readModelFile() names a file that holds no choice: %s", (content) => {
  const dataDir = makeFolder();
  writeFileSync(modelFilePath(dataDir), content);

  expect(() => readModelFile(dataDir)).toThrow(
    new UsageError(
      `Cannot read the file "${modelFilePath(dataDir)}": it holds no choice of a model; remove it, and npm run chat asks again`,
    ),
  );
});

test("loadConfig() takes the stored choice where no endpoint is set", () => {
  const dataDir = makeFolder();
  writeModelFile(dataDir, CHOICE);

  expect(load(dataDir).model).toMatchObject({
    kind: "openai",
    apiKey: null,
    baseUrl: CHOICE.endpoint,
    models: { think: "qwen3:4b", expert: "qwen3:4b" },
    dialect: "ollama",
  });
  expect(load(dataDir, { OPENAI_MODEL: "llama3.3" }).model).toMatchObject({
    baseUrl: CHOICE.endpoint,
    models: { think: "llama3.3" },
  });
});

test("loadConfig() lets a key or an endpoint that is set win over the stored choice as a whole", () => {
  const dataDir = makeFolder();
  writeModelFile(dataDir, CHOICE);

  const models = [
    load(dataDir, { OPENAI_API_KEY: "sk-1" }).model,
    load(dataDir, { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_MODEL: "m" }).model,
  ];

  expect(models).toMatchObject([
    { apiKey: "sk-1", baseUrl: "https://api.openai.com/v1", models: { think: "gpt-4.1-mini" } },
    { apiKey: null, baseUrl: "http://127.0.0.1:1/v1", models: { think: "m" } },
  ]);
  expect(models.filter((model) => "dialect" in model)).toEqual([]);
});

test("loadConfig() counts the choice to go without a model as none", () => {
  const dataDir = makeFolder();
  writeModelFile(dataDir, NO_MODEL_CHOSEN);

  expect(load(dataDir).model).toEqual({ kind: "simulated" });
});
