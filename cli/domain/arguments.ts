import { isTableName } from "../../domain/table-tools/sql.ts";
import { defineCommand, InvalidValue } from "../command-line.ts";

/** The tables of `npm run domain`. */
export const DOMAIN = {
  describe: defineCommand({
    start: "npm run --silent domain -- describe",
    settings: "domain",
    about: `
Describes existing tables and views of the database in DATABASE_URL as entity types that may only be
read: columns, kinds, values of enums and check constraints, references. Prints TypeScript, with the
migration that protects or shares the tables in a comment at its end. Changes nothing.`,
    arguments: {
      tables: ["TABLE…", "a table or view, with its schema: shop.orders", readTable],
    },
  }),
};

function readTable(text: string): string {
  if (isTableName(text)) return text;
  throw new InvalidValue(
    "write the name of a table as the database has it, without quotes, as in shop.orders or shop.Orders; give one with a dot or a quote in its name a view",
  );
}
