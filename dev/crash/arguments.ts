import { defineCommand, readWholeNumber } from "../../cli/command-line.ts";

/** The table of `npm run crash`. */
export const CRASH = defineCommand({
  start: "npm run crash --",
  about: `
Kills the program at its steps, starts it again, and compares with a run that nothing disturbs.
Prints a line for each kill: where it died and where it went on. It works on an embedded PostgreSQL
of its own. Exits with 1 when anything was lost, done twice or announced in vain, with 2 for a wrong
argument.`,
  arguments: {
    count: ["COUNT", "how many kills, spread over both lanes", readWholeNumber(1, 99_999), 100],
  },
});
