import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { isHttpUrl } from "../models/expert-config.ts";
import { UsageError } from "./usage-error.ts";

/**
 * A choice of model that needs no key: an endpoint and its model, or none (`simulated`).
 *
 * Source: models.md §4, "First run".
 */
export const ModelChoiceSchema = z.discriminatedUnion("dialect", [
  z.object({
    endpoint: z.string().refine(isHttpUrl),
    model: z.string().min(1),
    dialect: z.enum(["chat", "ollama"]),
  }),
  z.object({ endpoint: z.null(), model: z.null(), dialect: z.literal("simulated") }),
]);
export type ModelChoice = z.infer<typeof ModelChoiceSchema>;

/** The choice to go on without a model. */
export const NO_MODEL_CHOSEN: ModelChoice = { endpoint: null, model: null, dialect: "simulated" };

/** Returns the path of the file with the choice of model. */
export function modelFilePath(dataDir: string): string {
  return join(dataDir, "model.json");
}

/**
 * Reads the choice of model; null where none was made.
 *
 * @throws UsageError when the file is there and cannot be used.
 */
export function readModelFile(dataDir: string): ModelChoice | null {
  const path = modelFilePath(dataDir);
  try {
    return ModelChoiceSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const reason =
      error instanceof z.ZodError || error instanceof SyntaxError
        ? "it holds no choice of a model"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new UsageError(
      `Cannot read the file "${path}": ${reason}; remove it, and npm run chat asks again`,
    );
  }
}

/** Stores the choice of model. @throws Error of the file system. */
export function writeModelFile(dataDir: string, choice: ModelChoice): void {
  replaceFile(modelFilePath(dataDir), `${JSON.stringify(choice, null, 2)}\n`);
}

/** Writes a file whole or not at all, readable by its owner only. */
export function replaceFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
