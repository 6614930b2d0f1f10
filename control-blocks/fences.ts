/** A line of Markdown that opens or closes fenced code. */
export interface FenceLine {
  readonly character: "`" | "~";
  readonly length: number;
  /** True when nothing follows the fence: only such a line can close one. */
  readonly bare: boolean;
}

/** The line as a fence, at any indentation; null when it is none. */
export function readFenceLine(line: string): FenceLine | null {
  const text = line.trim();
  const character = text[0];
  if (character !== "`" && character !== "~") return null;
  let length = 1;
  while (text[length] === character) length += 1;
  if (length < 3) return null;
  if (character === "`" && text.includes("`", length)) return null;
  return { character, length, bare: length === text.length };
}

/** Which fence is open after the line, given which was open before it. */
export function nextFence(open: FenceLine | null, line: FenceLine | null): FenceLine | null {
  if (line === null) return open;
  if (open === null) return line;
  return closesFence(open, line) ? null : open;
}

function closesFence(open: FenceLine, line: FenceLine): boolean {
  return line.bare && line.character === open.character && line.length >= open.length;
}

/** Which fence is open after the text, given which was open before it. */
export function fenceAfter(text: string, open: FenceLine | null): FenceLine | null {
  return text
    .split("\n")
    .reduce<FenceLine | null>((fence, line) => nextFence(fence, readFenceLine(line)), open);
}

/** Returns true for white space, and for nothing. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Returns true for white space and the characters that are hidden with a marker on their line. */
export function isDecoration(text: string): boolean {
  return /^[\s*_#>`~]*$/.test(text);
}
