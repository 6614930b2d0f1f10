import { DOMAIN } from "./domain/arguments.ts";
import { runWithAction } from "./run-command.ts";

// `npm run domain`: describes existing tables as entity types.
await runWithAction(DOMAIN, async (request) => {
  const { runDomain } = await import("./domain/run-domain.ts");
  return runDomain(request.values.tables);
});
