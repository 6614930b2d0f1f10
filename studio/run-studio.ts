import { loadEnvironment, readConfig } from "../app/config.ts";
import { createLog } from "../app/log.ts";
import { describeModels } from "../app/open-models.ts";
import { openStorage } from "../app/open-storage.ts";
import { mealsDomain } from "../meals/index.ts";
import type { StudioArguments } from "./arguments.ts";
import { HOST, LANGGRAPH_CLI, startDevServer, type DevServer } from "./dev-server.ts";

/** Studio is a page of LangChain's; it speaks to the server from the browser that shows it. */
const STUDIO_PAGE = "https://smith.langchain.com/studio/";

/**
 * Runs the dev server until it ends or the process is told to. Returns the exit code.
 *
 * @throws UsageError for bad settings; Error in a sentence when database or server cannot be started.
 */
export async function runStudio(options: StudioArguments): Promise<number> {
  const config = readConfig(loadEnvironment());
  const { name, migrations: path } = mealsDomain;
  // Opened here as well: what stands in the way is said in a sentence, and however the server ends,
  // an embedded database does not stay behind.
  const { database } = await openStorage(config, {
    migrations: [{ name, path }],
    log: createLog(config),
  });
  try {
    tell(`Model: ${describeModels(config.model)}`);
    if (config.tracing !== null) {
      tell(`Tracing is on (${config.tracing}): prompts and answers are sent to LangSmith`);
    }
    tell(`Starting LangGraph's dev server (${LANGGRAPH_CLI}; the first time npm fetches it) …`);
    const server = await startDevServer(options);
    return await follow(server, `http://${HOST}:${options.port}`);
  } finally {
    await database.close();
  }
}

async function follow(server: DevServer, api: string): Promise<number> {
  const signals = listen(() => server.stop());
  try {
    await Promise.race([announce(server, api), signals.told]);
    const code = await server.ended;
    return signals.exitCode() ?? code ?? 1;
  } catch (error) {
    // It has ended because it was told to.
    const exitCode = signals.exitCode();
    if (exitCode === null) throw error;
    return exitCode;
  } finally {
    server.stop();
    signals.forget();
  }
}

async function announce(server: DevServer, api: string): Promise<void> {
  await server.ready;
  tell(`The API is at ${api}`);
  tell(`Studio: open ${STUDIO_PAGE}?baseUrl=${api} in a browser of this computer`);
  tell("Only this computer can reach it. Ctrl-C ends it.");
}

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/** Hears of signals until it is told to forget them; the first decides the exit code. */
function listen(stop: () => void) {
  let exitCode: number | null = null;
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const ears = SIGNALS.map(([signal, code]) => {
    const hear = (): void => {
      exitCode ??= code;
      stop();
      resolve();
    };
    process.on(signal, hear);
    return () => process.off(signal, hear);
  });
  return {
    told,
    exitCode: () => exitCode,
    forget: () => ears.forEach((forget) => forget()),
  };
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
