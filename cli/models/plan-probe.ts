import { isLoopback } from "../../models/config.ts";
import type { ConfiguredModel } from "../../models/client/openai.ts";
import type { ProbePlan } from "../../models/probe/probe-steps.ts";
import type { Limits } from "../../state/limits.ts";
import { createNodeQuestions } from "./node-questions.ts";

/** The circumstances that decide the extent of a probe. */
export interface PlanOptions {
  readonly limits: Limits;
  /** True to search the window of a model that is not on this machine, too. */
  readonly window: boolean;
}

/** Plans the probe of a model. On this machine tokens cost nothing: they have no bound, and the window is searched. */
export async function planProbe(
  model: Pick<ConfiguredModel, "open" | "profile" | "baseUrl">,
  { limits, window }: PlanOptions,
): Promise<ProbePlan> {
  const { traits } = model.open({ profile: model.profile });
  const local = isLoopback(model.baseUrl);
  return {
    questions: traits === undefined ? [] : await createNodeQuestions(traits(), limits),
    tokens: local ? null : limits.probeTokens,
    window: window || local,
  };
}
