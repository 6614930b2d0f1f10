import { loadConfig, type Config } from "../../app/config.ts";
import { chooseModel, SIMULATED, toModelOption } from "../../app/open-models.ts";
import { UsageError } from "../../app/usage-error.ts";
import { isModelMissing, type ModelConfig } from "../../models/config.ts";

/** The word for the models that the settings name. */
export const CONFIGURED = "configured";

/** The settings, and the model that plays. */
export interface PlayedModel {
  readonly settings: Config;
  readonly config: ModelConfig;
}

/**
 * Loads the model that plays in place of scripts: `configured`, `simulated`, or the name of one at
 * the configured endpoint.
 *
 * @throws UsageError where none is configured.
 */
export function loadPlayedModel(
  choice: string,
  command: "simulate" | "evaluate" = "simulate",
): PlayedModel {
  const named = choice === CONFIGURED ? null : choice;
  const options = toModelOption(named);
  const settings = loadConfig(command, {
    allowsSimulated: named === SIMULATED,
    ...(options === null ? {} : { options }),
  });
  const config = chooseModel(settings.model, named);
  if (!isModelMissing(config)) return { settings, config };
  throw new UsageError(
    "Cannot play with the configured model: none is set; set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL",
  );
}
