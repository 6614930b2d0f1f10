import { DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import { applyEvent, foldRegistry } from "../../registry/apply-event.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { RegistryEvent } from "../../state/registry.ts";
import type { Effect, StepResult } from "../../state/step.ts";
import type { TurnUpdate } from "../../state/turn.ts";
import { describeNothingFound } from "../reply/nothing-found.ts";
import { wordFailedReads } from "../reply/render-look-up.ts";
import { callResult, collectEffects, collectCallEvents } from "./call-result.ts";
import {
  hasAnswered,
  listTouched,
  mendFailures,
  openRows,
  summariseWrites,
  writeStatus,
} from "./open-rows.ts";
import { advancePlan } from "./plan-progress.ts";
import type { Round } from "./round.ts";
import type { ExecutedCall } from "./run-call.ts";
import { emitEnds } from "./step-events.ts";
import { countInWords } from "../../registry/types.ts";
import { renderSentence } from "../../text/sentences.ts";
import { completesStep } from "./step-tools.ts";

/** Joins the calls of a round in the given order, gives their rows refs, and closes the steps that are answered. */
export function foldCalls(executed: readonly ExecutedCall[], round: Round): TurnUpdate {
  const { state, plan, services, io } = round;
  const types = services.domain.entityTypes;
  let registry = foldRegistry(state.registry, state.registryEvents, types);
  const events: RegistryEvent[] = [];
  const effects: Effect[] = [];
  const results = [...state.stepResults];
  for (const each of executed) {
    const call = withoutDeleted(each, [...state.effects, ...effects]);
    const own = collectCallEvents(call.done, state.turn);
    registry = own.reduce((before, event) => applyEvent(before, event, types), registry);
    events.push(...own);
    const made = collectEffects(call, registry, services);
    effects.push(...made);
    const before = results[call.pending.step];
    if (before === undefined) continue;
    const result = callResult(call, { registry, effects: made, round });
    const known = { toolbox: services.toolbox, registry };
    const calls = mendFailures([...before.calls, result], made, known);
    const stored = new Set(made.map(({ label }) => label));
    const notStarted = before.notStarted.filter((label) => !stored.has(label));
    const added = call.done.kind === "outcome" ? call.done.outcome.warnings : [];
    const warnings = [...before.warnings, ...added];
    results[call.pending.step] = { ...before, calls, notStarted, warnings };
  }
  for (const { action, ref, table, label } of effects) {
    io.emit({ type: "effect", action, ref, table, label });
  }
  const closed = results.map((result) => {
    const own = executed.filter(({ pending }) => pending.step === result.step);
    const made = own.length;
    const step = plan.steps[result.step];
    const completes = state.pendingCalls.some(
      (pending) => pending.step === result.step && completesStep({ name: pending.tool }),
    );
    const worded = own.some(hasOnlyText);
    const unconfirmed = own.flatMap(({ done }) => (done.kind === "unconfirmed" ? [done.call] : []));
    if (unconfirmed.length > 0) return askFirst(result, unconfirmed);
    if (plan.origin === "confirmation" || plan.origin === "undo") return closeConfirmed(result);
    return made === 0
      ? result
      : closeIfAnswered(result, { step, made, completes, worded, services });
  });
  const progress = advancePlan(plan, closed, { group: state.cursor?.group ?? 1 });
  const stepResults = [...progress.results];
  const notices = executed.flatMap((call) => call.notices);
  emitEnds(state.stepResults, stepResults, io);
  return {
    pendingCalls: [],
    stepResults,
    registryEvents: [...state.registryEvents, ...events],
    effects: [...state.effects, ...effects],
    cursor: { group: progress.group },
    ...(notices.length === 0 ? {} : { notices: [...state.notices, ...notices] }),
  };
}

/** A deletion has not failed at rows that an earlier call of the turn has taken along. */
function withoutDeleted(call: ExecutedCall, effects: readonly Effect[]): ExecutedCall {
  const { pending, done } = call;
  if (pending.tool !== DELETE_TOOL || done.kind !== "outcome") return call;
  const deleted = new Set(
    effects.filter(({ action }) => action === "deleted").map(({ ref }) => ref),
  );
  const failures = done.outcome.failures.filter(({ ref }) => ref === null || !deleted.has(ref));
  return { ...call, done: { ...done, outcome: { ...done.outcome, failures } } };
}

/** The step waits for the person's "yes"; what its other calls have stored stays. */
function askFirst(result: StepResult, unconfirmed: readonly UnconfirmedCall[]): StepResult {
  const question = unconfirmed.map(({ wording }) => wording).join("\n");
  return { ...result, status: "asked", outcome: question, question, unconfirmed: [...unconfirmed] };
}

/** A step whose calls the person has decided ends with them: no model is asked. */
function closeConfirmed(result: StepResult): StepResult {
  const good = result.calls.filter(({ ok }) => ok);
  const refused = result.calls.filter(({ ok }) => !ok);
  const outcome = [...good, ...refused]
    .map(({ summary }) => summary)
    .filter((text) => text !== "")
    .join("; ");
  return { ...result, status: writeStatus(result), outcome, refs: listTouched(result) };
}

interface CloseIfAnsweredOptions {
  readonly step: PlanStep | undefined;
  readonly made: number;
  readonly completes: boolean;
  readonly worded: boolean;
}

/**
 * A read step is complete without another model call once a whole round of its calls (the last
 * `made` ones) has answered with rows: what a tool told in words (`worded`) only a model can pass
 * on. A write step that was told to complete with them (`completes`), once each of them has gone
 * through whole.
 */
function closeIfAnswered(
  result: StepResult,
  { step, made, completes, worded, services }: Pick<Round, "services"> & CloseIfAnsweredOptions,
): StepResult {
  const round = result.calls.slice(-made);
  if (completes) return closeIfWritten(result, round);
  if (step?.stepType !== "read" || worded || !round.every(({ ok }) => ok)) return result;
  // Calls over the limit of a round are still to be made.
  if (result.notStarted.length > 0) return { ...result, notStarted: [] };
  const good = result.calls.filter(({ ok }) => ok);
  const empty = good.every(({ count }) => count === 0);
  // That nothing was found is no answer to what could not be looked up.
  if (empty && wordFailedReads(result.calls, services.domain) !== null) return result;
  return {
    ...result,
    status: "done",
    outcome: empty ? describeNothingFound(good, services.domain) : describeFound(good, services),
    refs: listTouched(result),
  };
}

/** Says what calls found: several reads of one type that found different rows are counted together. */
function describeFound(
  good: StepResult["calls"],
  { domain }: Pick<Round["services"], "domain">,
): string {
  const alike = Map.groupBy(good, ({ summary }) => summary);
  const lines = [...alike].map(([summary, calls]) => {
    const refs = new Set(calls.flatMap((call) => call.refs));
    const type = domain.entityTypes.find(({ table }) => table === calls[0]?.table);
    const isSeveral = calls.length > 1 && refs.size > (calls[0]?.refs.length ?? 0);
    return isSeveral && type !== undefined
      ? renderSentence("found", { rows: countInWords(type, refs.size) })
      : summary;
  });
  return lines.join("; ");
}

/** Returns true where a tool answered with a text and no row: one of the domain's, or a recall that has found turns. */
function hasOnlyText({ done }: ExecutedCall): boolean {
  if (done.kind === "recalled") return done.recalled.count > 0;
  if (done.kind !== "outcome") return false;
  const { reads, writes, text } = done.outcome;
  return reads.length === 0 && writes.length === 0 && text !== null;
}

/**
 * A write step is done when every call of the round wrote something, or a service has done it, and no row is left open. Where a
 * call was refused before, its model says what could not be done.
 */
function closeIfWritten(result: StepResult, round: StepResult["calls"]): StepResult {
  const wrote = round.every(
    (call) => call.effect === "write" && (call.count > 0 || hasAnswered(call)),
  );
  const whole = result.calls.every(({ ok }) => ok) && openRows(result).length === 0;
  if (!wrote || !whole) return result;
  const outcome = summariseWrites(result.calls);
  return { ...result, status: "done", outcome, refs: listTouched(result) };
}
