import { KEYS_HELP, readKeysArguments } from "./keys/arguments.ts";
import { runCommand } from "./run-command.ts";

// `npm run keys`: creates, lists and revokes the keys of the server's users.
await runCommand(async () => {
  const wish = readKeysArguments(process.argv.slice(2));
  if (wish === "help") {
    process.stdout.write(KEYS_HELP);
    return 0;
  }
  const { runKeys } = await import("./keys/run-keys.ts");
  return runKeys(wish);
});
