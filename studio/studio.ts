import { loadEnvironment, readConfig } from "../cli/config.ts";
import { createLog } from "../cli/log.ts";
import { openStudio } from "./open-studio.ts";

const config = readConfig(loadEnvironment());

/** The one of the process: graph and routes are loaded separately. */
export const studio = await openStudio(config, { log: createLog(config) });
