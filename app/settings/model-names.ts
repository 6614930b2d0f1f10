import type { NamedModels } from "../../models/config.ts";
import type { SettingValues } from "./settings.ts";

/** Returns the endpoint and the models that settings name. */
export function modelNames(values: SettingValues): NamedModels {
  return {
    baseUrl: values.OPENAI_BASE_URL.value,
    model: values.OPENAI_MODEL.value,
    roles: {
      understand: values.CONCIERGE_MODEL_UNDERSTAND.value,
      think: values.CONCIERGE_MODEL_THINK.value,
      act: values.CONCIERGE_MODEL_ACT.value,
      reply: values.CONCIERGE_MODEL_REPLY.value,
      summarize: values.CONCIERGE_MODEL_SUMMARIZE.value,
      concierge: values.CONCIERGE_MODEL_CONCIERGE.value,
      expert: values.CONCIERGE_MODEL_EXPERT.value,
      mapper: values.CONCIERGE_MODEL_MAPPER.value,
    },
  };
}
