import { Parser } from "htmlparser2";

/** The parts of a page from which a recipe can be read. */
export interface PageContent {
  /** The texts of its `application/ld+json` scripts, in order. */
  readonly linkedData: readonly string[];
  /** The visible text, one block per line. */
  readonly text: string;
}

const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head", "nav", "footer"]);
const INLINE = new Set([
  "a",
  "b",
  "i",
  "em",
  "strong",
  "span",
  "small",
  "sup",
  "sub",
  "mark",
  "u",
  "time",
]);

/** Takes a page apart. Broken HTML is read as browsers read it; nothing is executed or loaded. */
export function readPage(html: string): PageContent {
  const linkedData: string[] = [];
  const text: string[] = [];
  const hidden: string[] = [];
  let script: string[] | null = null;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const type = (attributes["type"] ?? "").toLowerCase();
        if (name === "script" && type.startsWith("application/ld+json")) script = [];
        if (HIDDEN.has(name)) hidden.push(name);
        else if (!INLINE.has(name)) text.push("\n");
      },
      ontext(data) {
        if (script !== null) script.push(data);
        else if (hidden.length === 0) text.push(data);
      },
      onclosetag(name) {
        if (name === "script" && script !== null) {
          linkedData.push(script.join(""));
          script = null;
        }
        const at = hidden.lastIndexOf(name);
        if (at >= 0) hidden.length = at;
        if (!HIDDEN.has(name) && !INLINE.has(name)) text.push("\n");
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { linkedData, text: tidyLines(text.join("")) };
}

/** The text of a snippet that may hold tags and entities ("Salt &amp; pepper", "<p>Boil.</p>"). */
export function htmlToText(snippet: string): string {
  return readPage(snippet).text;
}

function tidyLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[\s\u00a0]+/gu, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
