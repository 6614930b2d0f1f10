import { loadConfig } from "../app/config.ts";
import { createLog } from "../app/log.ts";
import { readDoor } from "./door.ts";
import { openStudio } from "./open-studio.ts";

// Before the file `.env` is added to the environment: a file does not open the door.
const door = readDoor(process.env);
const config = loadConfig("studio");

/** The only one in the process: the dev server loads graph and routes separately. */
export const studio = await openStudio(config, { log: createLog(config), door });
