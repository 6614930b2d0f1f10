import { CHAT_HELP, readChatArguments } from "./chat/arguments.ts";
import { systemPerson } from "../app/system-person.ts";
import { runCommand } from "./run-command.ts";

// `npm run chat`: what takes long to load is loaded once the arguments are known to be right.
await runCommand(async () => {
  const options = readChatArguments(process.argv.slice(2), systemPerson());
  if (options === "help") {
    process.stdout.write(CHAT_HELP);
    return 0;
  }
  const { runChat } = await import("./chat/run-chat.ts");
  return runChat(options);
});
