import { z } from "zod";
import { UNDO_TOOL } from "../../domain/define-domain.ts";
import type { PartialUndo } from "../../domain/undo.ts";
import { wordChanges } from "../../domain/word-changes.ts";
import { findDraftForRow } from "../../registry/entries.ts";
import type { Registry } from "../../state/registry.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { PendingCall } from "../../state/step.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { renderSentence } from "../../text/sentences.ts";
import { requireRun } from "../require-run.ts";
import { collectRules } from "./breaches.ts";
import { findConfirmedCall } from "./consent.ts";
import type { CallDone } from "./domain-call.ts";
import { mintEffectKey, type RunTurn } from "./effect-key.ts";
import type { Round } from "./round.ts";
import { buildToolContext, placeEffect } from "./tool-context.ts";
import { describeSince, listChanges } from "./unconfirmed-call.ts";

const UndoArgsSchema = z.object({
  effects: z.array(z.string()),
  /** The newest undo is meant. */
  redo: z.boolean().default(false),
  /** The message does not ask for it in words that code knows: the person is asked first. */
  ask: z.boolean().default(false),
});

/** An undo that the person asks for, or seems to ask for. */
export interface WantedUndo {
  readonly effects: string[];
  readonly redo?: boolean;
  readonly ask?: boolean;
}

/** The undo that the person asks for, decided by code. */
export function decideUndoCall(undo: WantedUndo, { run, turn }: RunTurn): PendingCall {
  return {
    step: 0,
    call: 1,
    callId: "undo_1",
    tool: UNDO_TOOL,
    args: { ...undo },
    argsError: null,
    effectKey: mintEffectKey(run, { turn, step: "undo", call: 1 }),
  };
}

/** Takes back the effects that a call names, or those of the last turn that wrote. */
export async function runUndo(
  pending: PendingCall,
  round: Round,
  registry: Registry,
): Promise<CallDone> {
  const { args, effectKey } = pending;
  const { state, services, io } = round;
  const { effects, redo: isRedo, ask } = UndoArgsSchema.parse(args);
  // No changes have this hash: all of them are asked about.
  const unconfirmed = ask ? "" : null;
  const result = await services.data.undo({
    userId: requireRun(state).userId,
    effect: placeEffect(round, { key: effectKey, origin: "undo" as const, tool: UNDO_TOOL }),
    effectIds: effects.map(readEffectId),
    isRedo,
    confirmedHash: findConfirmedCall(pending, round)?.changesHash ?? unconfirmed,
    tools: services.domain.tools,
    run: buildToolContext(round, registry),
    rules: await collectRules(state, services, io),
    journalDays: services.limits.journalDays,
  });
  switch (result.kind) {
    case "undone":
      return {
        kind: "outcome",
        outcome: nameDrafts(result.outcome, registry),
        effectId: result.effectId,
      };
    case "unconfirmed":
      return { kind: "unconfirmed", call: offerRest(pending, round, { ...result.rest, ask }) };
    case "refused":
      // The reason is worded for the person.
      return { kind: "refused", reason: result.reason, cause: null, breaches: [] };
    default:
      return result satisfies never;
  }
}

/** Names the drafts whose saving is taken back, or done again. */
function nameDrafts(outcome: ToolOutcome, registry: Registry): ToolOutcome {
  const writes = outcome.writes.map((write) => {
    const { type, row } = write;
    return { ...write, draft: findDraftForRow(registry, { type, id: row.id })?.ref ?? null };
  });
  return { ...outcome, writes };
}

interface AskedUndo extends PartialUndo {
  /** True where no word of the message asks for an undo. */
  readonly ask: boolean;
}

/** The undo of the rest, as it waits for the person's "yes". */
function offerRest(
  pending: PendingCall,
  round: Round,
  { effectIds, conflicts, changes, changesHash, labels, ask }: AskedUndo,
): UnconfirmedCall {
  const { entityTypes } = round.services.domain;
  const { journalDays } = round.services.limits;
  const { description = "", subdomain = "" } = round.plan.steps[pending.step] ?? {};
  const listed = listChanges(changes, entityTypes);
  const wording = [
    ...describeSince({ pending, round }, listed),
    ...(ask ? [renderSentence("undoNotAsked")] : []),
    ...(conflicts === null ? [] : [renderSentence("undoTheRest", { conflicts })]),
    wordChanges(changes, {
      entityTypes,
      labels,
      timeZone: requireRun(round.state).timeZone,
      reasons: [],
      undoDays: journalDays,
    }),
  ];
  return {
    tool: UNDO_TOOL,
    args: { effects: effectIds.map((id) => `e${id}`), rest: true },
    step: { description, subdomain },
    changesHash,
    rules: [`${UNDO_TOOL}: rest`],
    changes: listed,
    wording: wording.join(" "),
  };
}

/** A text that is no ref gives the number of no effect: the last change is undone only where none is named. */
function readEffectId(ref: string): number {
  return Number(/^e(\d{1,15})$/u.exec(ref)?.[1] ?? 0);
}
