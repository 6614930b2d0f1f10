import { KEYS } from "./keys/arguments.ts";
import { runWithAction } from "./run-command.ts";

// `npm run keys`: creates, lists and revokes the keys of the server's users.
await runWithAction(KEYS, async (request) => {
  const { runKeys } = await import("./keys/run-keys.ts");
  return runKeys(request);
});
