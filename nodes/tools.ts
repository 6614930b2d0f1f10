import { viewConversation } from "../prompts/view.ts";
import { applyEvent, foldRegistry } from "../registry/apply-event.ts";
import { eventsOfOutcome, refsOf } from "../registry/outcome-events.ts";
import { createRefBook } from "../registry/ref-book.ts";
import { renderOutcome, summariseOutcome } from "../registry/render-outcome.ts";
import type { DomainTool } from "../domains/domain.ts";
import { JsonObjectSchema, type JsonObject } from "../state/json.ts";
import type { Plan, PlanStep } from "../state/plan.ts";
import type { Registry, RegistryEvent } from "../state/registry.ts";
import type { CallResult, Effect, PendingCall, StepResult } from "../state/step.ts";
import { ToolInputError, UnknownRefError, type ToolOutcome } from "../state/tool.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { breachQuestion, emitEnds } from "./act.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadPerson } from "./person.ts";
import { progressOf } from "./plan-progress.ts";
import { recall, type Recalled } from "./recall.ts";
import { runOf } from "./run-of.ts";

/** What one call came to, before refs are allotted. */
type Done =
  | {
      readonly kind: "outcome";
      readonly tool: DomainTool;
      readonly args: JsonObject;
      readonly outcome: ToolOutcome;
    }
  | { readonly kind: "recalled"; readonly recalled: Recalled }
  | {
      readonly kind: "refused";
      readonly reason: string;
      readonly breaches: CallResult["breaches"];
    };

interface Executed {
  readonly pending: PendingCall;
  readonly table: string;
  readonly effect: "read" | "write";
  readonly done: Done;
}

/**
 * Makes the node that carries out what `act` decided: steps side by side, the calls of one step in
 * order. Refs are allotted afterwards in step order by this one writer, so they are the same every
 * time. A write is applied once per effect key, however often the node runs.
 */
export function createToolsNode(services: NodeServices) {
  return async function tools(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan } = state;
    if (plan === null) throw new TypeError('Cannot run tools without "plan": a plan is made first');
    const back = await bringBack(state, services);
    const round = {
      state: { ...state, registryEvents: [...state.registryEvents, ...back] },
      plan,
      services,
      io,
    };
    const steps = [...new Set(state.pendingCalls.map(({ step }) => step))];
    const executed = await Promise.all(
      steps.map(async (step) => {
        const results: Executed[] = [];
        for (const pending of state.pendingCalls) {
          if (pending.step === step) results.push(await execute(pending, round));
        }
        return results;
      }),
    );
    return allot(executed.flat(), round);
  };
}

interface Round {
  readonly state: TurnState;
  readonly plan: Plan;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Entries that calls name and that have left the registry come back before a ref is called unknown. */
async function bringBack(state: TurnState, services: NodeServices): Promise<RegistryEvent[]> {
  const registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const known = new Set(registry.entries.map(({ ref }) => ref));
  const named = state.pendingCalls.flatMap(({ args }) => JSON.stringify(args).match(REF) ?? []);
  const gone = [...new Set(named)].filter((ref) => !known.has(ref));
  if (gone.length === 0) return [];
  const entries = await services.archive.findRefs({ ...runOf(state), refs: gone });
  return entries.map((entry) => ({ kind: "recalled", turn: state.turn, entry }));
}

const REF = /\b[a-z]+(?:_[a-z]+)*_\d+\b/gu;

async function execute(pending: PendingCall, round: Round): Promise<Executed> {
  const { services, io } = round;
  const tool = services.toolbox.tools.find(({ name }) => name === pending.tool);
  const effect = tool?.effect ?? "read";
  const table = tableOf(tool, pending);
  const place = { step: pending.step, call: pending.call, tool: pending.tool, table };
  io.emit({ type: "tool-start", ...place });
  const started = services.clock();
  const done = await runCall(pending, tool, round).catch((error: unknown): Done => {
    if (error instanceof ToolInputError || error instanceof UnknownRefError) {
      return { kind: "refused", reason: error.message, breaches: [] };
    }
    throw error;
  });
  io.emit({
    type: "tool-end",
    ...place,
    effect,
    ok: done.kind !== "refused",
    count: countOf(done),
    suppressed: done.kind === "outcome" && isSuppressed(done.outcome),
    ms: services.clock() - started,
  });
  return { pending, table, effect, done };
}

async function runCall(
  pending: PendingCall,
  tool: DomainTool | undefined,
  round: Round,
): Promise<Done> {
  const { state, services, io, plan } = round;
  const run = runOf(state);
  if (pending.argsError !== null) {
    throw new ToolInputError(
      `Cannot call "${pending.tool}": its arguments are not JSON: ${pending.argsError}`,
    );
  }
  const { registry } = viewConversation(state, services);
  if (tool === undefined) {
    if (pending.tool === "recall") {
      const recalled = await recall(pending.args, { services, run, registry });
      return { kind: "recalled", recalled };
    }
    const names = services.toolbox.tools.map(({ name }) => name).join(", ");
    throw new ToolInputError(
      `Cannot call "${pending.tool}": no such tool; there are: ${names}, recall`,
    );
  }
  const args = JsonObjectSchema.safeParse(pending.args);
  if (!args.success) {
    throw new ToolInputError(`Cannot call "${pending.tool}": its arguments must be one object`);
  }
  const step = plan.steps[pending.step];
  if (tool.effect === "write") {
    const refusal = await refuseWrite(tool, { args: args.data, step, round, registry });
    if (refusal !== null) return refusal;
  }
  const draftRead = readFromRegistry(tool, args.data, registry);
  if (draftRead !== null) return { kind: "outcome", tool, args: args.data, outcome: draftRead };
  const context = {
    userId: run.userId,
    today: run.today,
    timeZone: run.timeZone,
    refs: createRefBook(registry),
    signal: io.signal,
  };
  if (tool.effect === "read") {
    const outcome = await services.userData.read(run.userId, (tx) =>
      services.toolbox.run(tool, args.data, { ...context, tx }),
    );
    return { kind: "outcome", tool, args: args.data, outcome };
  }
  const { result } = await services.userData.write(
    run.userId,
    { key: pending.effectKey, threadId: run.threadId },
    (tx) => services.toolbox.run(tool, args.data, { ...context, tx }),
  );
  return { kind: "outcome", tool, args: args.data, outcome: result };
}

/** Why a write must not happen; null when nothing speaks against it. */
async function refuseWrite(
  tool: DomainTool,
  facts: {
    readonly args: JsonObject;
    readonly step: PlanStep | undefined;
    readonly round: Round;
    readonly registry: Registry;
  },
): Promise<Done | null> {
  const { args, step, round, registry } = facts;
  const { state, services } = round;
  if (step?.stepType !== "write") {
    const reason = `Cannot call "${tool.name}" in a ${step?.stepType ?? "missing"} step: only write steps change data`;
    return { kind: "refused", reason, breaches: [] };
  }
  const contents = tool.contentOf?.(args, createRefBook(registry)) ?? [];
  if (contents.length === 0) return null;
  const run = runOf(state);
  const { profile } = await loadPerson(services, run);
  const breaches = services.domain.checks
    .write(contents, { constraints: state.constraints, profile: profile.facts, today: run.today })
    .filter(({ constraint }) => state.understanding?.waived.includes(constraint) !== true);
  if (breaches.length === 0) return null;
  const list = breaches.map(({ constraint, reason }) => `${reason} (${constraint})`).join("; ");
  return {
    kind: "refused",
    reason: `Not done, it breaks what holds: ${list}. Put it right, or ask with ask_user; the same call again becomes a question to the person.`,
    breaches: [...breaches],
  };
}

/** A read of drafts that are not saved is served from the registry; null for every other call. */
function readFromRegistry(
  tool: DomainTool,
  args: JsonObject,
  registry: Registry,
): ToolOutcome | null {
  const refs = args["refs"];
  if (tool.effect !== "read" || !Array.isArray(refs) || refs.length === 0) return null;
  const drafts = registry.entries.filter(
    (entry) => entry.id === null && entry.row !== null && refs.includes(entry.ref),
  );
  if (drafts.length !== refs.length) return null;
  const lines = drafts.map(
    ({ ref, label, row }) => `${ref} (draft, not saved): ${label} ${JSON.stringify(row)}`,
  );
  return { reads: [], writes: [], failures: [], linked: [], text: lines.join("\n") };
}

function tableOf(tool: DomainTool | undefined, pending: PendingCall): string {
  if (tool === undefined) return pending.tool === "recall" ? "turns" : "";
  const args = JsonObjectSchema.safeParse(pending.args);
  try {
    return args.success ? tool.tableOf(args.data) : "";
  } catch {
    return "";
  }
}

function isSuppressed(outcome: ToolOutcome): boolean {
  return outcome.reads.length > 0 && outcome.reads.every(({ suppressed }) => suppressed);
}

function countOf(done: Done): number {
  switch (done.kind) {
    case "outcome":
      return (
        done.outcome.reads.reduce((sum, read) => sum + read.ids.length, 0) +
        done.outcome.writes.length
      );
    case "recalled":
      return done.recalled.count;
    case "refused":
      return 0;
    default:
      return done satisfies never;
  }
}

/** Gives refs in step order and closes the steps that are answered. */
function allot(executed: readonly Executed[], round: Round): TurnUpdate {
  const { state, plan, services, io } = round;
  const types = services.domain.entityTypes;
  let registry = foldRegistry(state.registry, state.registryEvents, types);
  const events: RegistryEvent[] = [];
  const effects: Effect[] = [];
  const results = [...state.stepResults];
  for (const call of executed) {
    const own = eventsOf(call.done, state.turn);
    registry = own.reduce((before, event) => applyEvent(before, event, types), registry);
    events.push(...own);
    const made = effectsOf(call, registry, services);
    effects.push(...made);
    const before = results[call.pending.step];
    if (before === undefined) continue;
    const result = callResult(call, { registry, effects: made, services });
    results[call.pending.step] = { ...before, calls: [...before.calls, result] };
  }
  for (const { action, ref, table, label } of effects) {
    io.emit({ type: "effect", action, ref, table, label });
  }
  const touched = new Set(executed.map(({ pending }) => pending.step));
  const closed = results.map((result) =>
    touched.has(result.step) ? closeIfAnswered(result, plan.steps[result.step], services) : result,
  );
  const progress = progressOf(plan, closed, { group: state.cursor?.group ?? 1 });
  const stepResults = [...progress.results];
  emitEnds(state.stepResults, stepResults, io);
  return {
    pendingCalls: [],
    stepResults,
    registryEvents: [...state.registryEvents, ...events],
    effects: [...state.effects, ...effects],
    cursor: { group: progress.group },
  };
}

function eventsOf(done: Done, turn: number): RegistryEvent[] {
  switch (done.kind) {
    case "outcome":
      return eventsOfOutcome(done.outcome, { turn });
    case "recalled":
      return done.recalled.entries.map((entry) => ({ kind: "recalled", turn, entry }));
    case "refused":
      return [];
    default:
      return done satisfies never;
  }
}

function effectsOf(call: Executed, registry: Registry, services: NodeServices): Effect[] {
  if (call.done.kind !== "outcome") return [];
  return call.done.outcome.writes.flatMap(({ action, type, row }) => {
    const [ref] = refsOf(registry, type, [row.id]);
    const entityType = services.domain.entityTypes.find((candidate) => candidate.type === type);
    const entry = registry.entries.find((candidate) => candidate.ref === ref);
    if (ref === undefined || entityType === undefined || entry === undefined) return [];
    return [
      {
        action,
        ref,
        type,
        table: entityType.table,
        label: entry.label,
        facts: entry.facts,
        step: call.pending.step,
      },
    ];
  });
}

function callResult(
  { pending, table, effect, done }: Executed,
  facts: {
    readonly registry: Registry;
    readonly effects: readonly Effect[];
    readonly services: NodeServices;
  },
): CallResult {
  const base = {
    call: pending.call,
    callId: pending.callId,
    tool: pending.tool,
    table,
    args: pending.args,
    effect,
    count: countOf(done),
  };
  const nothing = { suppressed: false, failures: [], breaches: [] };
  switch (done.kind) {
    case "refused":
      return {
        ...base,
        ...nothing,
        ok: false,
        text: done.reason,
        summary: done.reason,
        refs: [],
        breaches: [...done.breaches],
      };
    case "recalled":
      return {
        ...base,
        ...nothing,
        ok: true,
        text: done.recalled.text,
        summary: `Recalled ${done.recalled.count} earlier turns`,
        refs: [...done.recalled.refs],
      };
    case "outcome": {
      const { registry, services } = facts;
      const read = done.outcome.reads.flatMap(({ type, ids }) => refsOf(registry, type, ids));
      return {
        ...base,
        ok: true,
        text: renderOutcome(done.outcome, {
          registry,
          types: services.domain.entityTypes,
          budget: services.limits.rowsTokens,
          countTokens: services.countTokens,
        }).text,
        summary: summariseOutcome(done.outcome, { types: services.domain.entityTypes }),
        refs: [...read, ...facts.effects.map(({ ref }) => ref)],
        suppressed: isSuppressed(done.outcome),
        failures: [...done.outcome.failures],
        breaches: [],
      };
    }
    default:
      return done satisfies never;
  }
}

/**
 * A read step whose reads have answered is complete without another model call. A write that was
 * sent back twice for the same reason becomes a question that names it.
 */
function closeIfAnswered(
  result: StepResult,
  step: PlanStep | undefined,
  services: NodeServices,
): StepResult {
  const refused = result.calls.filter(({ breaches }) => breaches.length > 0);
  const last = refused.at(-1);
  if (refused.length > 1 && last !== undefined) {
    return {
      ...result,
      status: "asked",
      outcome: "Held back",
      breaches: last.breaches,
      question: breachQuestion(last.breaches),
    };
  }
  const answered = result.calls.length > 0 && result.calls.every(answeredOrMended);
  if (step?.stepType !== "read" || !answered) return result;
  const good = result.calls.filter(({ ok }) => ok);
  const empty = good.every(({ count }) => count === 0);
  return {
    ...result,
    status: "done",
    outcome: empty
      ? services.domain.emptyText(result.calls[0]?.table ?? "")
      : [...new Set(good.map(({ summary }) => summary))].join("; "),
    refs: [...new Set(good.flatMap(({ refs }) => refs))],
  };
}

/** A call that went wrong counts as mended once the same tool has answered for the same table. */
function answeredOrMended(call: CallResult, index: number, calls: readonly CallResult[]): boolean {
  return (
    call.ok ||
    calls
      .slice(index + 1)
      .some(({ ok, tool, table }) => ok && tool === call.tool && table === call.table)
  );
}
