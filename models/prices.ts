import { z } from "zod";
import type { Usage } from "../state/model.ts";
import known from "./prices.json" with { type: "json" };

const amount = z.number().nonnegative();

/** Prices of a million tokens of a model, in units of the currency. */
export const PriceSchema = z.strictObject({
  /** Part of a model's name, or a whole one; `*` stands for anything. */
  model: z.string().min(1),
  input: amount,
  /** Input that the endpoint served from its prompt cache. */
  cached: amount,
  output: amount,
});
export type Price = z.infer<typeof PriceSchema>;

/** A price list. `date`: `YYYY-MM-DD`, the day the prices were looked up. */
export const PriceListSchema = z.strictObject({
  currency: z.literal("USD"),
  date: z.iso.date(),
  prices: z.array(PriceSchema),
});
export type PriceList = z.infer<typeof PriceListSchema>;

/** The prices that come with the program. They change: a person's own list wins. */
export const KNOWN_PRICES: PriceList = PriceListSchema.parse(known);

const FREE: Omit<Price, "model"> = { input: 0, cached: 0, output: 0 };

/** The facts that decide the price of a model. */
export interface PricedModel {
  readonly model: string;
  /** True for an endpoint on this machine, which costs nothing. */
  readonly local: boolean;
}

/**
 * Returns the price of a model: its own list's before the known one's, the longest pattern first;
 * null where none is known.
 *
 * @example
 * findPrice({ model: "llama3.3", local: true }, []); // { model: "llama3.3", input: 0, cached: 0, output: 0 }
 */
export function findPrice({ model, local }: PricedModel, own: readonly Price[]): Price | null {
  const listed = findListed(model, own);
  if (listed !== null) return listed;
  if (local) return { model, ...FREE };
  return findListed(model, KNOWN_PRICES.prices);
}

function findListed(model: string, prices: readonly Price[]): Price | null {
  const fitting = prices
    .filter((price) => fits(model.toLowerCase(), price.model.toLowerCase()))
    .toSorted((a, b) => b.model.length - a.model.length);
  return fitting[0] ?? null;
}

/** Names of dated versions begin with the model's: `gpt-4.1-mini-2025-04-14`. */
function fits(model: string, pattern: string): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^(?:[a-z-]+/)?${source}(?:-\\d{4}-\\d{2}-\\d{2})?$`).test(model);
}

/**
 * Returns the cost of tokens in millionths of the currency, rounded up: a call is never free by rounding.
 *
 * @example
 * computeCost({ input: 1_000, cached: 400, output: 100 }, { model: "m", input: 1, cached: 0.1, output: 4 }); // 1040
 */
export function computeCost(usage: Usage, price: Price): number {
  const fresh = Math.max(0, usage.input - usage.cached);
  // A price of a million tokens is millionths a token.
  return Math.ceil(
    fresh * price.input + usage.cached * price.cached + usage.output * price.output - 1e-9,
  );
}
