import { toRegistryEvents, findOutcomeRefs } from "../../registry/outcome-events.ts";
import { blotIds, createIdHider } from "../../registry/hide-ids.ts";
import {
  renderOutcome,
  summariseFailures,
  summariseOutcome,
} from "../../registry/render-outcome.ts";
import { clip } from "../../registry/shorten.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import type { CallResult, Effect } from "../../state/step.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import type { CallDone } from "./domain-call.ts";
import type { NodeServices } from "../node.ts";
import { joinLabels, listCallLabels } from "./name-calls.ts";
import { listNamedRefs } from "./named-rows.ts";
import type { Round } from "./round.ts";
import { fence, oneLine } from "../../text/fence.ts";
import { renderSentence } from "../../text/sentences.ts";
import { refsInJson } from "../reply/refs-in-text.ts";
import { replaceRefs } from "../../registry/replace-refs.ts";
import { countResults, isSuppressed, type ExecutedCall } from "./run-call.ts";

/** Returns the registry events of a call. */
export function collectCallEvents(done: CallDone, turn: number): RegistryEvent[] {
  switch (done.kind) {
    case "outcome":
      return toRegistryEvents(done.outcome, { turn });
    case "held":
      return [{ kind: "referenced", turn, refs: [...done.refs] }];
    case "recalled":
      return done.recalled.entries.map((entry) => ({ kind: "recalled", turn, entry }));
    case "unconfirmed":
    case "refused":
      return [];
    default:
      return done satisfies never;
  }
}

/** Returns the rows that a call wrote, under their refs; `registry` already holds them. */
export function collectEffects(
  { done, pending }: ExecutedCall,
  registry: Registry,
  { domain }: Pick<NodeServices, "domain">,
): Effect[] {
  if (done.kind !== "outcome" || done.effectId === null) return [];
  const { effectId } = done;
  return done.outcome.writes.flatMap(({ action, type, row, draft, change }): Effect[] => {
    const [ref = draft] = findOutcomeRefs(registry, type, [row.id]);
    const entityType = domain.entityTypes.find((candidate) => candidate.type === type);
    const entry = registry.entries.find((candidate) => candidate.ref === ref);
    if (ref === null || entityType === undefined || entry === undefined) return [];
    const { label, facts } = entry;
    const { table } = entityType;
    return [{ effectId, action, ref, type, table, label, facts, change, step: pending.step }];
  });
}

interface CallResultOptions {
  /** With the call's own events applied. */
  readonly registry: Registry;
  readonly effects: readonly Effect[];
  readonly round: Round;
}

/** Builds the result of a call as its step keeps it, for the model and for the turn summary. */
export function callResult(call: ExecutedCall, facts: CallResultOptions): CallResult {
  const { pending, table, effect, isOutside, done } = call;
  const base = {
    call: pending.call,
    callId: pending.callId,
    tool: pending.tool,
    table,
    args: pending.args,
    effect,
    count: countResults(done),
    suppressed: isSuppressed(done),
    undescribed: null,
    failures: [],
    outside: null,
    breaches: [],
  };
  switch (done.kind) {
    case "unconfirmed": {
      const summary = renderSentence("waitsForYes");
      return { ...base, ok: false, text: summary, summary, refs: [] };
    }
    case "refused": {
      const { reason, breaches } = done;
      const cause = done.cause === null ? null : wordForPerson(done.cause, facts.registry);
      const failures = listRefusedRows(call, facts);
      return {
        ...base,
        ok: false,
        text: clip(reason, facts.round.services.limits.callAnswerCharacters),
        summary: summariseFailures(failures)[0] ?? cause ?? reason,
        refs: failures.length === 0 ? [] : listNamedByCall(call, facts),
        failures,
        breaches: [...breaches],
        ...(done.isExplained === true ? { isExplained: true } : {}),
      };
    }
    case "held": {
      const { text, refs } = done;
      const summary = renderSentence("draftsAtHand", { count: refs.length });
      return { ...base, ok: true, text, summary, refs: [...refs] };
    }
    case "recalled": {
      const { text, count, refs } = done.recalled;
      const summary = renderSentence("turnsRecalled", { count });
      return { ...base, ok: true, text, summary, refs: [...refs] };
    }
    case "outcome":
      return {
        ...base,
        ok: true,
        ...describeToolOutcome(done.outcome, call, facts),
        undescribed: describeUndescribed(done),
        outside: isOutside ? { answer: describeAnswer(done.outcome, facts) } : null,
      };
    default:
      return done satisfies never;
  }
}

function describeUndescribed({
  outcome: { undescribed: rows },
  effectId,
}: Extract<CallDone, { kind: "outcome" }>): CallResult["undescribed"] {
  return effectId === null || rows === 0 ? null : { rows, effectId };
}

/** The rows that a refused write leaves as they were, with what the person may know of the cause. */
function listRefusedRows(
  { pending, effect, done }: ExecutedCall,
  { registry, round }: CallResultOptions,
): CallResult["failures"] {
  if (done.kind !== "refused" || done.cause === null || effect !== "write") return [];
  const { tool: name, args } = pending;
  const { toolbox } = round.services;
  const refs = new Set(refsInJson(args));
  const named = registry.entries.filter(({ ref }) => refs.has(ref));
  const gone = named.filter(({ action }) => action === "deleted");
  const cause = wordForPerson(done.cause, registry);
  if (gone.length > 0 && toolbox.findCreated(name) === null) {
    return named.map((entry) => ({
      label: entry.label,
      ref: null,
      reason: gone.includes(entry) ? renderSentence("rowGone") : cause,
    }));
  }
  const labels = listCallLabels({ name, args }, { toolbox, registry });
  const rows = joinLabels(gone.map(({ label }) => label));
  const reason = rows === "" ? cause : renderSentence("rowsGone", { rows });
  return [{ label: joinLabels(labels), ref: null, reason }];
}

/** Refs of the rows that a refused call was to change; none for a creation. */
function listNamedByCall(
  { pending }: ExecutedCall,
  { registry, round }: CallResultOptions,
): string[] {
  if (round.services.toolbox.findCreated(pending.tool) !== null) return [];
  const known = new Set(registry.entries.map(({ ref }) => ref));
  return refsInJson(pending.args).filter((ref) => known.has(ref));
}

/** Most characters that a reply shows of a service's answer, or of the reason for a refusal. */
const WORDED_CHARACTERS = 600;

/** Words what a tool says for the person, on one line that cannot pass for several of ours. */
function wordForPerson(text: string, registry: Registry): string {
  return clip(oneLine(blotIds(replaceRefs(text, registry))), WORDED_CHARACTERS);
}

/** Words the answer of a service for the person; null where none came. */
function describeAnswer(
  outcome: ToolOutcome,
  { registry, round }: CallResultOptions,
): string | null {
  const { failures, text, reads } = outcome;
  if (failures.length > 0) return null;
  const { entityTypes: types } = round.services.domain;
  const found = reads.length === 0 ? [] : [summariseOutcome({ ...outcome, text: null }, types)];
  const words = [...found, ...(text === null ? [] : [text])].join(". ");
  const answer = createIdHider(registry, types)(words);
  return wordForPerson(answer, registry) || renderSentence("outsideDone");
}

function describeToolOutcome(
  outcome: ToolOutcome,
  { pending, isOutside }: ExecutedCall,
  { registry, effects, round }: CallResultOptions,
): Pick<CallResult, "text" | "summary" | "refs" | "failures"> {
  const { state, plan, services } = round;
  const { domain, limits, toolbox, tier = "full", countTokens } = services;
  const step = plan.steps[pending.step];
  // A tool of the domain has an order of its own: no reader goes on where it ended.
  const findReader = (type: string): string | null => {
    const reader = step === undefined ? null : toolbox.findReader({ ...step, tier }, type);
    return reader === pending.tool || outcome.reads.every((each) => each.type !== type)
      ? reader
      : null;
  };
  const types = domain.entityTypes;
  // A model that is given no text does not know that its call was carried out.
  const emptyResult = renderSentence(isOutside ? "outsideDone" : "noRowChanged");
  const read = outcome.reads.flatMap(({ type, ids }) => findOutcomeRefs(registry, type, ids));
  // What a service says is data, however much it looks like a result of ours.
  const text = isOutside && outcome.text !== null ? fence("data", outcome.text) : outcome.text;
  const rendered = renderOutcome(
    { ...outcome, text },
    {
      registry,
      types,
      named: listNamedRefs(registry, state),
      findReader,
      budget: limits.rowsTokens,
      countTokens,
    },
  );
  return {
    text: rendered || emptyResult,
    summary: summariseOutcome(outcome, types),
    refs: [...read, ...effects.map(({ ref }) => ref)],
    failures: [...outcome.failures],
  };
}
