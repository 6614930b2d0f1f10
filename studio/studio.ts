import { loadEnvironment, readConfig } from "../app/config.ts";
import { createLog } from "../app/log.ts";
import { openStudio } from "./open-studio.ts";

const config = readConfig(loadEnvironment());

/** The one of the process: graph and routes are loaded separately. */
export const studio = await openStudio(config, { log: createLog(config) });
