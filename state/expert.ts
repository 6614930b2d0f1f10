import type { ExpertProfile } from "./batch.ts";
import type { LanguageModel } from "./model.ts";

/** An expert, ready to be asked. */
export interface Expert extends ExpertProfile {
  readonly model: LanguageModel;
}
