import { setTimeout as delay } from "node:timers/promises";
import type { Expert } from "../../state/expert.ts";
import type { LanguageModel } from "../../state/model.ts";

/** About as long as experts answer: 150 words in five points, two of which others make as well. */
const POINTS = [
  "Cooking ahead on one afternoon costs three hours and saves five evenings; most people keep it up when the portions are small and the menu is short.",
  "Start with two dishes that freeze well, label them, and keep one evening free: a plan without slack is given up in the second week.",
  "The money is saved on the evenings when nobody wants to decide; what counts is that something is ready, not that it is elaborate.",
  "If one of two dislikes leftovers, cook parts instead of meals: rice, roasted vegetables and a sauce make three different plates.",
] as const;

/** Experts that all answer after the same time, and the longest that any of them really took. */
export interface SteadyExperts {
  readonly experts: readonly Expert[];
  /** Milliseconds of the slowest answer since the last call. */
  readonly slowest: () => number;
}

/** Makes so many experts that answer a fixed text after `latencyMs`, without computing anything. */
export function steadyExperts(count: number, latencyMs: number): SteadyExperts {
  let slowest = 0;
  const modelOf = (at: number): LanguageModel => ({
    name: `steady-${at}`,
    complete: async () => {
      const started = performance.now();
      if (latencyMs > 0) await delay(latencyMs);
      slowest = Math.max(slowest, performance.now() - started);
      return {
        text: [`Point ${at} is what matters most here.`, ...POINTS].join("\n\n"),
        json: undefined,
        toolCalls: [],
        truncated: false,
        usage: { input: 300, cached: 0, output: 200 },
      };
    },
  });
  return {
    experts: Array.from({ length: count }, (_, at) => ({
      id: `expert-${at + 1}`,
      lens: null,
      model: modelOf(at + 1),
    })),
    slowest: () => {
      const longest = slowest;
      slowest = 0;
      return longest;
    },
  };
}

/** Room for 32 experts: the program's own limit asks fewer. */
export const ROOM_FOR_ALL = { batchTokens: 400_000 } as const;
