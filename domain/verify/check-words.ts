import type { Domain } from "../../state/domain.ts";
import { SimulatedWordsSchema } from "../../state/simulated-words.ts";

/** Finds texts of prompts and replies that say nothing, and words that the simulated model cannot read. Pure. */
export function checkWords({
  persona,
  entityTypes,
  subdomains,
  emptyText,
  simulated,
}: Domain): readonly string[] {
  const words = SimulatedWordsSchema.optional().safeParse(simulated);
  const names = new Set(entityTypes.flatMap(({ columns }) => columns.map(({ name }) => name)));
  return [
    ...(persona.trim() === "" ? ['"persona" is empty; say who answers: "a librarian"'] : []),
    ...subdomains
      .filter(({ about }) => about.trim() === "")
      .map(({ name }) => `Subdomain "${name}": about is empty; say what its rows are`),
    ...entityTypes
      .filter(({ table }) => typeof attempt(() => emptyText(table)) !== "string")
      .map(({ table }) => `emptyText gives no text for the table "${table}"; return one`),
    ...(words.error?.issues ?? []).map(
      ({ path, message }) => `simulated: ${[...path, message].join(": ")}`,
    ),
    ...(words.data?.columns ?? [])
      .filter((column) => !names.has(column))
      .map((column) => `simulated: columns: no type has a column "${column}"`),
  ];
}

/** Returns what a function of the domain gives; undefined where it throws. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
