import type { CatalogueTable } from "./catalogue.ts";
import { quoteNames } from "./sentences.ts";

/** Finds why the triggers and policies of a table would not hold for all of its rows: it is a part of another, or has parts elsewhere. Pure. */
export function checkPlace({ partOf, heirs }: CatalogueTable, name: string): readonly string[] {
  if (partOf !== null) {
    return [
      `Table "${name}" is a partition of "${partOf}", and rows are read and changed there without its policies; describe "${partOf}"`,
    ];
  }
  if (heirs.length === 0) return [];
  return [
    `Table "${name}" shows the rows of the tables that inherit from it, ${quoteNames(heirs)}, and no trigger of its own records their changes; describe those, or a view`,
  ];
}
