import { messagesStateReducer } from "@langchain/langgraph";
import {
  routeAfterAct,
  routeAfterReply,
  routeAfterSummarize,
  routeAfterThink,
  routeAfterTools,
  routeAfterUnderstand,
} from "../../graph/routes.ts";
import { createActNode } from "../../nodes/act.ts";
import { createFinishNode } from "../../nodes/finish.ts";
import { createIntakeNode } from "../../nodes/intake.ts";
import type { NodeIO, NodeServices } from "../../nodes/node.ts";
import { createReplyNode } from "../../nodes/reply.ts";
import { createSummarizeNode } from "../../nodes/summarize.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import type { TurnState, TurnUpdate } from "../../state/turn.ts";
import { TEST_RUN, turnState } from "../../test/support/turn-state.ts";
import type { EndedTurn, TurnRunner } from "./play.ts";

/** The nodes and routes of the task lane in a plain loop: no LangGraph, no database. */
export class LoopRunner implements TurnRunner {
  readonly #nodes: ReturnType<typeof createNodes>;
  #state: TurnState = turnState({ turn: 0, input: null });

  constructor(services: NodeServices) {
    this.#nodes = createNodes(services);
  }

  async synchronise(): Promise<void> {
    // The world's own rows are what the nodes read and write.
  }

  readState(): TurnState {
    return this.#state;
  }

  async run(text: string, turn: number): Promise<EndedTurn> {
    const run = { ...TEST_RUN, runId: `run-${turn}` };
    this.#state = { ...this.#state, input: { messageId: `m-${turn}`, text }, run };
    await this.#step("intake");
    await this.#step("understand");
    let next: string = routeAfterUnderstand(this.#state);
    while (next !== "reply") {
      await this.#step(next);
      next = this.#route(next);
    }
    await this.#step("reply");
    const replied = this.#state;
    await this.#step(routeAfterReply(this.#state));
    const events = this.#state.registryEvents;
    await this.#step(routeAfterSummarize(this.#state));
    return { events, replied };
  }

  #route(node: string): string {
    switch (node) {
      case "think":
        return routeAfterThink(this.#state);
      case "act":
        return routeAfterAct(this.#state);
      case "tools":
        return routeAfterTools(this.#state);
      default:
        throw new RangeError(`Cannot go on after "${node}": only the task lane is played`);
    }
  }

  async #step(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (node === undefined) throw new RangeError(`Cannot play the node "${name}"`);
    this.#state = applyUpdate(this.#state, await node(this.#state, IO));
  }
}

type Node = (state: TurnState, io: NodeIO) => TurnUpdate | Promise<TurnUpdate>;

const IO: NodeIO = { emit: () => undefined, signal: null, cut: null, lease: null };

function createNodes(services: NodeServices): ReadonlyMap<string, Node> {
  return new Map<string, Node>([
    ["intake", createIntakeNode(services)],
    ["understand", createUnderstandNode(services)],
    ["think", createThinkNode(services)],
    ["act", createActNode(services)],
    ["tools", createToolsNode(services)],
    ["reply", createReplyNode(services)],
    ["summarize", createSummarizeNode(services)],
    ["finish", createFinishNode(services)],
  ]);
}

function applyUpdate(state: TurnState, { messages = [], ...update }: TurnUpdate): TurnState {
  const added = Array.isArray(messages) ? messages : [];
  // An update names no channel that it leaves as it is.
  return Object.assign({}, state, update, {
    messages: messagesStateReducer(state.messages, added),
  });
}
