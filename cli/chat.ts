import { systemPerson } from "../app/system-person.ts";
import { chatCommand } from "./chat/arguments.ts";
import { runWithArguments } from "./run-command.ts";

// `npm run chat`: what takes long to load is loaded once the arguments are known to be right.
await runWithArguments(chatCommand(systemPerson()), async (options) => {
  const { runChat } = await import("./chat/run-chat.ts");
  return runChat(options);
});
