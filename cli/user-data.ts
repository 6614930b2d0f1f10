import { runWithAction } from "./run-command.ts";
import { USER_DATA } from "./user-data/arguments.ts";

// `npm run user-data`: exports or erases everything that is stored about a user.
await runWithAction(USER_DATA, async (request) => {
  const { runUserData } = await import("./user-data/run-user-data.ts");
  return runUserData(request);
});
