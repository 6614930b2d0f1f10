import type { AnswerCall } from "../answer.ts";
import { type Clause, isShift } from "../language/request.ts";
import { countLeftOut, readRows } from "../prompt/read-rows.ts";
import { findFillable, findTable, type ShownTable } from "../prompt/read-tables.ts";
import { type FilterCondition, nameReader, readCall } from "./calls.ts";
import type { Job } from "./job.ts";
import { findName, findPlace } from "./read.ts";

/** Most reads before a write: with the writes they stay within a step's calls. */
const MOST_LOOKUPS = 4;

/** The reads that show what the names of a step mean; none where every name comes with its ref. */
export function findLookups(job: Job): AnswerCall[] {
  const lookups = new Map<ShownTable, FilterCondition[]>();
  for (const clause of job.clauses) {
    // An allergy is added to a row of its person, so that its names are no rows.
    const names = clause.kind === "allergy" ? [] : clause.names;
    // An amount becomes less by what its row has, and a day later.
    const open = names.filter(({ ref }) => ref === null || isLess(clause) || isShift(clause.to));
    if (names.length > 0 && open.length === 0) continue;
    for (const table of findHomes(clause, job)) {
      // What is there already is not added twice, but where it is counted.
      const [amount, flag] = [findFillable(table, "number"), findFillable(table, "boolean")];
      const isMore = names.some(({ more }) => more);
      if (clause.kind === "add" && amount !== null && flag === null && !isMore) continue;
      // A meal that is known is called by its dish and its day.
      const named = open.flatMap(({ text, ref }) =>
        ref === null
          ? splitNames(text).flatMap((name) => findName(name, table))
          : findName(text.replace(/, .*$/, ""), table),
      );
      const found = named.length > 0 ? named : findPlace(clause, table).slice(0, 1);
      lookups.set(table, [...(lookups.get(table) ?? []), ...found]);
    }
  }
  return [...lookups].slice(0, MOST_LOOKUPS).map(([table, anyOf]) => readCall(table, { anyOf }));
}

/** The names that "Rex & Bello" stands for where nothing is called so. */
export function splitNames(text: string): readonly string[] {
  return text.split(/\s+&\s+/);
}

/** Tells whether a clause takes a part of what a row has. */
export function isLess({ to }: Clause): boolean {
  return to !== null && to.quantity !== null && to.quantity < 0;
}

/** The tables in which the names of a clause are rows: its part, else its role, else all roles that hold rows of one's own; those of the step where refs name the rows. */
export function findHomes({ kind, part, names }: Clause, { words, tables }: Job): ShownTable[] {
  const { list, stock, choices, schedule } = words.roles;
  const hasRefs = names.length > 0 && names.every(({ ref }) => ref !== null);
  const own = hasRefs ? [] : [list, stock, schedule];
  const usual = kind === "plan" ? [choices] : part === null ? own : [part.subdomain];
  const named = usual.filter((subdomain) => subdomain !== null);
  const homes = named.length > 0 ? named : tables.map(({ table }) => table);
  const found = new Set(homes.flatMap((subdomain) => findTable(subdomain, tables) ?? []));
  return [...found].slice(0, MOST_LOOKUPS);
}

/** The rows of a table that the step has looked up; `isCut` where some were left out for want of room. */
export function findRows(table: ShownTable, { calls }: Job) {
  const results = calls
    .filter(({ name }) => name === nameReader(table))
    .map(({ result }) => result);
  const own = results
    .flatMap((result) => readRows(result, [table]))
    .filter(({ ref }) => ref.replace(/^gen_/, "").startsWith(`${table.prefix}_`));
  const rows = [...new Map(own.map((row) => [row.ref, row])).values()];
  return { rows, isCut: results.some((result) => countLeftOut(result) > 0) };
}
