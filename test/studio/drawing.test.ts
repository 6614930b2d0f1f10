import { expect, test } from "vitest";
import { createTurnGraph } from "../../graph/turn-graph.ts";
import { MemorySaver } from "@langchain/langgraph";
import { testServices } from "../support/node-services.ts";

test("the graph's drawing shows every way a turn can take, and no other", async () => {
  const graph = createTurnGraph(testServices(), new MemorySaver());

  const { nodes, edges } = await graph.getGraphAsync();

  const ways = Object.keys(nodes).map((node) => {
    const from = edges.filter(({ source }) => source === node);
    const names = from.map(({ target, conditional }) => (conditional ? `${target}?` : target));
    return [node, names.toSorted().join(" ")];
  });
  expect(Object.fromEntries(ways)).toEqual({
    __start__: "intake",
    intake: "understand",
    understand: "act? changePlan? convene? executor? explorer? reply? starter? think? tools?",
    changePlan: "act? convene? executor? explorer? reply? starter? think? tools?",
    think: "act? reply?",
    act: "act? reply? think? tools?",
    tools: "act? reply? think?",
    convene: "expert? mapper? summarize?",
    expert: "mapper",
    mapper: "structure",
    structure: "executor? explorer? finish? starter?",
    starter: "reply",
    explorer: "reply",
    executor: "reply",
    reply: "changePlan? convene? executor? explorer? starter? summarize?",
    summarize: "finish? mapper?",
    finish: "__end__",
    __end__: "",
  });
});
