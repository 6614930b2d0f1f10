import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { UsageError } from "../usage-error.ts";
import type { EnvironmentLines, Source } from "./setting.ts";

const PATH = ".env";

/**
 * Adds the file `.env` of the working directory to the process's environment, so that libraries see
 * it too, and returns both as sources, the environment first: a variable that was set before wins,
 * an empty one included.
 *
 * @throws UsageError when the file exists and cannot be read.
 */
export function loadEnvironment(): readonly Source[] {
  const environment: Source = { kind: "environment", values: { ...process.env } };
  try {
    process.loadEnvFile(PATH);
    const content = readFileSync(PATH, "utf8");
    const lines = readEnvironmentLines(content);
    return [environment, { kind: "file", path: PATH, values: parseEnv(content), lines }];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return [environment];
    throw new UsageError(
      `Cannot read the file "${PATH}": ${error instanceof Error ? error.message : String(error)}; make it a readable text file or remove it`,
    );
  }
}

const SETTING_LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;

/** Finds the lines of a file `.env` that set a variable, and those that cannot be read. */
export function readEnvironmentLines(content: string): EnvironmentLines {
  const lines = content.replace(/^\uFEFF/, "").split(/\r?\n/);
  const names = new Map<string, number>();
  const unreadable: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [, name, value = ""] = SETTING_LINE.exec(line) ?? [];
    if (name !== undefined) {
      names.set(name, index + 1);
      // A value in quotation marks may go on for several lines.
      const quote = /^["'`]/.exec(value)?.[0];
      const isOpen = quote !== undefined && !value.slice(1).includes(quote);
      const end = isOpen ? lines.findIndex((next, at) => at > index && next.includes(quote)) : -1;
      index = Math.max(index, end);
    } else if (!/^\s*(?:#|$)/.test(line)) unreadable.push(index + 1);
  }
  return { names, unreadable };
}
