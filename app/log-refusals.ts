import type { Log } from "../state/log.ts";
import { ModelError, type LanguageModel } from "../state/model.ts";

const MOST_CHARACTERS = 200;

/**
 * Logs the endpoint's own words where a model gives no answer, on one line and shortened. They may
 * quote the prompt, so they are in no event and in the log at debug only; keys were taken out where
 * the error was made.
 */
export function logRefusals(model: LanguageModel, log: Pick<Log, "debug">): LanguageModel {
  return {
    name: model.name,
    ...(model.traits === undefined ? {} : { traits: model.traits }),
    async complete(request) {
      try {
        return await model.complete(request);
      } catch (error) {
        const words = readWords(error);
        if (words !== "") log.debug(`In the words of the endpoint of "${model.name}": ${words}`);
        throw error;
      }
    },
  };
}

function readWords(error: unknown): string {
  const cause = error instanceof ModelError ? error.cause : null;
  if (!(cause instanceof Error)) return "";
  return cause.message
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MOST_CHARACTERS);
}
