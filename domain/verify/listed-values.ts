import type { CatalogueColumn, CatalogueTable } from "./catalogue.ts";
import { isText } from "./column-kinds.ts";

const VALUE = String.raw`'(?:[^']|'')*'::[a-z ]+`;

/** A check constraint that does nothing but list the values of one column, as PostgreSQL prints it. */
const LISTING = new RegExp(
  String.raw`^CHECK \(\(+"?(\w+)"?\)?(?:::text)? = (?:ANY \(+ARRAY\[)?(${VALUE}(?:, ${VALUE})*)(?:\]\)?(?:::text\[\])?\))?\)+$`,
);

/** The values that the database allows in a column: those of an enum, or of a check constraint that lists them; empty where it lists none. */
export function listAllowedValues(
  { name, type, labels }: CatalogueColumn,
  { checks }: Pick<CatalogueTable, "checks">,
): readonly string[] {
  if (labels.length > 0) return labels;
  if (!isText(type)) return [];
  const lists = checks.flatMap((check) => {
    const [, column, values] = LISTING.exec(check) ?? [];
    return column === name && values !== undefined ? [values] : [];
  });
  const texts = lists[0]?.matchAll(/'((?:[^']|'')*)'::/g) ?? [];
  return [...texts].map(([, text = ""]) => text.replaceAll("''", "'"));
}
