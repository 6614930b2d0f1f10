import { readNamed, readRows, type ShownRow } from "../prompt/read-entities.ts";
import { linesOf, type ParsedPrompt } from "../prompt/read-prompt.ts";
import type { World } from "../world/world.ts";

/** Everything Reply's prompt says, taken apart. */
export interface Telling {
  readonly message: string;
  readonly goal: string;
  readonly outcomes: readonly string[];
  readonly stored: readonly Stored[];
  readonly failed: readonly string[];
  readonly unsaved: readonly string[];
  readonly rows: readonly ShownRow[];
  /** "12 shown, 47 more": how many rows are not shown. */
  readonly more: number;
  readonly flow: Flow;
  readonly profile: string;
  readonly snapshot: string;
  readonly recent: string;
  readonly wishes: string;
  readonly identity: string;
  readonly world: World;
}

/** One row that was written in this turn. */
export interface Stored {
  readonly action: string;
  readonly label: string;
  readonly facts: string;
}

/** What `## Conversation Flow` says; without it a conversation seems to begin. */
interface Flow {
  readonly begun: boolean;
  readonly phase: string;
  readonly tone: string;
  /** What was left out in this exchange, by name. */
  readonly excluded: readonly string[];
  readonly remaining: string;
  readonly bridges: boolean;
}

/** Takes Reply's prompt apart. */
export function readTelling(prompt: ParsedPrompt, world: World): Telling {
  const { section } = prompt;
  const execution = linesOf(section("Execution"));
  const rows = section("Recent Context");
  return {
    message: prompt.message,
    goal: /^Goal: (.*)$/.exec(execution[0] ?? "")?.[1] ?? "",
    outcomes: bulletsOf(execution),
    stored: bulletsOf(linesOf(section("Stored in this turn"))).map(readStored),
    failed: bulletsOf(linesOf(section("Failed"))),
    unsaved: bulletsOf(linesOf(section("Not saved"))),
    rows: readRows(rows),
    more: Number(/\d+ shown, (\d+) more/.exec(rows)?.[1] ?? 0),
    flow: readFlow(section("Conversation Flow")),
    profile: section("Profile"),
    snapshot: section("How things stand"),
    recent: section("What was said last"),
    wishes: section("Wishes and rules"),
    identity: prompt.identity,
    world,
  };
}

function bulletsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
}

/** "created Lentil Soup — 2026-01-13, dinner". */
function readStored(line: string): Stored {
  const [, action = "", label = "", facts = ""] = /^(\w+) (.*?)(?: — (.*))?$/.exec(line) ?? [];
  return { action, label, facts };
}

function readFlow(text: string): Flow {
  const filtered = /^- What we did: Filtered out (.+?)(?:; .*)?$/m.exec(text)?.[1] ?? "";
  return {
    begun: /DO NOT restart the conversation/.test(text),
    phase: /^- Phase: (\w+)/m.exec(text)?.[1] ?? "",
    tone: /^- Tone: (\w+)/m.exec(text)?.[1] ?? "",
    excluded: namesIn(filtered),
    remaining: /^- Remaining: (.+)$/m.exec(text)?.[1] ?? "",
    bridges: /Bridge naturally/.test(text),
  };
}

/** "French Toast (recipe_5), Wings (recipe_6)" or the other way round. */
function namesIn(text: string): string[] {
  const refFirst = readNamed(text).map(({ label }) => label);
  if (refFirst.length > 0) return refFirst;
  return [...text.matchAll(/([^,;()]+?) \([a-z]+(?:_[a-z]+)*_\d+\)/g)].map(([, name]) =>
    (name ?? "").trim(),
  );
}
