import { expect, test } from "vitest";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import { NODES, PATHS } from "../../graph/drawing.ts";
import { mealsDomain } from "../../meals/index.ts";
import { testDatabase } from "../support/database.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { politeModels } from "../support/test-thread.ts";

const { pool, userData } = await testDatabase();
const storage = {
  checkpointer: createCheckpointer(pool),
  archive: createTurnArchive(pool),
  userData,
};

test("createConciergeGraph() has its counter of tokens load before the first turn, whose lease it would hold up", () => {
  const counted: string[] = [];
  createConciergeGraph({
    models: politeModels(),
    countTokens: (text) => counted.push(text),
    storage,
  });

  expect(counted).not.toEqual([]);
});

test("the drawing of the graph describes each node and labels each conditional path in words", async () => {
  const graph = createConciergeGraph({
    domain: mealsDomain,
    models: politeModels(),
    countTokens: countRoughly,
    storage,
  });

  const { nodes, edges } = await graph.getGraphAsync();

  const described = Object.entries(nodes).filter(([id]) => !id.startsWith("__"));
  expect(Object.fromEntries(described.map(([id, { metadata }]) => [id, { metadata }]))).toEqual(
    NODES,
  );
  const paths = edges.filter(({ conditional }) => conditional === true);
  expect(paths).toHaveLength(Object.values(PATHS).flatMap((labels) => Object.keys(labels)).length);
  expect(paths.filter(({ data }) => data === undefined || data in NODES)).toEqual([]);
});
