import { createRehearsalModel } from "../../models/rehearsal/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { chatModelAnswers, startOpenAIMock } from "../support/openai-mock.ts";
import type { SdkServer } from "../support/sdk-server.ts";
import { startStudio, studioFolder } from "./running-studio.ts";

/** Starts `npm run studio` on a database of its own, with the rehearsal model behind an endpoint: there it can be held. */
export async function openDevSdkServer(): Promise<SdkServer> {
  const database = await createTestDatabase();
  const answer = chatModelAnswers(createRehearsalModel());
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
    env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: mock.baseUrl, OPENAI_MODEL: "rehearsal" },
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
