import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { chooseBudget, chooseLimits, openModels } from "../../app/open-models.ts";
import { readPrices } from "../../app/read-prices.ts";
import { UsageError } from "../../app/usage-error.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "concierge-prices-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writePrices(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const LIST = {
  currency: "USD",
  date: "2026-01-31",
  prices: [{ model: "mine", input: 1, cached: 0.1, output: 4 }],
};

test("readPrices() reads a list", async () => {
  const file = await writePrices("good.json", `\uFEFF${JSON.stringify(LIST)}`);

  expect(await readPrices(file)).toEqual(LIST.prices);
});

test.each([
  [
    "no.json",
    null,
    /^Cannot read the prices in ".*no\.json" \(ENOENT\): correct CONCIERGE_PRICES/u,
  ],
  ["text.json", "gpt 1 2", /: it is not JSON; write \{"currency"/u],
  ["list.json", "[]", /: the file: Invalid input: expected object, received array; write/u],
  [
    "euro.json",
    JSON.stringify({ ...LIST, currency: "EUR" }),
    /: currency: Invalid input: expected "USD"; write/u,
  ],
  [
    "minus.json",
    JSON.stringify({ ...LIST, prices: [{ ...LIST.prices[0], output: -1 }] }),
    /: prices\.0\.output: Too small/u,
  ],
])("readPrices() says what is wrong with %s", async (name, text, message) => {
  const file = text === null ? join(folder, name) : await writePrices(name, text);

  const refused = readPrices(file);

  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(message);
});

const ENV = { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: "https://models.example/v1" };

test("openModels() refuses a budget of money for a model without a price", async () => {
  const { model } = readConfig({
    ...ENV,
    OPENAI_MODEL: "mine",
    CONCIERGE_MODEL_THINK: "gpt-4.1",
    CONCIERGE_BUDGET: "thread=$1",
  });

  await expect(openModels(model)).rejects.toEqual(
    new UsageError(
      'Cannot keep to CONCIERGE_BUDGET: no price is known for "mine", so a budget of money would never be reached; give tokens, as in thread=100000t, or name prices in CONCIERGE_PRICES',
    ),
  );
});

test.each([
  ["a price of one's own", { CONCIERGE_BUDGET: "turn=$1", OPENAI_MODEL: "mine", prices: true }],
  ["a budget of tokens", { CONCIERGE_BUDGET: "thread=9t", OPENAI_MODEL: "mine" }],
  ["a known price", { CONCIERGE_BUDGET: "thread=$1", OPENAI_MODEL: "gpt-4.1" }],
  [
    "a model on this machine",
    { CONCIERGE_BUDGET: "thread=$1", OPENAI_MODEL: "x", OPENAI_BASE_URL: "http://localhost:1/v1" },
  ],
])("openModels() takes %s", async (_what, { prices = false, ...settings }: Settings) => {
  const file = await writePrices("own.json", JSON.stringify(LIST));
  const { model } = readConfig({
    ...ENV,
    ...settings,
    ...(prices ? { CONCIERGE_PRICES: file } : {}),
  });

  expect((await openModels(model)).models.reply.name).toBe(settings["OPENAI_MODEL"]);
});

type Settings = { readonly prices?: boolean } & Record<string, string | boolean | undefined> &
  Readonly<Record<"OPENAI_MODEL" | "CONCIERGE_BUDGET", string>>;

test("chooseLimits() makes a turn's budget of tokens its limit, and chooseBudget() keeps money", () => {
  const tokens = readConfig({ ...ENV, OPENAI_MODEL: "m", CONCIERGE_BUDGET: "turn=5000t" });
  const money = readConfig({ ...ENV, OPENAI_MODEL: "m", CONCIERGE_BUDGET: "turn=$2,thread=$3" });

  expect(chooseLimits(tokens).tokensPerTurn).toBe(5_000);
  expect(chooseLimits(money).tokensPerTurn).toBe(60_000);
  expect(chooseBudget(money)).toEqual({
    turn: { micros: 2_000_000 },
    thread: { micros: 3_000_000 },
  });
  expect(chooseBudget({ model: { kind: "simulated" } })).toEqual({ turn: null, thread: null });
});
