import type { Config } from "./config.ts";

/** Lists what a program says of its settings at its start: tracing, and what is set and not used. */
export function listNotices({
  tracing,
  ignored,
}: Pick<Config, "tracing" | "ignored">): readonly string[] {
  return tracing === null
    ? ignored
    : [`Tracing is on (${tracing}): prompts and answers are sent to LangSmith`, ...ignored];
}

/** Writes on standard error what is set and not used, one sentence a line. */
export function printIgnored({ ignored }: Pick<Config, "ignored">): void {
  for (const line of ignored) process.stderr.write(`${line}\n`);
}
