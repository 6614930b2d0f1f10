import { expect, test } from "vitest";
import { loadRows } from "../../nodes/steps/load-rows.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import type { WantedRows } from "../../state/store.ts";
import { testTypes } from "../support/entity-types.ts";
import { testServices } from "../support/node-services.ts";
import { readRecipes } from "../support/registry-events.ts";
import { turnState } from "../support/turn-state.ts";

test("loadRows() fetches a row that is held in part where it is named", async () => {
  const fetched: (readonly [detail: string, wanted: readonly WantedRows[]])[] = [];
  const services = testServices({});
  const data = {
    ...services.data,
    fetchRows: async (_userId: string, wanted: readonly WantedRows[], detail: string) => {
      fetched.push([detail, wanted]);
      return { reads: [], listed: [], linked: [] };
    },
  };
  const read = { ...readRecipes(1, ["Curry", "Toast", "Soup"]), detail: "summary" as const };
  const registry = foldRegistry(EMPTY_REGISTRY, [read], testTypes);
  const [first] = registry.entries;
  const needed = { registry, refs: ["recipe_1", "recipe_2"], services: { data } };

  await loadRows(turnState(), { ...needed, named: ["recipe_1"] });
  await loadRows(turnState(), { ...needed, named: [] });

  expect(fetched).toEqual([["full", [{ type: "recipe", ids: [first?.id] }]]]);
});
