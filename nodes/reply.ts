import { Temporal } from "temporal-polyfill";
import { AIMessage, RemoveMessage, type BaseMessage } from "@langchain/core/messages";
import { createReplyGate, gateReply } from "../output-filter/reply-gate.ts";
import { buildMetaResponse } from "../output-filter/meta-response.ts";
import { buildReplyPrompt } from "../prompts/reply.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { findFocus } from "../registry/working-set.ts";
import { createIdHider } from "../registry/hide-ids.ts";
import { renderRows } from "../registry/render-rows.ts";
import type { Limits } from "../state/limits.ts";
import type { Confirmation } from "../state/pending.ts";
import type { RegistryEvent } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { renderConversationFlow } from "../summaries/conversation-flow.ts";
import { askForText } from "./ask/ask-model.ts";
import { describeCurrentExchange } from "./current-turn.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadRows } from "./steps/load-rows.ts";
import { listNamedRefs } from "./steps/named-rows.ts";
import { openRows } from "./steps/open-rows.ts";
import { loadPerson } from "./person.ts";
import { describeDropped } from "./reply/confirmation-dropped.ts";
import { describeWarnings, listWarnings } from "./reply/warnings.ts";
import { collectReplyNames } from "./reply/reply-names.ts";
import { nextReplyId } from "./reply/create-reply.ts";
import { refsNamedIn } from "./reply/refs-named-in.ts";
import {
  askedQuestion,
  directReply,
  fallbackReply,
  outcomeLines,
  type DirectReply,
} from "./reply/reply-text.ts";
import { requireRun } from "./require-run.ts";

/** Makes the only node that speaks. What code can say without loss, code says. */
export function createReplyNode(services: NodeServices) {
  return async function reply(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const view = viewConversation(state, services);
    const id = nextReplyId(state);
    const direct =
      (await metaReply(state, services)) ??
      directReply(state, {
        registry: view.registry,
        domain: services.domain,
        expiresAt: () =>
          formatInstant(services.now() + services.limits.confirmationHours * MS_PER_HOUR),
      });
    // A concierge's words have been shown already, as they came.
    const passedOn = state.passedOnReply;
    const written =
      passedOn !== null
        ? { text: passedOn.text, calls: [], notices: [], events: [] }
        : direct === null
          ? await writeReply(state, { view, services, io, id })
          : { text: direct.text, calls: [], notices: [], events: [] };
    if (passedOn === null && direct !== null)
      io.emit({ type: "text-delta", reply: id, text: direct.text });

    const added = `${describeWarnings(state)}${describeDropped(state)}`;
    if (added !== "") io.emit({ type: "text-delta", reply: id, text: added });
    const reply = { ...written, text: `${written.text}${added}` };

    const listed = refsNamedIn(reply.text, view.registry);
    const events: RegistryEvent[] = [
      ...written.events,
      ...(listed.length === 0 ? [] : [{ kind: "listed" as const, turn: state.turn, refs: listed }]),
    ];
    const pending = direct?.pending ?? askedQuestion(state)?.pending ?? null;
    if (pending?.kind === "confirmation") emitConfirmation(pending, io);
    return {
      passedOnReply: null,
      replies: [
        ...state.replies,
        {
          id,
          text: reply.text,
          at: formatInstant(services.now()),
        },
      ],
      messages: [
        ...overflow(state.messages, services.limits),
        new AIMessage({
          id,
          content: reply.text,
          additional_kwargs: { turn: state.turn },
        }),
      ],
      ...(events.length === 0 ? {} : { registryEvents: [...state.registryEvents, ...events] }),
      ...(pending === null ? {} : { pending }),
      calls: [...state.calls, ...reply.calls],
      notices: [...state.notices, ...reply.notices],
    };
  };
}

const MS_PER_HOUR = 3_600_000;

function emitConfirmation({ id, text, calls, expiresAt }: Confirmation, io: NodeIO): void {
  io.emit({
    type: "confirmation",
    id,
    wording: text,
    changes: calls.flatMap(({ changes }) => changes),
    rules: [...new Set(calls.flatMap(({ rules }) => rules))],
    expiresAt,
  });
}

/** ISO 8601 in UTC, to the millisecond. */
function formatInstant(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toString();
}

/**
 * Answers a question about the sources of the concierge's last reply from its last batch;
 * null for any other question: the task lane answers from its own turn summaries.
 */
async function metaReply(state: TurnState, services: NodeServices): Promise<DirectReply | null> {
  const { understanding, opening, conciergeThread, turn } = state;
  const answeredLast = conciergeThread.throughTurn === turn - 1;
  if (understanding?.route !== "meta" || opening === null || !answeredLast) return null;
  const batch = await services.archive.latestBatch(requireRun(state));
  // Help with a step is asked for after an answer and goes into the next one.
  const isOf = batch !== null && batch.turn >= conciergeThread.throughTurn - 1;
  return { text: buildMetaResponse(batch?.analysis ?? null, { earlier: !isOf }), pending: null };
}

interface WriteReplyOptions {
  readonly view: ConversationView;
  readonly services: NodeServices;
  readonly io: NodeIO;
  readonly id: string;
}

async function writeReply(
  state: TurnState,
  facts: WriteReplyOptions,
): Promise<{
  readonly text: string;
  readonly calls: TurnState["calls"];
  readonly notices: readonly Notice[];
  /** Rows that were loaded for the prompt. */
  readonly events: readonly RegistryEvent[];
}> {
  const { services, io, id } = facts;
  const { registry } = facts.view;
  const refs = listRefsToShow(state, facts.view);
  const spokenOf = facts.view.workingSet.named.map(({ ref }) => ref);
  const events = await loadRows(state, { registry, refs, named: spokenOf, services });
  const view =
    events.length === 0
      ? facts.view
      : viewConversation(
          { ...state, registryEvents: [...state.registryEvents, ...events] },
          services,
        );
  const run = requireRun(state);
  const person = await loadPerson(services, run);
  const drafts = view.workingSet.drafts.map(({ ref }) => ref);
  const named = [...drafts, ...listNamedRefs(view.registry, state)];
  const names = collectReplyNames(view.registry, services.domain.entityTypes);
  const gate = createReplyGate(names);
  let streamed = "";
  const asked = await askForText(
    {
      node: "reply",
      role: "reply",
      run,
      turn: state.turn,
      parts: buildReplyPrompt(
        {
          view,
          conversationFlow: renderConversationFlow({
            turn: state.turn,
            activity: services.domain.activity,
            records: state.turnExecutionSummaries,
            current: describeCurrentExchange(state, view),
          }),
          goal: state.plan?.goal ?? "Answer the message",
          reasoning: state.plan?.reasoning ?? state.understanding?.reasoning ?? "",
          outcomes: outcomeLines(state),
          effects: effectLines(state, view),
          failures: failureLines(state),
          warnings: listWarnings(state),
          rows: rowsToShow(refs, { named, view, services }),
          profile: person.profile.text,
          snapshot: person.snapshot,
          locale: run.locale,
        },
        services,
      ),
      required: ["rules", "message"],
      thread: [],
      earlier: state.notices,
      maxOutputTokens: services.limits.replyOutputTokens,
    },
    {
      onText: (text) => {
        const shown = gate.push(text);
        streamed += shown;
        if (shown !== "") io.emit({ type: "text-delta", reply: id, text: shown });
      },
      services,
      io,
    },
  );
  const answered = asked.kind === "answered" ? gateReply(asked.value, names).trim() : "";
  const text = answered === "" ? fallbackReply(state, view.registry) : answered;
  if (text.startsWith(streamed)) {
    const rest = text.slice(streamed.length);
    if (rest !== "") io.emit({ type: "text-delta", reply: id, text: rest });
  } else {
    // A cut stream, or a stand-in: the words that were shown are replaced.
    io.emit({ type: "reply-reset", reply: id });
    io.emit({ type: "text-delta", reply: id, text });
  }
  return { text, calls: [...asked.calls], notices: asked.notices, events };
}

/** One line a row that was written. */
function effectLines(state: TurnState, view: ConversationView): string[] {
  const hideIds = createIdHider(view.registry);
  return state.effects.map(({ action, label, facts }) =>
    hideIds(`${action} ${label}${facts === "" ? "" : ` — ${facts}`}`),
  );
}

/**
 * Refs whose rows the reply is about: the results of the steps, else what the message names, else
 * what is left of a choice that this turn has touched, the list shown last where nothing was done.
 */
function listRefsToShow(state: TurnState, { workingSet }: ConversationView): string[] {
  const steps = state.plan?.steps ?? [];
  const refsIn = (type: string): string[] =>
    state.stepResults
      .filter(({ step }) => steps[step]?.stepType === type)
      .flatMap(({ refs }) => refs);
  const judged = refsIn("analyze");
  const drafts = state.stepResults.flatMap(({ artifacts }) => artifacts);
  const focus = findFocus(workingSet);
  // After an exclusion without an analysis of its own, what remains is what there is to say.
  const remaining =
    judged.length === 0 && focus?.touchedTurn === state.turn
      ? focus.left.map(({ ref }) => ref)
      : [];
  const refs = [
    ...drafts,
    ...refsIn("write"),
    ...judged,
    ...remaining,
    ...workingSet.named.map(({ ref }) => ref),
    // After an analysis only its result is shown, not every row that it read.
    ...(judged.length === 0 ? refsIn("read") : []),
    ...(steps.length === 0 ? workingSet.listed.map(({ ref }) => ref) : []),
  ];
  // What was left out earlier is shown to one who asks about it.
  const asked = new Set(
    workingSet.named.filter((item) => item.excluded?.turn !== state.turn).map(({ ref }) => ref),
  );
  const excluded = new Set(
    [...workingSet.choices.flatMap((choice) => choice.excluded), ...workingSet.excludedElsewhere]
      .map(({ ref }) => ref)
      .filter((ref) => !asked.has(ref)),
  );
  return [...new Set(refs)].filter((ref) => !excluded.has(ref));
}

interface RowsToShowOptions {
  readonly named: readonly string[];
  readonly view: ConversationView;
  readonly services: NodeServices;
}

function rowsToShow(refs: readonly string[], { named, view, services }: RowsToShowOptions): string {
  if (refs.length === 0) return "";
  return renderRows(view.registry, {
    refs,
    named,
    types: services.domain.entityTypes,
    budget: services.limits.rowsTokens,
    countTokens: services.countTokens,
  }).text;
}

function failureLines(state: TurnState): string[] {
  const steps = state.stepResults
    .filter(({ status }) => status === "failed" || status === "blocked" || status === "skipped")
    .map(({ step, outcome }) => `${state.plan?.steps[step]?.description ?? "Step"}: ${outcome}`);
  const rows = state.stepResults.flatMap(openRows);
  return [...new Set([...steps, ...rows])];
}

/** The oldest messages beyond what the state keeps; the archive has them all. */
function overflow(messages: readonly BaseMessage[], limits: Limits): RemoveMessage[] {
  const sizes = messages.map((message) => Buffer.byteLength(JSON.stringify(message.content)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let count = messages.length + 1;
  let bytes = total;
  return messages.flatMap((message, index) => {
    const tooMany = count > limits.transcriptMessages || bytes > limits.transcriptBytes;
    // The message this turn answers always stays.
    if (!tooMany || index === messages.length - 1 || message.id === undefined) return [];
    count -= 1;
    bytes -= sizes[index] ?? 0;
    return [new RemoveMessage({ id: message.id })];
  });
}
