import { z } from "zod";
import { CATEGORIES, type Category } from "./categories.ts";
import { readYaml } from "./read-yaml.ts";

/** An ingredient the catalogue knows. */
export interface CatalogueEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: Category | null;
  /** Grams of one millilitre, as it is measured in a kitchen; null where volume and weight must stay apart. */
  readonly gramsPerMl: number | null;
}

/** An entry as a data file writes it, without its category. */
export const CatalogueEntrySchema = z.strictObject({
  name: z.string(),
  aliases: z.array(z.string()).default([]),
  gramsPerMl: z.number().nullable().default(null),
});

const CatalogueSchema = z
  .partialRecord(z.enum(CATEGORIES), z.array(CatalogueEntrySchema))
  .transform((aisles): readonly CatalogueEntry[] =>
    CATEGORIES.flatMap((category) =>
      (aisles[category] ?? []).map((entry) => Object.assign(entry, { category })),
    ),
  );

/** The standard entries of every kitchen's catalogue; a household's own entries take precedence. */
export const STANDARD_CATALOGUE = readYaml(
  new URL("catalogue.yaml", import.meta.url),
  CatalogueSchema,
);
