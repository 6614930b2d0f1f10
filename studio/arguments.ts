import { resolve } from "node:path";
import { defineCommand, InvalidValue, readWholeNumber, type Values } from "../cli/command-line.ts";

/** The table of `npm run studio`. */
export const STUDIO = defineCommand({
  start: "npm run studio --",
  about: `
Starts LangGraph's dev server with the assistant's graph, on this computer only, and prints how to
open LangGraph Studio on it. Conversations are kept in the same database as those of the terminal.
npm fetches the server the first time; after that it starts without a network. Ctrl-C ends it.`,
  settings: "studio",
  arguments: {
    port: ["--port N", "the port", readWholeNumber(1, 65_535), 2024],
    configPath: [
      "--config FILE",
      "the langgraph.json that names the graph (default: the project's own)",
      (path) => resolve(path),
      resolve(import.meta.dirname, "../langgraph.json"),
    ],
    noReload: ["--no-reload", "do not restart when a file of the program changes"],
    origins: [
      "--origin URL",
      "let pages of this origin call too; separate several with commas",
      readOrigins,
      [],
    ],
    anyUser: ["--any-user", "let a run's context name any user, not only demo"],
  },
});

/** The options of `studio`. */
export type StudioArguments = Values<typeof STUDIO.arguments>;

function readOrigins(text: string): readonly string[] {
  return text.split(",").map((part) => {
    const origin = part.trim();
    if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) {
      return origin;
    }
    throw new InvalidValue("write scheme, host and port only, as in http://localhost:3000");
  });
}
