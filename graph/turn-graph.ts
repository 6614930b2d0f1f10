import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import {
  END,
  START,
  StateGraph,
  type CompiledStateGraph,
  type LangGraphRunnableConfig,
  type StateDefinition,
} from "@langchain/langgraph";
import { createActNode } from "../nodes/act.ts";
import { createChangePlanNode } from "../nodes/change-plan.ts";
import { createConveneNode } from "../nodes/convene.ts";
import { createExecutorNode } from "../nodes/executor.ts";
import { createExpertNode } from "../nodes/expert.ts";
import { createExplorerNode } from "../nodes/explorer.ts";
import { createFinishNode } from "../nodes/finish.ts";
import { createIntakeNode } from "../nodes/intake.ts";
import { describeFit, fitServices } from "../nodes/fit-services.ts";
import type { NodeIO, NodeServices } from "../nodes/node.ts";
import { createReplyNode } from "../nodes/reply.ts";
import { createMapperNode } from "../nodes/mapper.ts";
import { createStarterNode } from "../nodes/starter.ts";
import { createStructureNode } from "../nodes/structure.ts";
import { createSummarizeNode } from "../nodes/summarize.ts";
import { createThinkNode } from "../nodes/think.ts";
import { createToolsNode } from "../nodes/tools.ts";
import { createUnderstandNode } from "../nodes/understand.ts";
import { EventBodySchema, type Emit } from "../state/event.ts";
import { ModelRoleSchema, type ModelRole } from "../state/model.ts";
import { LeaseClaimSchema } from "../state/store.ts";
import { narrowed } from "../state/turn-context.ts";
import { TurnStateSchema, type TurnState, type TurnUpdate } from "../state/turn.ts";
import { TurnMeter } from "../nodes/ask/turn-meter.ts";
import { TurnAttempt } from "./turn-attempt.ts";
import { labelPaths, NODES, PATHS } from "./drawing.ts";
import {
  routeAfterAct,
  routeAfterConvene,
  routeAfterReply,
  routeAfterStructure,
  routeAfterSummarize,
  routeAfterThink,
  routeAfterTools,
  routeAfterUnderstand,
  routeToService,
} from "./routes.ts";

/**
 * Wires the turn: intake → understand → changePlan → think → act ⇄ tools → reply → summarize → finish, and in
 * the concierge lane starter, explorer and executor → reply, with batches (convene → expert, one
 * task each → mapper → structure) before, between and after them.
 *
 * `configurable.stop` (an `AbortSignal`) stops a turn: model calls at once, everything else between
 * two nodes, so that the work of a node is always checkpointed. `configurable.cut` (another one)
 * aborts when a message waits: the running batch then ends with the answers it has.
 * `configurable.attempt` (a `TurnAttempt`) notes the beginning of this attempt at the turn, from which
 * `turnSeconds` count, and what the turn has used of its budget.
 * `configurable.lease` (a `LeaseClaim`) protects all writes; without one they are not protected. If
 * neither lease nor stop is given, the caller's own signal stops the turn.
 *
 * A run with bounds uses services that are narrowed to them, and each node's are fitted to its models.
 */
export function createTurnGraph(
  services: NodeServices,
  checkpointer: BaseCheckpointSaver,
): TurnGraph {
  const node = (name: keyof typeof ASKED, create: (services: NodeServices) => NodeRun) =>
    observed(name, speaking(bounded(create, { services, roles: ASKED[name] }), services), services);
  return new StateGraph(TurnStateSchema)
    .addNode("intake", node("intake", createIntakeNode), NODES.intake)
    .addNode("understand", node("understand", createUnderstandNode), NODES.understand)
    .addNode("changePlan", node("changePlan", createChangePlanNode), NODES.changePlan)
    .addNode("think", node("think", createThinkNode), NODES.think)
    .addNode("act", node("act", createActNode), NODES.act)
    .addNode("tools", node("tools", createToolsNode), NODES.tools)
    .addNode("convene", node("convene", createConveneNode), NODES.convene)
    .addNode("expert", withoutNodeEvents(createExpertNode(services), services), NODES.expert)
    .addNode("mapper", node("mapper", createMapperNode), NODES.mapper)
    .addNode("structure", node("structure", createStructureNode), NODES.structure)
    .addNode("starter", node("starter", createStarterNode), NODES.starter)
    .addNode("explorer", node("explorer", createExplorerNode), NODES.explorer)
    .addNode("executor", node("executor", createExecutorNode), NODES.executor)
    .addNode("reply", node("reply", createReplyNode), NODES.reply)
    .addNode("summarize", node("summarize", createSummarizeNode), NODES.summarize)
    .addNode("finish", node("finish", createFinishNode), NODES.finish)
    .addEdge(START, "intake")
    .addEdge("intake", "understand")
    .addConditionalEdges("understand", ...labelPaths(routeAfterUnderstand, PATHS.understand))
    .addConditionalEdges("changePlan", ...labelPaths(routeToService, PATHS.changePlan))
    .addConditionalEdges("think", ...labelPaths(routeAfterThink, PATHS.think))
    .addConditionalEdges("act", ...labelPaths(routeAfterAct, PATHS.act))
    .addConditionalEdges("tools", ...labelPaths(routeAfterTools, PATHS.tools))
    .addConditionalEdges("convene", ...labelPaths(routeAfterConvene, PATHS.convene))
    .addEdge("expert", "mapper")
    .addEdge("mapper", "structure")
    .addConditionalEdges("structure", ...labelPaths(routeAfterStructure, PATHS.structure))
    .addEdge("starter", "reply")
    .addEdge("explorer", "reply")
    .addEdge("executor", "reply")
    .addConditionalEdges("reply", ...labelPaths(routeAfterReply, PATHS.reply))
    .addConditionalEdges("summarize", ...labelPaths(routeAfterSummarize, PATHS.summarize))
    .addEdge("finish", END)
    .compile({ checkpointer, name: "concierge" });
}

type NodeName =
  | "intake"
  | "understand"
  | "changePlan"
  | "think"
  | "act"
  | "tools"
  | "convene"
  | "expert"
  | "mapper"
  | "structure"
  | "starter"
  | "explorer"
  | "executor"
  | "reply"
  | "summarize"
  | "finish";

/** The compiled graph of a turn. Written out, because the inferred type fills a megabyte of declarations. */
export type TurnGraph = CompiledStateGraph<
  TurnState,
  TurnUpdate,
  NodeName | typeof START,
  typeof TurnStateSchema,
  typeof TurnStateSchema,
  StateDefinition,
  Readonly<Record<NodeName, TurnUpdate>>
>;

/** Returns the number of super-steps that a turn may take, from the limits of its plan. */
export function computeRecursionLimit(limits: NodeServices["limits"]): number {
  const rounds = limits.stepsPerPlan * (limits.replansPerTurn + 1) * (limits.roundsPerStep * 2 + 4);
  return rounds + CONCIERGE_STEPS + 10;
}

/** A change of the plan, three batches of four steps each, two concierges and their replies. Not a setting: it follows from the graph. */
const CONCIERGE_STEPS = 17;

/** Wraps a node that emits its own start and end events, because many of them run side by side. */
function withoutNodeEvents(
  run: (sent: unknown, io: NodeIO) => Promise<TurnUpdate>,
  { now }: Clocks,
) {
  return async (sent: unknown, config: LangGraphRunnableConfig): Promise<TurnUpdate> => {
    const io = readNodeIO(config, now);
    io.signal?.throwIfAborted();
    return run(sent, io);
  };
}

type Clocks = Pick<NodeServices, "clock" | "now">;

/** The work of a node. */
type NodeRun = (state: TurnState, io: NodeIO) => TurnUpdate | Promise<TurnUpdate>;

/** All roles: what a node keeps for later turns stands in the prompt of each of them. */
const ALL_ROLES = ModelRoleSchema.options;

/** The roles of the models to which each node is fitted: those that it asks, or whose prompts show what it makes. */
const ASKED = {
  intake: [],
  understand: ["understand"],
  changePlan: ["concierge"],
  think: ["think"],
  act: ["act"],
  tools: ["act"],
  convene: ["expert"],
  mapper: ["mapper"],
  structure: ["expert", "concierge"],
  starter: ["concierge"],
  explorer: ["concierge"],
  executor: ["concierge"],
  reply: ["reply"],
  summarize: ALL_ROLES,
  finish: ALL_ROLES,
} as const satisfies Readonly<Record<string, readonly ModelRole[]>>;

interface BoundedOptions {
  readonly services: NodeServices;
  readonly roles: readonly ModelRole[];
}

/** Creates a node that keeps to the bounds of its run and to what its models can deal with. */
function bounded(
  create: (services: NodeServices) => NodeRun,
  { services, roles }: BoundedOptions,
): NodeRun {
  // What models can do is learned while they are used.
  const unbounded = new Map<string, NodeRun>();
  return (state, io) => {
    const bounds = state.run?.bounds;
    if (bounds !== undefined) {
      return create(fitServices(narrowed(services, bounds), roles))(state, io);
    }
    const fit = describeFit(services, roles);
    const run = unbounded.get(fit) ?? create(fitServices(services, roles));
    unbounded.set(fit, run);
    return run(state, io);
  };
}

/** Wraps a node so that code's sentences in it are in the conversation's language. */
function speaking(run: NodeRun, { sentences }: Pick<NodeServices, "sentences">): NodeRun {
  return (state, io) => sentences.speak(state.language, () => run(state, io));
}

/** Wraps a node with events and a timer, and does not start it once a stop was requested. */
function observed(name: string, run: NodeRun, { clock, now }: Clocks) {
  return async (state: TurnState, config: LangGraphRunnableConfig): Promise<TurnUpdate> => {
    const io = readNodeIO(config, now);
    const { emit, signal } = io;
    // Until intake has run, the calls in the state are those of the turn before.
    if (name !== "intake") io.meter?.begin(state.calls);
    signal?.throwIfAborted();
    emit({ type: "node-start", node: name });
    const started = clock();
    try {
      return await run(state, io);
    } finally {
      emit({ type: "node-end", node: name, ms: clock() - started });
    }
  };
}

function readNodeIO(config: LangGraphRunnableConfig, now: () => number): NodeIO {
  const emit: Emit = (event) => config.writer?.(EventBodySchema.parse(event));
  const lease = LeaseClaimSchema.nullable().parse(config.configurable?.["lease"] ?? null);
  const ownSignal = lease === null ? (config.signal ?? null) : null;
  return {
    emit,
    signal: readConfiguredSignal(config, "stop") ?? ownSignal,
    cut: readConfiguredSignal(config, "cut"),
    lease,
    ...readAttempt(config, now),
    invoked: {
      threadId: readConfiguredText(config, "thread_id"),
      runId: readConfiguredText(config, "run_id") ?? config.runId ?? null,
      context: config.context,
    },
  };
}

function readAttempt(
  config: LangGraphRunnableConfig,
  now: () => number,
): Pick<NodeIO, "startedAt" | "meter"> {
  const attempt: unknown = config.configurable?.["attempt"];
  return attempt instanceof TurnAttempt
    ? { startedAt: attempt.begin(now()), meter: attempt.meter }
    : { meter: new TurnMeter() };
}

function readConfiguredText(
  config: LangGraphRunnableConfig,
  key: "thread_id" | "run_id",
): string | null {
  const value: unknown = config.configurable?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function readConfiguredSignal(
  config: LangGraphRunnableConfig,
  key: "stop" | "cut",
): AbortSignal | null {
  const signal: unknown = config.configurable?.[key];
  return signal instanceof AbortSignal ? signal : null;
}
