import {
  asksOf,
  changesOf,
  demotedOf,
  eventsOf,
  phaseOf,
  promptsOf,
  readsOf,
  replyOf,
  suppressedOf,
  viableOf,
} from "./facts.ts";
import type { PlayedTurn } from "./play.ts";
import type { Expectation, RowCount } from "./schema.ts";
import type { TableChanges } from "./tables.ts";

/** One thing that was expected of a turn, and what is wrong with it: nothing where it holds. */
export interface Finding {
  /** The key in the scenario. */
  readonly expectation: string;
  /** In words: what was expected and what was found; null where it holds. */
  readonly problem: string | null;
}

/** Holds a turn against what was expected of it, `then` apart. A turn that did not end well is a finding of its own. */
export function checkTurn(turn: PlayedTurn, expected: Expectation): readonly Finding[] {
  return [
    finding("ends", endProblem(turn)),
    ...CHECKED.filter((key) => expected[key] !== undefined).map((key) =>
      finding(key, problemOf(key, { turn, expected })),
    ),
  ];
}

const CHECKED = [
  "lane",
  "quick",
  "asks",
  "reads",
  "suppressed",
  "effects",
  "demoted",
  "viable",
  "says",
  "never",
  "prompt",
  "phase",
] as const satisfies readonly Exclude<keyof Expectation, "then">[];
type CheckedKey = (typeof CHECKED)[number];

function finding(expectation: string, problem: string | null): Finding {
  return { expectation, problem };
}

function endProblem(turn: PlayedTurn): string | null {
  const last = turn.events.at(-1);
  if (last?.type === "turn-end") return null;
  const { failure } = turn;
  return last?.type === "error"
    ? `the turn failed with "${last.code}": ${failure instanceof Error ? failure.message : last.message}`
    : `the turn did not end; its last event is "${last?.type ?? "none"}"`;
}

function problemOf(
  key: CheckedKey,
  { turn, expected }: { readonly turn: PlayedTurn; readonly expected: Expectation },
): string | null {
  const { understanding } = turn.state;
  switch (key) {
    case "lane":
      return differs(expected.lane, understanding?.lane ?? null);
    case "quick":
      return differs(expected.quick, understanding?.route === "quick");
    case "asks":
      return differs(expected.asks, asksOf(turn));
    case "reads":
      return differs(expected.reads, readsOf(turn));
    case "suppressed":
      return atLeast(expected.suppressed ?? 0, suppressedOf(turn));
    case "effects":
      return effectsProblem(expected.effects ?? {}, changesOf(turn));
    case "demoted":
      return differs(sorted(expected.demoted ?? []), sorted(demotedOf(turn)));
    case "viable":
      return differs(sorted(expected.viable ?? []), sorted(viableOf(turn, expected.viable ?? [])));
    case "says":
      return saysProblem(expected.says ?? [], replyOf(turn));
    case "never":
      return neverProblem(expected.never ?? [], replyOf(turn));
    case "prompt":
      return promptProblem(expected.prompt ?? {}, turn);
    case "phase":
      return differs(expected.phase, phaseOf(turn));
    default:
      return key satisfies never;
  }
}

function differs(wanted: unknown, found: unknown): string | null {
  const [one, other] = [canonical(wanted), canonical(found)];
  return one === other ? null : `expected ${one}, found ${other}`;
}

/** JSON with keys in order, so that objects compare by what they hold. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** In the order of their numbers: what was chosen counts, not in which order. */
function sorted(refs: readonly string[]): readonly string[] {
  return refs.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

function atLeast(wanted: number, found: number): string | null {
  return found >= wanted ? null : `expected at least ${wanted}, found ${found}`;
}

function effectsProblem(
  expected: NonNullable<Expectation["effects"]>,
  changes: Readonly<Record<string, TableChanges>>,
): string | null {
  const tables = [...new Set([...Object.keys(expected), ...Object.keys(changes)])];
  const problems = tables.flatMap((table) => {
    const found = changes[table];
    if (found === undefined) return [`there is no table "${table}"`];
    const wanted = expected[table] ?? {};
    return (["created", "updated", "deleted"] as const).flatMap((action) =>
      countProblem(`${table} ${action}`, {
        wanted: wanted[action] ?? 0,
        found: found[action].length,
        before: found.before,
      }),
    );
  });
  return problems.length === 0 ? null : problems.join("; ");
}

function countProblem(
  what: string,
  counts: { readonly wanted: RowCount; readonly found: number; readonly before: number },
): string[] {
  const { wanted, found, before } = counts;
  const holds =
    wanted === "some"
      ? found > 0
      : found === (wanted === "all" ? before : wanted) && (wanted !== "all" || before > 0);
  const named = wanted === "all" ? `all ${before}` : `${wanted}`;
  return holds ? [] : [`${what}: expected ${named}, found ${found}`];
}

function saysProblem(expected: readonly string[], reply: string): string | null {
  const missing = expected.filter((text) => !contains(reply, text));
  return missing.length === 0 ? null : `the reply does not say ${quoted(missing)}: ${reply}`;
}

function neverProblem(unwanted: readonly string[], reply: string): string | null {
  const said = unwanted.filter((text) => contains(reply, text));
  return said.length === 0 ? null : `the reply says ${quoted(said)}: ${reply}`;
}

function promptProblem(
  expected: NonNullable<Expectation["prompt"]>,
  turn: PlayedTurn,
): string | null {
  const problems = Object.entries(expected).flatMap(([node, text]) => {
    const prompts = promptsOf(turn, node);
    if (prompts.some((prompt) => prompt.includes(text))) return [];
    return prompts.length === 0
      ? [`"${node}" was shown no prompt; ${nodesOf(turn)} were`]
      : [`no prompt of "${node}" contains "${text}"`];
  });
  return problems.length === 0 ? null : problems.join("; ");
}

function nodesOf(turn: PlayedTurn): string {
  return [...new Set(eventsOf(turn, "prompt").map(({ node }) => node))].join(", ") || "none";
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}
