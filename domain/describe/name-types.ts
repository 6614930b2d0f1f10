import { nameTableTool } from "../table-tools/tool-names.ts";
import type { CatalogueTable } from "../verify/catalogue.ts";
import { isRefPrefix } from "../verify/check-entity-type.ts";

/** The names of a table's rows in a description. */
export interface Nouns {
  readonly type: string;
  readonly one: string;
  readonly many: string;
}

/** A table with the names of its rows. */
export interface NamedTable {
  readonly table: CatalogueTable;
  readonly nouns: Nouns;
}

/**
 * Names the rows of each table, after its name, or that with its schema where others have it as well or
 * no type can be called so. No two get a type or a tool of one name.
 */
export function nameTypes(tables: readonly CatalogueTable[]): readonly NamedTable[] {
  const named: NamedTable[] = [];
  for (const table of tables) {
    const nouns = nameRows(table.name);
    const isAlone = tables.every((one) => one === table || !clash(nameRows(one.name), nouns));
    const long = `${table.schema}_${table.name}`;
    const wanted = isAlone ? nouns : nameRows(long);
    named.push({
      table,
      nouns: findFree(
        wanted,
        long,
        named.map((one) => one.nouns),
      ),
    });
  }
  return named;
}

function nameRows(name: string): Nouns {
  const type = wordType(name);
  return { type, one: type.replaceAll("_", " "), many: plural(name.replaceAll("_", " ")) };
}

function clash(one: Nouns, other: Nouns): boolean {
  const nameTool = (nouns: Nouns): string =>
    nameTableTool("read", { type: nouns.type, words: nouns });
  return one.type === other.type || nameTool(one) === nameTool(other);
}

/** Adds words before the name until it can be a type's, and is that of no other table. */
function findFree(wanted: Nouns, name: string, taken: readonly Nouns[]): Nouns {
  if (isRefPrefix(wanted.type) && !taken.some((other) => clash(wanted, other))) return wanted;
  return findFree(nameRows(name), `other_${name}`, taken);
}

function wordType(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const word = plain.replace(/[^a-z]+/g, "_");
  return singular(word.replace(/^_+|_+$/g, ""));
}

/** Words whose singular is their plural. */
const INVARIABLE = /(series|species|news)$/;

function singular(word: string): string {
  if (INVARIABLE.test(word) || /[isu]s$/.test(word)) return word;
  if (word.endsWith("ies")) return word.replace(/ies$/, "y");
  if (/(ss|x|ch|sh|[^ao]us)es$/.test(word)) return word.replace(/es$/, "");
  return word.replace(/s$/, "");
}

function plural(word: string): string {
  if (INVARIABLE.test(word) || singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, "ies");
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
