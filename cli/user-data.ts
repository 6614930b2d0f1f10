import { runCommand } from "./run-command.ts";
import { readUserDataArguments, USER_DATA_HELP } from "./user-data/arguments.ts";

// `npm run user-data`: hands out or erases everything that is kept of a user.
await runCommand(async () => {
  const wish = readUserDataArguments(process.argv.slice(2));
  if (wish === "help") {
    process.stdout.write(USER_DATA_HELP);
    return 0;
  }
  const { runUserData } = await import("./user-data/run-user-data.ts");
  return runUserData(wish);
});
