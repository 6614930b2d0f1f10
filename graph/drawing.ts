import { Send } from "@langchain/langgraph";
import type { TurnState } from "../state/turn.ts";

/** The lane that a node works in, and what it does, for the drawing of the graph. */
export const NODES = {
  intake: describe("both", "Takes in the message and counts the turn"),
  understand: describe("both", "Reads the message: what it refers to, what it decides, which lane"),
  changePlan: describe("concierge", "Changes the plan's steps and decisions as the message asks"),
  think: describe("task", "Plans steps, or decides to ask or answer"),
  act: describe("task", "Chooses the next tool call of a step, or ends the step"),
  tools: describe("task", "Carries out the tool calls"),
  convene: describe("concierge", "Opens a batch: one question to several experts"),
  expert: describe("concierge", "Answers the question from one point of view"),
  mapper: describe("concierge", "Maps the answers to claims and their links"),
  structure: describe("concierge", "Analyses the map and archives the batch"),
  starter: describe("concierge", "Gives the first answer to an open question"),
  explorer: describe("concierge", "Narrows the options with the person"),
  executor: describe("concierge", "Presents the plan and helps with its steps"),
  reply: describe("both", "Writes the reply"),
  summarize: describe("both", "Writes the turn summary"),
  finish: describe("both", "Closes the registry for the turn and archives it"),
};

type Lane = "task" | "concierge" | "both";

function describe(lane: Lane, description: string) {
  return { metadata: { lane, description } };
}

/** Labels of the paths to the nodes that serve a message. */
const SERVICES = {
  reply: "clear answer or question",
  act: "one look-up",
  tools: "confirmed changes",
  think: "needs a plan",
  convene: "new open question",
  starter: "first answer",
  explorer: "explore options",
  executor: "carry out the plan",
} as const;

/** Labels of a node's paths in the drawing of the graph, by the node that each leads to. */
export const PATHS = {
  understand: { changePlan: "plan to change", ...SERVICES },
  changePlan: SERVICES,
  think: { act: "has a plan", reply: "just answer" },
  act: { tools: "call tools", act: "step done", think: "plan failed", reply: "all done" },
  tools: { act: "next call or step", think: "plan failed", reply: "all done" },
  convene: { expert: "every expert", mapper: "no expert", summarize: "meanwhile" },
  structure: {
    starter: "opening question",
    explorer: "opening question, plan wanted",
    executor: "plan",
    finish: "help with a step",
  },
  reply: {
    convene: "ask experts",
    changePlan: "second part, plan to change",
    starter: "second part, first answer",
    explorer: "second part, explore options",
    executor: "second part, carry out the plan",
    summarize: "reply is complete",
  },
  summarize: { mapper: "experts answer", finish: "summary is written" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Labels<Node extends string> = Readonly<Record<Node, string>>;
type Route<Node extends string> = (state: TurnState) => Node | readonly (Node | Send)[];

/**
 * Makes a route return labels, and returns the map from labels to nodes: LangGraph draws the key of a
 * path if it differs from the node's name.
 */
export function labelPaths<Node extends string>(
  route: Route<Node>,
  labels: Labels<Node>,
): [(state: TurnState) => string | (string | Send)[], Record<string, Node>] {
  const toLabel = (node: Node): string => labels[node];
  const labelled = (state: TurnState): string | (string | Send)[] => {
    const next = route(state);
    if (typeof next === "string") return toLabel(next);
    return next.map((one) => (one instanceof Send ? one : toLabel(one)));
  };
  const nodes: Record<string, Node> = {};
  for (const node in labels) nodes[labels[node]] = node;
  return [labelled, nodes];
}
