import type { Config } from "../../../app/config.ts";
import { readModelFile, writeModelFile } from "../../../app/model-file.ts";
import { isModelMissing } from "../../../models/config.ts";
import type { FirstModel } from "./choose-first-model.ts";

/**
 * Offers the models that can be had to a person at a terminal who has none and has not chosen to do
 * without; null where there is nothing to offer.
 */
export async function offerModel({ model, dataDir, ignored }: Config): Promise<FirstModel | null> {
  if (!isModelMissing(model) || readModelFile(dataDir) !== null) return null;
  // Who has mistyped the name of a setting has a model, and is told so first.
  for (const line of ignored) process.stdout.write(`${line}\n`);
  const [{ chooseFirstModel }, { findServers }, { checkKey }, { saveSettings }] = await Promise.all(
    [
      import("./choose-first-model.ts"),
      import("../../../models/servers/find-servers.ts"),
      import("./check-key.ts"),
      import("./save-settings.ts"),
    ],
  );
  const { stdin: input, stdout: output } = process;
  return chooseFirstModel(
    { input, output },
    {
      servers: await findServers(),
      checkKey,
      saveSettings: (values) => saveSettings(".env", values),
      saveChoice: (choice) => writeModelFile(dataDir, choice),
    },
  );
}
