import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { chatModelAnswers, startOpenAIMock } from "../support/openai-mock.ts";
import type { SdkServer } from "../support/sdk-server.ts";
import { startStudio, studioFolder } from "./running-studio.ts";

/** Starts `npm run studio` on a database of its own, with the simulated model behind an endpoint: there it can be held. */
export async function openDevSdkServer(): Promise<SdkServer> {
  const database = await createTestDatabase();
  const answer = chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS }));
  let closed: PromiseWithResolvers<void> | null = null;
  const open = (): void => {
    closed?.resolve();
    closed = null;
  };
  const mock = await startOpenAIMock({
    answer: async (request) => {
      await closed?.promise;
      return answer(request);
    },
  });
  const folder = studioFolder();
  const studio = await startStudio({
    configPath: folder.configPath,
    databaseUrl: database.url,
    env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: mock.baseUrl, OPENAI_MODEL: "simulated" },
  });
  return {
    url: studio.url,
    hold() {
      closed = Promise.withResolvers();
      return open;
    },
    fail: null,
    noted: { errors: [] },
    database,
    async close() {
      open();
      await studio.stop();
      folder.remove();
      await mock.close();
      await database.close();
    },
  };
}
