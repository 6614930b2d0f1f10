import { setTimeout as delay } from "node:timers/promises";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { chatModelAnswers, startOpenAIMock } from "../../test/support/openai-mock.ts";

/** The simulated model behind an endpoint, for any number of processes: it answers late, so that turns are under way when something happens. */
export interface SlowModel {
  readonly url: string;
  /** Waits until it has received that many requests since its start. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a model that takes `delayMs` for an answer. */
export async function startSlowModel(delayMs: number): Promise<SlowModel> {
  const answer = chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS }));
  const waiting = new Map<() => void, number>();
  let count = 0;
  const mock = await startOpenAIMock({
    answer: async (request) => {
      count += 1;
      for (const [resolve, wanted] of waiting) if (count >= wanted) resolve();
      await delay(delayMs);
      return answer(request);
    },
  });
  return {
    url: mock.baseUrl,
    async asked(wanted) {
      if (count >= wanted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(resolve, wanted);
      await promise;
      waiting.delete(resolve);
    },
    close: () => mock.close(),
  };
}
