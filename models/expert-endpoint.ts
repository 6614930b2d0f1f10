import type { OpenAIConfig } from "./config.ts";
import type { ExpertConfig } from "./expert-config.ts";
import type { SettingNames } from "./failures/diagnose.ts";

/** Names the settings to check when an expert cannot be called: its own entry where that overrides the shared ones. */
export function nameSettings({ id, baseUrl, apiKeyEnv }: ExpertConfig): SettingNames {
  const entry = `the entry "${id}" of CONCIERGE_EXPERTS`;
  const url = baseUrl === null ? "OPENAI_BASE_URL" : `"baseUrl" in ${entry}`;
  const shared = baseUrl === null ? "OPENAI_API_KEY" : `"apiKeyEnv" in ${entry}`;
  const model = `"model" in ${entry}`;
  return { model, models: model, url, key: apiKeyEnv ?? shared };
}

/** Returns the endpoint and key of an expert. */
export function expertEndpoint(
  expert: ExpertConfig,
  config: OpenAIConfig,
): Pick<OpenAIConfig, "baseUrl" | "apiKey"> {
  const baseUrl = expert.baseUrl ?? config.baseUrl;
  const shared = new URL(baseUrl).origin === new URL(config.baseUrl).origin;
  return { baseUrl, apiKey: expert.apiKey ?? (shared ? config.apiKey : null) };
}

/** Collects every key of a configuration: an endpoint may quote the one it was sent, and a proxy any of them. */
export function collectSecrets({ apiKey, experts = [] }: OpenAIConfig): readonly string[] {
  return [apiKey, ...experts.map((expert) => expert.apiKey)].filter((key) => key !== null);
}
