import { defineCommand, readId, type ActionRequest } from "../command-line.ts";

const USER_ID = ["--user ID", "the user whose data it is", readId] as const;

/** The tables of `npm run user-data`. */
export const USER_DATA = {
  export: defineCommand({
    start: "npm run --silent user-data -- export",
    settings: "user-data",
    about: `
Prints everything that is stored about a user as lines of JSON: conversations with their states,
runs, keys, and the domain's rows in the program's own schema; tables of other schemas belong to
other programs and are left to them. The last line is {"kind":"end"} with the number of lines before
it; without it the export is incomplete.`,
    arguments: { userId: USER_ID },
  }),
  erase: defineCommand({
    start: "npm run --silent user-data -- erase",
    settings: "user-data",
    about: `
Removes everything that is stored about a user, permanently and without asking, but for rows of
tables in other schemas, which belong to other programs. Fails while one of the user's runs is active.

Exit codes: 0, 1 when it could not be done, 2 for a wrong argument or setting.`,
    arguments: { userId: USER_ID },
  }),
};

/** An action on a user's data with its arguments. */
export type UserDataRequest = ActionRequest<typeof USER_DATA>;
