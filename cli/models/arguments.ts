import { defineCommand, InvalidValue, type Values } from "../command-line.ts";

const NAME = [
  "NAME",
  "a model, a role or the id of an expert (default: all)",
  (text: string) => text,
  null,
] as const;
const WINDOW = [
  "--window",
  "also search for the window of models that are not on this machine: about 26,000 more tokens",
] as const;
const EXIT_CODES = "Exit code: 0 usable, 3 not usable, with the first thing to do.";

/** The table of `npm run models`. */
export const MODELS = defineCommand({
  start: "npm run models --",
  settings: "models",
  about: `
Prints the model of every role and expert: its endpoint, what is known of it and how (assumed; known
by its name; learned in use; probed; set), and its price. "test" probes each for what it can do, for at
most a minute in all, and remembers it. ${EXIT_CODES}`,
  arguments: {
    action: ["test", "probe the models instead of listing them", readTest, null],
    name: NAME,
    window: WINDOW,
  },
});
/** The arguments of `npm run models`. */
export type ModelsOptions = Values<typeof MODELS.arguments>;

/** The table of `npm run doctor`. */
export const DOCTOR = defineCommand({
  start: "npm run doctor --",
  settings: "models",
  about: `
Checks Node, settings and database, and probes the models as \`npm run models -- test\` does.
${EXIT_CODES}`,
  arguments: { name: NAME, window: WINDOW },
});
/** The arguments of `npm run doctor`. */
export type DoctorOptions = Values<typeof DOCTOR.arguments>;

function readTest(text: string): "test" {
  if (text === "test") return text;
  throw new InvalidValue("write test, or nothing to list the models");
}
