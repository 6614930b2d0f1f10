import type { Cell, ResultTable } from "../measurement.ts";
import type { ShownPrompt } from "./shown-prompt.ts";

/** What the sections of a node's largest prompt cost along the conversation. */
export function sectionTable(
  node: string,
  { prompts, turns }: { readonly prompts: readonly ShownPrompt[]; readonly turns: number },
): ResultTable {
  const marks = [1, 10, 50, 100, 200].filter((turn) => turn <= turns);
  const own = prompts.filter((prompt) => prompt.node === node);
  const shown = marks.map((mark) => largestNear(own, mark));
  const kinds = [...new Set(own.flatMap(({ sections }) => sections.map(({ kind }) => kind)))];
  const row = (name: string, value: (prompt: ShownPrompt) => number): Cell[] => [
    name,
    ...shown.map((prompt) => (prompt === null ? null : value(prompt))),
  ];
  return {
    title: `${node}: the turn's largest prompt by section`,
    columns: ["tokens of", ...marks.map((mark) => `turn ${mark}`)],
    rows: [
      row("schema and tools", ({ schemaTokens }) => schemaTokens),
      ...kinds.map((kind) => row(kind, (prompt) => sectionTokens(prompt, kind))),
      row("roles and earlier calls", ({ threadTokens }) => threadTokens),
      row("whole prompt", ({ tokens }) => tokens),
      row("(turn)", ({ turn }) => turn),
    ],
    notes: ["Where the node was not asked in a turn, the nearest turn in which it was."],
  };
}

/** The largest prompt of the turn nearest to a mark, the earlier of two; null where there is none. */
function largestNear(prompts: readonly ShownPrompt[], mark: number): ShownPrompt | null {
  const [nearest] = prompts.toSorted(
    (a, b) => Math.abs(a.turn - mark) - Math.abs(b.turn - mark) || a.turn - b.turn,
  );
  const [first = null] = prompts
    .filter(({ turn }) => turn === nearest?.turn)
    .toSorted((a, b) => b.tokens - a.tokens);
  return first;
}

function sectionTokens({ sections }: ShownPrompt, kind: string): number {
  return sections.find((section) => section.kind === kind)?.tokens ?? 0;
}
