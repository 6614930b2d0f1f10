import { readFileSync, realpathSync } from "node:fs";
import { replaceFile } from "../../../app/model-file.ts";

/**
 * Adds settings to a file such as `.env` and makes it readable by its owner only. Lines that set
 * something stay as they are; a line that sets one of these names to nothing is filled in.
 *
 * @throws Error of the file system; the file is then as it was.
 */
export function saveSettings(path: string, values: Readonly<Record<string, string>>): void {
  const { target, content } = readExisting(path);
  replaceFile(
    target,
    Object.entries(values).reduce((text, [name, value]) => setValue(text, name, value), content),
  );
}

/** A link stays one: the file that it leads to is replaced. */
function readExisting(path: string): { readonly target: string; readonly content: string } {
  try {
    const target = realpathSync(path);
    return { target, content: readFileSync(target, "utf8") };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    return { target: path, content: "" };
  }
}

function setValue(content: string, name: string, value: string): string {
  const line = `${name}=${quote(value)}`;
  const empty = new RegExp(`^(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?=\\r?$)`, "m");
  if (empty.test(content)) return content.replace(empty, () => line);
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  // Of two lines for one name the last one counts.
  return `${content}${end}${line}\n`;
}

/** A number sign begins a comment where a value has no quotation marks. */
function quote(value: string): string {
  if (/^[\w.:/@+-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
