import type { RenderedTable } from "../registry/render-registry-table.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import { fence, oneLine } from "../text/fence.ts";
import type { PromptMessage } from "../state/model.ts";
import { changedHeading } from "./headings.ts";

/** A part of the system message: the same bytes every turn. */
export function stablePart(kind: string, source: string, text: string): EnvelopePart {
  return { kind, source, role: "system", change: "stable", text };
}

/** A part of the user message that only grows from turn to turn. */
export function growingPart(kind: string, source: string, text: string): EnvelopePart {
  return { kind, source, role: "user", change: "grows", text };
}

/** A part of the user message that belongs to this turn. */
export function volatilePart(kind: string, source: string, text: string): EnvelopePart {
  return { kind, source, role: "user", change: "volatile", text };
}

/** A part of a message to a concierge's instance, whose transcript keeps it as it was sent. */
export function instancePart(kind: string, source: string, text: string): EnvelopePart {
  return { kind, source, role: "user", change: "grows", text };
}

const ORDER = { stable: 0, grows: 1, volatile: 2 } as const;

/**
 * The parts that say something, what never changes first and what changes freely last.
 * Within one kind of change the given order stays.
 */
export function orderParts(parts: readonly EnvelopePart[]): EnvelopePart[] {
  return parts
    .filter((part) => part.text !== "")
    .toSorted((a, b) => ORDER[a.change] - ORDER[b.change]);
}

/**
 * The messages that ordered parts make: one system message, one user message.
 *
 * @example
 * const parts = [
 *   { kind: "rules", source: "code", role: "system", change: "stable", text: "Be brief." },
 *   { kind: "message", source: "input", role: "user", change: "volatile", text: "Hello" },
 * ];
 * renderParts(parts).map(({ role }) => role); // ["system", "user"]
 */
export function renderParts(parts: readonly EnvelopePart[]): PromptMessage[] {
  const joinRoleText = (role: EnvelopePart["role"]): string =>
    parts
      .filter((part) => part.role === role)
      .map((part) => part.text)
      .join("\n\n");
  return (["system", "user"] as const)
    .map((role) => ({ role, text: joinRoleText(role) }))
    .filter((message) => message.text !== "");
}

/** A list as Markdown bullets, each on one line whatever it holds; empty for an empty list. */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line)}`).join("\n");
}

/** A heading with its text fenced as data; empty where there is no text. */
export function dataSection(heading: string, text: string): string {
  return text === "" ? "" : section(heading, fence("data", text));
}

/** The registry table under its heading, and after it what of it no longer holds. */
export function tableSections(
  heading: string,
  { text, more, changes }: Pick<RenderedTable, "text" | "more" | "changes">,
): string {
  const changed = changes === "" ? "" : `${CHANGES_RULE}\n${fence("data", changes)}`;
  const table = [text, more].filter((part) => part !== "").join("\n");
  return [dataSection(heading, table), section(changedHeading(heading), changed)]
    .filter((part) => part !== "")
    .join("\n\n");
}

const CHANGES_RULE = "What stands here holds, whatever stands above.";

/** A heading with its text; empty where there is no text. */
export function section(heading: string, text: string): string {
  return text === "" ? "" : `## ${heading}\n\n${text}`;
}
