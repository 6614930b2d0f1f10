import { setTimeout as delay } from "node:timers/promises";
import type { Expert } from "../../state/expert.ts";
import type { LanguageModel } from "../../state/model.ts";

/** About as long as real experts answer: 150 words in points, most of which the others make as well. */
const POINTS = [
  "Cooking ahead on one afternoon costs three hours and saves five evenings; most people keep it up when the portions are small and the menu is short.",
  "Start with two dishes that freeze well, label them, and keep one evening free: a plan without slack is given up in the second week.",
  "The money is saved on the evenings when nobody wants to decide; what counts is that something is ready, not that it is elaborate.",
  "If one of two dislikes leftovers, cook parts instead of meals: rice, roasted vegetables and a sauce make three different plates.",
] as const;

/** Experts that all answer after the same time. */
export interface SteadyExperts {
  readonly experts: readonly Expert[];
  /** Returns the milliseconds that the slowest answer really took. */
  readonly slowestMs: () => number;
}

/** Makes experts that answer a fixed text after `latencyMs`, without computing anything. */
export function steadyExperts(count: number, latencyMs: number): SteadyExperts {
  let slowest = 0;
  const createModel = (number: number): LanguageModel => ({
    name: `steady-${number}`,
    complete: async () => {
      const started = performance.now();
      await delay(latencyMs);
      slowest = Math.max(slowest, performance.now() - started);
      return {
        text: [`Point ${number} is what matters most here.`, ...POINTS].join("\n\n"),
        json: undefined,
        toolCalls: [],
        truncated: false,
        usage: { input: 300, cached: 0, output: 200 },
      };
    },
  });
  const experts = Array.from({ length: count }, (_, at) => ({
    id: `expert-${at + 1}`,
    lens: null,
    model: createModel(at + 1),
  }));
  return { experts, slowestMs: () => slowest };
}
