import { UNDO_TOOL } from "../../domain/define-domain.ts";
import type { Tool } from "../../state/domain.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { PendingCall } from "../../state/step.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { oneLine } from "../../text/fence.ts";
import { runRead, runWrite, type CallDone } from "./domain-call.ts";
import { changesOutside, runOutside } from "./outside-call.ts";
import { recall } from "./recall.ts";
import type { DomainCall, Round } from "./round.ts";
import { runUndo } from "./undo-call.ts";
import { requireRun } from "../require-run.ts";
import {
  describeFault,
  describeRefusal,
  STOPPED_REFUSAL,
  type ToolRefusal,
} from "./tool-refusal.ts";

/** A call that was carried out, or refused. */
export interface ExecutedCall {
  readonly pending: PendingCall;
  readonly table: string;
  readonly effect: "read" | "write";
  /** True for a service outside the database. */
  readonly isOutside: boolean;
  readonly done: CallDone;
  readonly notices: readonly Notice[];
}

/** Carries out one decided call and announces it; what a model can put right is a refusal, not an error. */
export async function runCall(pending: PendingCall, round: Round): Promise<ExecutedCall> {
  const { services, io } = round;
  const tool = services.toolbox.tools.find(({ name }) => name === pending.tool);
  const isWrite = isUndo(pending, round) || (tool !== undefined && changesData(tool));
  const effect = isWrite ? "write" : "read";
  const table = readTableName(tool, pending, round);
  const place = { step: pending.step, call: pending.call, tool: pending.tool, table };
  io.emit({ type: "tool-start", ...place });
  const started = services.clock();
  const { done, notices } = await tryCall(pending, tool, round);
  io.emit({
    type: "tool-end",
    ...place,
    effect,
    ok: done.kind !== "refused" && done.kind !== "unconfirmed",
    count: countResults(done),
    suppressed: isSuppressed(done),
    ms: services.clock() - started,
  });
  return { pending, table, effect, isOutside: tool?.effect === "call", done, notices };
}

/**
 * Checks for a stop before the call and never inside a node: the results of calls that ran beside or
 * before it are always kept.
 */
async function tryCall(
  pending: PendingCall,
  tool: Tool | undefined,
  round: Round,
): Promise<Pick<ExecutedCall, "done" | "notices">> {
  const { services } = round;
  if (isStopped(round)) return refused(STOPPED_REFUSAL);
  try {
    return { done: await carryOut(pending, tool, round), notices: [] };
  } catch (error) {
    // The arguments of a domain's own tool are no columns.
    const isGenerated = tool !== undefined && services.toolbox.isGenerated(tool);
    const table = isGenerated ? readTableName(tool, pending, round) : null;
    const entityType = services.domain.entityTypes.find((type) => type.table === table) ?? null;
    const stopped = isStopped(round);
    const refusal = describeRefusal(error, { tool: pending.tool, stopped, entityType });
    if (refusal.notice !== null) {
      services.log.warn(`The tool "${pending.tool}" failed: ${oneLine(describeFault(error))}`);
    }
    return refused(refusal);
  }
}

/** Returns true for an undo that the person has asked for, or said yes to. */
function isUndo({ tool }: PendingCall, { plan }: Round): boolean {
  return tool === UNDO_TOOL && (plan.origin === "undo" || plan.origin === "confirmation");
}

/** Returns true for a tool that changes rows, or something outside. */
function changesData(tool: Tool): boolean {
  return tool.effect === "write" || changesOutside(tool);
}

function isStopped({ io }: Round): boolean {
  return io.signal?.aborted === true;
}

function refused({ notice, ...refusal }: ToolRefusal): Pick<ExecutedCall, "done" | "notices"> {
  return {
    done: { kind: "refused", ...refusal, breaches: [] },
    notices: notice === null ? [] : [notice],
  };
}

/** Returns the number of rows or turns that a call found or wrote. */
export function countResults(done: CallDone): number {
  switch (done.kind) {
    case "outcome": {
      const { reads, writes, undescribed } = done.outcome;
      return reads.reduce((sum, read) => sum + read.ids.length, writes.length + undescribed);
    }
    case "held":
      return done.refs.length;
    case "recalled":
      return done.recalled.count;
    case "unconfirmed":
    case "refused":
      return 0;
    default:
      return done satisfies never;
  }
}

/** Returns true where nothing was fetched, because all requested rows were held already. */
export function isSuppressed(done: CallDone): boolean {
  if (done.kind === "held") return true;
  if (done.kind !== "outcome") return false;
  const { reads } = done.outcome;
  return reads.length > 0 && reads.every(({ suppressed }) => suppressed);
}

async function carryOut(
  pending: PendingCall,
  tool: Tool | undefined,
  round: Round,
): Promise<CallDone> {
  const { state, services } = round;
  if (pending.argsError !== null) {
    throw new ToolInputError(
      `Cannot call "${pending.tool}": its arguments are not JSON: ${pending.argsError}`,
    );
  }
  const types = services.domain.entityTypes;
  const registry = foldRegistry(state.registry, state.registryEvents, types);
  if (isUndo(pending, round)) return runUndo(pending, round, registry);
  if (tool === undefined) {
    if (pending.tool !== "recall") throw unknownTool(pending.tool, round);
    const recalled = await recall(pending.args, { services, run: requireRun(state), registry });
    return { kind: "recalled", recalled };
  }
  const args = JsonObjectSchema.safeParse(pending.args);
  if (!args.success) {
    throw new ToolInputError(`Cannot call "${pending.tool}": its arguments must be one object`);
  }
  const call: DomainCall = { tool, args: args.data, pending, registry, round };
  switch (tool.effect) {
    case "read":
      return runRead(call);
    case "write":
      return runWrite(call);
    case "call":
      return runOutside(call);
    default:
      return tool.effect satisfies never;
  }
}

function unknownTool(name: string, { services }: Round): ToolInputError {
  const names = services.toolbox.tools.map((tool) => tool.name).join(", ");
  return new ToolInputError(`Cannot call "${name}": no such tool; there are: ${names}, recall`);
}

function readTableName(tool: Tool | undefined, pending: PendingCall, { services }: Round): string {
  if (tool === undefined) return pending.tool === "recall" ? "turns" : "";
  const args = JsonObjectSchema.safeParse(pending.args);
  try {
    return args.success ? services.toolbox.findTable(tool, args.data) : "";
  } catch {
    return "";
  }
}
