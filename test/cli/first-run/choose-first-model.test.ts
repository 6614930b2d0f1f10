import { expect, test } from "vitest";
import type { ModelChoice } from "../../../app/model-file.ts";
import type { KeyToCheck, KeyVerdict } from "../../../cli/chat/first-run/check-key.ts";
import { chooseFirstModel } from "../../../cli/chat/first-run/choose-first-model.ts";
import type { FoundServer } from "../../../models/servers/find-servers.ts";
import { virtualTerminal } from "../../support/virtual-terminal.ts";

const OLLAMA: FoundServer = {
  kind: "Ollama",
  baseUrl: "http://127.0.0.1:11434/v1",
  models: [
    { name: "qwen3:4b", parameters: 4, traits: {} },
    { name: "llama3.3:latest", parameters: 70.6, traits: {} },
    { name: "gemma3:12b", parameters: null, traits: {} },
  ],
};
const LLAMA: FoundServer = {
  kind: "llama.cpp",
  baseUrl: "http://127.0.0.1:8080/v1",
  models: [{ name: "gemma-3", parameters: null, traits: { contextWindow: 16_384, slots: 4 } }],
};
const KEY = "sk-0123456789abcdefSECRET";

interface Stage {
  readonly servers?: readonly FoundServer[];
  readonly verdict?: KeyVerdict;
  /** The reason why nothing can be stored. */
  readonly failure?: string;
}

function open({ servers = [], verdict = { kind: "accepted", models: [] }, failure }: Stage = {}) {
  const terminal = virtualTerminal(100);
  const checked: KeyToCheck[] = [];
  const saved: unknown[] = [];
  const store = (value: ModelChoice | Readonly<Record<string, string>>): void => {
    if (failure !== undefined) throw new Error(failure);
    saved.push(value);
  };
  const chosen = chooseFirstModel(terminal, {
    servers,
    checkKey: async (key) => {
      checked.push(key);
      return verdict;
    },
    saveSettings: store,
    saveChoice: store,
  });
  return { terminal, chosen, checked, saved };
}

test("chooseFirstModel() shows what can be had, what was found on this computer first", async () => {
  const { terminal, chosen, saved } = open({ servers: [OLLAMA, LLAMA] });

  const shown = await terminal.see("> ");
  terminal.type("\r");

  expect(shown.split("\n")).toEqual([
    "No model is set. The assistant needs one to understand free text.",
    "  1  Ollama on this computer: qwen3:4b, 2 more       4B parameters",
    "  2  llama.cpp on this computer: gemma-3             reads 16,384 tokens",
    "  3  An API key (OpenAI or any compatible endpoint)",
    "  4  Try without a model: simple commands only",
    'Choose 1–4 (Enter: 4), or set it later with "npm run models".',
    "> ",
  ]);
  expect(await chosen).toEqual({ kind: "none" });
  expect(saved).toEqual([{ endpoint: null, model: null, dialect: "simulated" }]);
});

test("chooseFirstModel() stores the model of a server, and its dialect", async () => {
  const { terminal, chosen, checked, saved } = open({ servers: [OLLAMA, LLAMA] });

  await terminal.see("> ");
  terminal.type("1\r");
  const listed = await terminal.see("(Enter: 1) ");
  terminal.type("llama3\r");
  const unknown = await terminal.see("(Enter: 1) ");
  terminal.type("3\r");

  expect(listed).toContain(
    "  1  qwen3:4b         4B parameters\n  2  llama3.3:latest  70.6B parameters\n  3  gemma3:12b\n",
  );
  expect(unknown).toContain('There is no model "llama3"');
  expect(await chosen).toEqual({
    kind: "chosen",
    values: { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "gemma3:12b" },
  });
  expect(saved).toEqual([
    { endpoint: "http://127.0.0.1:11434/v1", model: "gemma3:12b", dialect: "ollama" },
  ]);
  expect(checked).toEqual([]);
});

test("chooseFirstModel() takes the only model of a server without a further question", async () => {
  const { terminal, chosen, saved } = open({ servers: [LLAMA] });

  await terminal.see("> ");
  terminal.type("1\r");

  expect(await chosen).toMatchObject({ kind: "chosen" });
  expect(saved).toEqual([
    { endpoint: "http://127.0.0.1:8080/v1", model: "gemma-3", dialect: "chat" },
  ]);
});

test("chooseFirstModel() never shows a key, and saves it only where that is wanted", async () => {
  const { terminal, chosen, checked, saved } = open();

  await terminal.see("> ");
  terminal.type("1\r");
  await terminal.see("v1) ");
  terminal.type("\r");
  await terminal.see("Key (it is not shown): ");
  terminal.type(`${KEY}\r`);
  await terminal.see("Model (Enter: gpt-4.1-mini) ");
  terminal.type("\u001B[A\r");
  await terminal.see("readable by you only? (y/N) ");
  terminal.type("\r");

  expect(await chosen).toEqual({ kind: "chosen", values: { OPENAI_API_KEY: KEY } });
  expect(checked).toEqual([
    { baseUrl: "https://api.openai.com/v1", apiKey: KEY, model: "gpt-4.1-mini" },
  ]);
  expect(saved).toEqual([]);
  expect(terminal.rows().join("\n")).not.toContain(KEY.slice(0, 4));
});

test("chooseFirstModel() saves endpoint, model and key of another endpoint", async () => {
  const { terminal, chosen, saved } = open({
    verdict: { kind: "accepted", models: ["small", "large"] },
  });

  await terminal.see("> ");
  terminal.type("1\r");
  await terminal.see("v1) ");
  terminal.type("http://models.example/v1\r");
  const refused = await terminal.see("v1) ");
  terminal.type("https://models.example/v1\r");
  await terminal.see("shown): ");
  terminal.type(`${KEY}\r`);
  await terminal.see("Model: ");
  terminal.type("small\r");
  await terminal.see("(y/N) ");
  terminal.type("y\r");

  const values = {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: "https://models.example/v1",
    OPENAI_MODEL: "small",
  };
  expect(refused).toContain('begins with "https://"');
  expect(await chosen).toEqual({ kind: "chosen", values });
  expect(saved).toEqual([values]);
});

test.each<[string, KeyVerdict, string]>([
  ["is rejected", { kind: "rejected" }, "api.openai.com rejected the key."],
  ["cannot be checked", { kind: "unreachable" }, "api.openai.com cannot be reached"],
  ["belongs elsewhere", { kind: "unfit", status: 404 }, "(404): check the address"],
  [
    "has no such model",
    { kind: "accepted", models: ["gpt-4.1-nano", "\u001B[2Jx"] },
    'api.openai.com has no model "gpt-4.1-mini"; did you mean "gpt-4.1-nano"?',
  ],
])("chooseFirstModel() asks again where a key %s", async (_, verdict, sentence) => {
  const { terminal, chosen, saved } = open({ verdict });

  await terminal.see("> ");
  terminal.type("1\r");
  await terminal.see("v1) ");
  terminal.type("\r");
  await terminal.see("shown): ");
  terminal.type(`${KEY}\r`);
  await terminal.see("mini) ");
  terminal.type("\r");
  const shown = await terminal.see("> ");
  terminal.type("2\r");

  expect(shown).toContain(sentence);
  expect(await chosen).toEqual({ kind: "none" });
  expect(saved).toEqual([{ endpoint: null, model: null, dialect: "simulated" }]);
});

test("chooseFirstModel() checks no key with blanks, and none at all", async () => {
  const { terminal, chosen, checked } = open();

  for (const typed of ["", "two words"]) {
    // oxlint-disable-next-line no-await-in-loop -- One question after the other.
    await terminal.see("> ");
    terminal.type("1\r");
    // oxlint-disable-next-line no-await-in-loop
    await terminal.see("v1) ");
    terminal.type("\r");
    // oxlint-disable-next-line no-await-in-loop
    await terminal.see("shown): ");
    terminal.type(`${typed}\r`);
  }
  await terminal.see("> ");
  terminal.type("\r");
  await chosen;

  expect(checked).toEqual([]);
});

test("chooseFirstModel() goes on with a choice that cannot be stored, and says so", async () => {
  const { terminal, chosen } = open({ servers: [LLAMA], failure: "the disk is full" });

  await terminal.see("> ");
  terminal.type("1\r");
  const shown = await terminal.see("full\n");

  expect(shown).toContain("The choice could not be stored: the disk is full");
  expect(await chosen).toMatchObject({ kind: "chosen" });
});

test.each([
  ["Ctrl-C", "\u0003", 130],
  ["Ctrl-D", "\u0004", 0],
])("chooseFirstModel() leaves with %s, and stores nothing", async (_, key, exitCode) => {
  const { terminal, chosen, saved } = open();

  await terminal.see("> ");
  terminal.type(key);

  expect(await chosen).toEqual({ kind: "left", exitCode });
  expect(saved).toEqual([]);
});

test("chooseFirstModel() asks again for what is no number of a choice", async () => {
  const { terminal, chosen } = open();

  await terminal.see("> ");
  terminal.type("7\r");
  const first = await terminal.see("> ");
  terminal.type("key\r");
  const second = await terminal.see("> ");
  terminal.type("2\r");
  await chosen;

  expect([first, second].map((shown) => shown.includes("Type a number from 1 to 2."))).toEqual([
    true,
    true,
  ]);
});

test("chooseFirstModel() shows names of servers as plain text, shortened", async () => {
  const name = `\u001B]0;title\u0007${"long".repeat(30)}`;
  const hostile = { ...LLAMA, models: [{ name, parameters: null, traits: {} }] };
  const { terminal, chosen } = open({ servers: [hostile] });

  const shown = await terminal.see("> ");
  terminal.type("\r");
  await chosen;

  expect(shown.split("\n")[1]).toBe(
    `  1  llama.cpp on this computer: ]0;title${"long".repeat(30).slice(0, 31)}…`,
  );
});
