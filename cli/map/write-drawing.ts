import { open, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { DRAWING_START } from "./draw-svg-map.ts";

/**
 * Writes a drawing to a file and returns its absolute path. A leading `~/` is the home folder.
 * Replaces an earlier drawing, but no other file.
 *
 * @throws Error in one sentence if another file is there or the file cannot be written.
 */
export async function writeDrawing(file: string, drawing: string): Promise<string> {
  const path = resolve(file.replace(/^~(?=\/)/, homedir()));
  try {
    await checkReplaceable(path);
    await writeFile(path, drawing);
  } catch (error) {
    const reason = describeFailure(error);
    throw new Error(`Cannot draw the map into "${file}": ${reason}`, { cause: error });
  }
  return path;
}

/** Something else occupies the path of the drawing. */
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
  if (!found.isFile()) throw new OccupiedError("it is not an ordinary file; name another one");
  if (await isDrawing(path)) return;
  throw new OccupiedError(
    "a file that is not a map is already there; name another one or remove it",
  );
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
  ENOENT: "its folder does not exist; create it first",
  ENOTDIR: "its folder is a file; name another place",
  EACCES: "writing there is not permitted; choose another place",
  EPERM: "writing there is not permitted; choose another place",
  EROFS: "the disk is read-only; choose another place",
  ENOSPC: "the disk is full; free some space",
  ENAMETOOLONG: "the name is too long; shorten it",
};

function describeFailure(error: unknown): string {
  if (error instanceof OccupiedError) return error.message;
  const code = readErrorCode(error);
  return REASONS[code] ?? `it cannot be written (${code}); choose another place`;
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
