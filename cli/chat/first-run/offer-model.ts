import type { Config } from "../../../app/config.ts";
import { readModelFile, writeModelFile } from "../../../app/model-file.ts";
import type { OptionValues } from "../../../app/settings/setting.ts";
import { isModelMissing } from "../../../models/config.ts";

/** The outcome of an offer: settings that hold from now on, none, or the person has left. */
type Offered =
  | { readonly kind: "chosen"; readonly settings: OptionValues }
  | { readonly kind: "none" }
  | { readonly kind: "left"; readonly exitCode: number };

/**
 * Offers the models that can be had to a person at a terminal who has none and has not chosen to do
 * without; null where there is nothing to offer.
 */
export async function offerModel({ model, dataDir, ignored }: Config): Promise<Offered | null> {
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
  const first = await chooseFirstModel(
    { input, output },
    {
      servers: await findServers(),
      checkKey,
      saveSettings: (values) => saveSettings(".env", values),
      saveChoice: (choice) => writeModelFile(dataDir, choice),
    },
  );
  if (first.kind !== "chosen") return first;
  return { kind: "chosen", settings: { values: first.values, options: {} } };
}
