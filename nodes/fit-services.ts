import { fitLimits } from "../state/limits.ts";
import type { LanguageModel, ModelRole } from "../state/model.ts";
import type { NodeServices } from "./node.ts";

/** The parts of a node's services that depend on the models that it asks. */
type FittedServices = Pick<NodeServices, "limits" | "models"> & Partial<Pick<NodeServices, "tier">>;

/**
 * Fits a node's services to the models of roles: the tier is `small` where one of them is small, and
 * limits are lowered to what the weakest of them can deal with. Services for other models are
 * returned as they are. Pure, but for what the models have learned of themselves meanwhile.
 *
 * Source: models.md §3, "The small tier".
 */
export function fitServices<T extends FittedServices>(services: T, roles: readonly ModelRole[]): T {
  const asked = [...new Set(roles.map((role) => services.models[role]))].map(readTraits);
  const limits = asked.reduce(fitLimits, services.limits);
  const isSmall = asked.some(({ tier }) => tier === "small");
  if (!isSmall && limits === services.limits) return services;
  return { ...services, limits, tier: isSmall ? "small" : "full" };
}

/** Returns what services are fitted to, as a key: equal for models that need the same. */
export function describeFit({ models }: FittedServices, roles: readonly ModelRole[]): string {
  return roles.map((role) => Object.values(readTraits(models[role])).join(" ")).join(", ");
}

function readTraits({ traits }: LanguageModel) {
  const { tier = "full", window = null } = traits?.() ?? {};
  return { tier, window };
}
