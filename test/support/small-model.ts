import type { LanguageModel, ModelTraits } from "../../state/model.ts";

/** Traits of a small model about which nothing else is known. */
export const SMALL_TRAITS: ModelTraits = {
  tier: "small",
  endpoint: null,
  window: null,
  promptTokens: () => null,
  slots: 1,
  callMs: null,
  modelSeconds: null,
};

/** Returns a model that says of itself that it is small, with other traits where they are given. */
export function asSmall<T extends LanguageModel>(model: T, traits: Partial<ModelTraits> = {}): T {
  return { ...model, traits: () => ({ ...SMALL_TRAITS, ...traits }) };
}
