import { open, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { DRAWING_START } from "./draw-map.ts";

/**
 * Writes a drawing to a file and returns its absolute path. A leading `~/` is the home folder. An
 * earlier drawing is replaced, any other file is left alone.
 *
 * @throws Error in a sentence when there is something else, or the file cannot be written.
 */
export async function writeDrawing(file: string, drawing: string): Promise<string> {
  const path = resolve(file.replace(/^~(?=\/)/, homedir()));
  try {
    await checkReplaceable(path);
    await writeFile(path, drawing);
  } catch (error) {
    if (error instanceof OccupiedError) {
      throw new Error(`Cannot draw the map into "${file}": ${error.message}`, { cause: error });
    }
    throw new Error(`Cannot draw the map into "${file}": ${describeFailure(error)}`, {
      cause: error,
    });
  }
  return path;
}

/** Something stands where the drawing is to go. */
class OccupiedError extends Error {
  override readonly name = "OccupiedError";
}

async function checkReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (readErrorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (found === null || (found.isFile() && found.size === 0)) return;
  if (found.isDirectory()) throw new OccupiedError("it is a folder; name a file in it");
  if (!found.isFile()) throw new OccupiedError("it is no ordinary file; name another one");
  if (await isDrawing(path)) return;
  throw new OccupiedError("there is a file that is no map; name another one or remove it");
}

async function isDrawing(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const start = Buffer.alloc(DRAWING_START.length);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return start.toString("utf8", 0, bytesRead) === DRAWING_START;
  } finally {
    await file.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist; make it first",
  ENOTDIR: "its folder is a file; name another place",
  EACCES: "it may not be written; choose another place",
  EPERM: "it may not be written; choose another place",
  EROFS: "the disk can only be read; choose another place",
  ENOSPC: "the disk is full; make room",
  ENAMETOOLONG: "the name is too long; shorten it",
};

function describeFailure(error: unknown): string {
  const code = readErrorCode(error);
  return REASONS[code] ?? `it cannot be written (${code}); choose another place`;
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
