import { startTicking } from "../worker/tick.ts";
import type { AppLog } from "./log.ts";
import type { ModelCheck } from "./check-model.ts";

/** Interval between checks of a model that could not be reached, in milliseconds. Not a setting: calls go out all the same. */
const RECHECK_MS = 60_000;

/** Options of `watchModel`. */
export interface WatchModelOptions {
  /** The result of the check at the start. */
  readonly found: ModelCheck;
  readonly check: () => Promise<ModelCheck>;
  readonly log: Pick<AppLog, "warn" | "info" | "error">;
}

/** Says in the log which experts cannot be asked, and that the model gives no answers, again and again until it does. Returns a function that ends it. */
export function watchModel({ found, check, log }: WatchModelOptions): () => Promise<void> {
  if (found.kind === "usable") {
    found.warnings?.forEach((warning) => log.warn(warning));
    return async () => undefined;
  }
  log.warn(found.reason);
  let isOver = false;
  return startTicking(
    RECHECK_MS,
    async () => {
      if (isOver) return;
      const now = await check();
      if (now.kind === "usable") {
        isOver = true;
        log.info("The model can be reached again");
      } else log.warn(now.reason);
    },
    (error) => log.error(error, "The model could not be checked"),
  );
}
