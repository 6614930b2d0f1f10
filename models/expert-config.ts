import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import type { ExpertProfile } from "../state/batch.ts";
import { redact } from "./failures/errors.ts";

/** An expert as it is configured. Holds a key: never to be shown. */
export interface ExpertConfig extends ExpertProfile {
  readonly model: string;
  /** Null for the endpoint of the roles. */
  readonly baseUrl: string | null;
  /** Its own key; null where it has none. */
  readonly apiKey: string | null;
  /** The variable that the key came from. */
  readonly apiKeyEnv: string | null;
}

/** The environment as a program gets it. */
type Environment = Readonly<Record<string, string | undefined>>;

const MOST_EXPERTS = 64;
const EXAMPLE = '[{"id": "risk", "model": "gpt-4.1", "lens": "What can go wrong?"}]';
const FORMS = `a JSON list such as ${EXAMPLE}, or the path of a JSON or YAML file with one`;

function filled(key: string, longest: number) {
  const message = `"${key}" must be a text of 1 to ${longest} characters`;
  return z.string(message).trim().min(1, message).max(longest, message);
}

const ID = '"id" must be 1 to 40 letters, digits, "-" or "_"';
const URL_WANTED = '"baseUrl" must be a URL that begins with "http://" or "https://"';
// Capitals only: a key that somebody wrote here instead is not taken for a name, and not repeated.
const VARIABLE = '"apiKeyEnv" must be the name of an environment variable, in capitals';

const ExpertEntrySchema = z.strictObject(
  {
    id: z.string(ID).regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u, ID),
    model: filled("model", 200),
    lens: filled("lens", 2_000).nullish(),
    baseUrl: z.string(URL_WANTED).trim().refine(isHttpUrl, URL_WANTED).nullish(),
    apiKeyEnv: z
      .string(VARIABLE)
      .trim()
      .regex(/^[A-Z][A-Z0-9_]{0,63}$/, VARIABLE)
      .nullish(),
  },
  { error: (issue) => (issue.code === "unrecognized_keys" ? strangeKeys(issue.keys) : NO_ENTRY) },
);
type ExpertEntry = z.infer<typeof ExpertEntrySchema>;

const NO_ENTRY = 'it must hold "id" and "model", and may hold "lens", "baseUrl" and "apiKeyEnv"';

function strangeKeys(keys: readonly string[]): string {
  const named = keys.map((key) => `"${redact(key, []).slice(0, 40)}"`).join(", ");
  const advice = keys.some((key) => /key/i.test(key))
    ? '; keep the key in a variable, and name that as "apiKeyEnv"'
    : "";
  return `there is no setting ${named}: ${NO_ENTRY}${advice}`;
}

const ExpertListSchema = z
  .array(ExpertEntrySchema)
  .min(1)
  .max(MOST_EXPERTS)
  .superRefine((entries, context) => {
    for (const [index, { id }] of entries.entries()) {
      const first = entries.findIndex((entry) => entry.id === id);
      if (first === index) continue;
      const message = `its "id" is that of entry ${first + 1}; give each its own`;
      context.addIssue({ code: "custom", path: [index], message });
    }
  });

/**
 * Reads what CONCIERGE_EXPERTS says: a JSON list, or the path of a JSON or YAML file that holds one.
 *
 * @throws TypeError, the end of a sentence that names the entry; keys are never repeated.
 */
export function readExperts(value: string, env: Environment): readonly ExpertConfig[] {
  const written = readList(value);
  const parsed = ExpertListSchema.safeParse(written);
  if (parsed.success) {
    return parsed.data.map((entry, index) => toExpertConfig(entry, { index, env }));
  }
  const [issue] = parsed.error.issues;
  const [index] = issue?.path ?? [];
  if (issue === undefined || typeof index !== "number") {
    throw unusable(`it must list 1 to ${MOST_EXPERTS} experts; write ${FORMS}`);
  }
  const entry: unknown = Array.isArray(written) ? written[index] : null;
  throw unusable(`${nameEntry(entry, index)}: ${issue.message}`);
}

interface ExpertPlace {
  readonly index: number;
  readonly env: Environment;
}

function toExpertConfig(
  { id, model, lens, baseUrl, apiKeyEnv }: ExpertEntry,
  { index, env }: ExpertPlace,
): ExpertConfig {
  const apiKey = apiKeyEnv == null ? null : (env[apiKeyEnv]?.trim() ?? "");
  if (apiKey === "") {
    const found = `"apiKeyEnv" names ${apiKeyEnv}, which is not set`;
    throw unusable(`${nameEntry({ id }, index)}: ${found}; set it, or leave "apiKeyEnv" out`);
  }
  return {
    id,
    lens: lens ?? null,
    model,
    baseUrl: baseUrl ?? null,
    apiKey,
    apiKeyEnv: apiKeyEnv ?? null,
  };
}

function readList(value: string): unknown {
  if (/^[[{]/.test(value)) return parseJson(value);
  const path = resolve(value.replace(/^~(?=\/|$)/, homedir()));
  const content = readConfigFile(path, value);
  return /\.ya?ml$/i.test(path) ? parseYaml(content) : parseJson(content);
}

function readConfigFile(path: string, value: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    const shown = redact(value, []).slice(0, 100);
    throw unusable(`the file "${shown}" cannot be read${code}; write ${FORMS}`);
  }
}

function parseJson(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return value;
  } catch (error) {
    // The whole message would quote the list, and with it whatever was written there.
    const where = /at position \d+|line \d+ column \d+/.exec(errorMessage(error))?.[0] ?? "";
    throw unusable(`it is not valid JSON${where === "" ? "" : ` (${where})`}; write ${FORMS}`);
  }
}

function parseYaml(content: string): unknown {
  const document = yaml().parseDocument(content);
  const [problem] = document.errors;
  if (problem === undefined) return document.toJS();
  const line = problem.linePos?.[0].line;
  throw unusable(
    `it is not valid YAML${line === undefined ? "" : ` (line ${line})`}; write ${FORMS}`,
  );
}

/** Few have such a file, and every start would wait for the parser. */
function yaml(): typeof import("yaml") {
  const load: (name: "yaml") => typeof import("yaml") = createRequire(import.meta.url);
  return load("yaml");
}

function nameEntry(entry: unknown, index: number): string {
  const named = z.object({ id: z.string() }).safeParse(entry);
  const id = named.success ? redact(named.data.id, []).slice(0, 40) : "";
  return `entry ${index + 1}${id === "" ? "" : ` ("${id}")`}`;
}

function unusable(found: string): TypeError {
  return new TypeError(found);
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

/** Returns true when a text is the URL of an endpoint. */
export function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}
