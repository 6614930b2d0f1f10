import type { Config } from "./config.ts";

/** Writes on standard error what is set and not used, one sentence a line. */
export function printIgnored({ ignored }: Pick<Config, "ignored">): void {
  for (const line of ignored) process.stderr.write(`${line}\n`);
}
