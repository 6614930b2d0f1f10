import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { UsageError } from "../usage-error.ts";
import type { EnvironmentLines, Source, UnreadableLine } from "./setting.ts";

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
  const content = readEnvFile();
  if (content === null) return [environment];
  const values = parseEnv(content);
  // Not `process.loadEnvFile`: it takes a byte order mark for a part of the first name.
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
  return [environment, { kind: "file", path: PATH, values, lines: readEnvironmentLines(content) }];
}

/** Returns the file's text without a byte order mark; null if there is none. */
function readEnvFile(): string | null {
  try {
    return readFileSync(PATH, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    throw new UsageError(
      `Cannot read the file "${PATH}": ${error instanceof Error ? error.message : String(error)}; make it a readable text file or remove it`,
    );
  }
}

const SETTING_LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;
const FIRST_WORD = /^\s*(?:export\s+)?([\w.-]+)/;

/** Finds the lines of a file `.env` that set a variable, and those that cannot be read. */
export function readEnvironmentLines(content: string): EnvironmentLines {
  const lines = content.split(/\r?\n/);
  const names = new Map<string, number>();
  const unreadable: UnreadableLine[] = [];
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
    } else if (!/^\s*(?:#|$)/.test(line)) {
      unreadable.push({ line: index + 1, name: FIRST_WORD.exec(line)?.[1] ?? "" });
    }
  }
  return { names, unreadable };
}
