import { readFile } from "node:fs/promises";
import { isLoopback, type OpenAIConfig } from "../models/config.ts";
import { findPrice, PriceListSchema, type Price, type PricedModel } from "../models/prices.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads a person's own prices: a JSON file of the form of `models/prices.json`.
 *
 * @throws UsageError that names the file and what is wrong with it.
 */
export async function readPrices(file: string): Promise<readonly Price[]> {
  const list = PriceListSchema.safeParse(parseFile(await readText(file), file));
  if (list.success) return list.data.prices;
  const problems = list.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? "the file" : path.join(".")}: ${message}`,
  );
  throw new UsageError(`Cannot use the prices in "${file}": ${problems.join("; ")}; ${FORM}`);
}

const FORM =
  'write {"currency": "USD", "date": "2026-01-31", "prices": [{"model": "my-model", "input": 1, "cached": 0.1, "output": 4}]}, in dollars a million tokens';

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `Cannot read the prices in "${file}" (${reason}): correct CONCIERGE_PRICES, or leave it out for the program's prices`,
    );
  }
}

function parseFile(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    throw new UsageError(`Cannot use the prices in "${file}": it is not JSON; ${FORM}`);
  }
}

/**
 * Checks that a budget of money can be reached: every configured model has a price.
 *
 * @throws UsageError that names the models without one.
 */
export function assertPriced(config: OpenAIConfig, prices: readonly Price[]): void {
  const { turn, thread } = config.budget;
  if (![turn, thread].some((amount) => amount !== null && "micros" in amount)) return;
  const unpriced = listModels(config).filter((model) => findPrice(model, prices) === null);
  if (unpriced.length === 0) return;
  const names = [...new Set(unpriced.map(({ model }) => `"${model}"`))].join(", ");
  throw new UsageError(
    `Cannot keep to CONCIERGE_BUDGET: no price is known for ${names}, so a budget of money would never be reached; give tokens, as in thread=100000t, or name prices in CONCIERGE_PRICES`,
  );
}

function listModels({ models, baseUrl, experts = [] }: OpenAIConfig): readonly PricedModel[] {
  return [
    ...Object.values(models).map((model) => ({ model, local: isLoopback(baseUrl) })),
    ...experts.map((expert) => ({
      model: expert.model,
      local: isLoopback(expert.baseUrl ?? baseUrl),
    })),
  ];
}
