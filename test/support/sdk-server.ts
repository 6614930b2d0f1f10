import { openModels } from "../../app/open-models.ts";
import type { RoleModels } from "../../graph/create-concierge-graph.ts";
import type { LanguageModel } from "../../state/model.ts";
import type { TestDatabase } from "./database.ts";
import { serveGraph } from "./served-graph.ts";
import type { Noted } from "./server-parts.ts";

/** A server that answers over a socket, and what does its work. */
export interface SdkServer {
  readonly url: string;
  /**
   * Lets models answer nothing from now on, until the returned function is called: turns that run
   * are at work meanwhile. Null where that cannot be done: the server is another process.
   */
  readonly hold: (() => () => void) | null;
  /** Lets the next so many calls of models break, in a way that no node is prepared for. Null as with `hold`. */
  readonly fail: ((calls: number) => void) | null;
  /** Unexpected errors. */
  readonly noted: Pick<Noted, "errors">;
  readonly database: TestDatabase | null;
  close(): Promise<void>;
}

/** The project's server: the one that runs at `CONCIERGE_TEST_SERVER`, else one of the tests' own. */
export async function openSdkServer(): Promise<SdkServer> {
  const url = process.env["CONCIERGE_TEST_SERVER"];
  if (url === undefined || url === "") return startSdkServer();
  const noted = { errors: [] };
  return { url, hold: null, fail: null, noted, database: null, close: async () => undefined };
}

/** The server with the simulated model, whose calls a test can hold back. */
async function startSdkServer(): Promise<SdkServer> {
  const gate = createGate();
  const { models } = await openModels({ kind: "simulated" });
  const served = await serveGraph({ models: gate.guard(models) });
  return {
    ...served,
    hold: gate.hold,
    fail: gate.fail,
    async close() {
      gate.open();
      await served.close();
    },
  };
}

/** Holds model calls back, or lets them fail. */
function createGate() {
  let closed: PromiseWithResolvers<void> | null = null;
  let failures = 0;
  const open = (): void => {
    closed?.resolve();
    closed = null;
  };
  const guarded = (model: LanguageModel): LanguageModel => ({
    ...model,
    async complete(request) {
      const { signal } = request;
      const aborted = Promise.withResolvers<void>();
      signal?.addEventListener("abort", () => aborted.resolve(), { once: true });
      await Promise.race([closed?.promise, ...(closed === null ? [] : [aborted.promise])]);
      signal?.throwIfAborted();
      if (failures > 0) {
        failures -= 1;
        throw new Error("The model's client broke");
      }
      return model.complete(request);
    },
  });
  return {
    open,
    hold: (): (() => void) => {
      closed = Promise.withResolvers();
      return open;
    },
    fail: (calls: number): void => {
      failures = calls;
    },
    guard(models: RoleModels): RoleModels {
      const entries = Object.entries(models).map(([role, model]) => [role, guarded(model)]);
      return Object.fromEntries(entries) as RoleModels;
    },
  };
}
