import type { Tables } from "../../../test/support/tables.ts";
import type { PlantedFact } from "./planted-facts.ts";

/** Whether a line holds all of a fact. */
export function holdsFact(line: string, { holds }: Pick<PlantedFact, "holds">): boolean {
  return holds.every((part) => part.test(line));
}

/** Each row on a line of its own, with the names of the rows it points at in place of their ids. */
export function rowLines(tables: Tables): readonly string[] {
  const rows = Object.values(tables).flat();
  const names = new Map(
    rows.flatMap(({ id, values }) => {
      const name = values["name"] ?? values["title"];
      return typeof name === "string" ? [[id, name]] : [];
    }),
  );
  return Object.entries(tables).flatMap(([table, own]) =>
    own.map(({ values }) =>
      `${table} ${JSON.stringify(values)}`.replace(IDS, (id) => names.get(id) ?? id),
    ),
  );
}

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
