import { Temporal } from "temporal-polyfill";
import { AIMessage, RemoveMessage, type BaseMessage } from "@langchain/core/messages";
import { cleanText, createOutputGate, createTextCleaner } from "../output-filter/output-gate.ts";
import { buildReplyPrompt } from "../prompts/reply.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import type { Limits } from "../state/limits.ts";
import type { Confirmation } from "../state/pending.ts";
import type { PlanQuestion } from "../state/phase.ts";
import type { Receipt } from "../state/receipt.ts";
import type { Registry, RegistryEvent } from "../state/registry.ts";
import type { Lane } from "../state/understanding.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { renderConversationFlow } from "../summaries/conversation-flow.ts";
import { renderSentence } from "../text/sentences.ts";
import { askForText } from "./ask/ask-model.ts";
import { explainFailure } from "./ask/report-failure.ts";
import { describeCurrentExchange } from "./current-turn.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { warnOfThreadBudget } from "./budget/thread-budget.ts";
import { loadRows } from "./steps/load-rows.ts";
import { NO_PREVIEW, previewCalls } from "./steps/preview-calls.ts";
import { listNamedRefs } from "./steps/named-rows.ts";
import { loadPerson } from "./person.ts";
import { isOvertaken, noticeReplaced } from "./read-pending.ts";
import { cleanModelWords } from "./reply/clean-model-words.ts";
import { collectReceipts, PROPOSAL_REFUSED } from "./reply/collect-receipts.ts";
import { answerMeta } from "./reply/answer-meta.ts";
import { nextReplyId } from "./reply/create-reply.ts";
import { denyClaim } from "./reply/deny-claim.ts";
import { directReply, type DirectReply } from "./reply/direct-reply.ts";
import { refsNamedIn, type NamedRefs } from "./reply/refs-named-in.ts";
import { collectTurnNames } from "./reply/output-names.ts";
import { listRefsToShow, renderRowsToShow } from "./reply/rows-to-show.ts";
import { ReplyStream } from "./reply/reply-stream.ts";
import { fallbackReply, outcomeLines } from "./reply/step-outcomes.ts";
import { requireRun } from "./require-run.ts";

/**
 * Makes the only node that speaks. Code's own lines stand first; what code can say without loss, code
 * says, and only the rest is left to a model.
 */
export function createReplyNode(services: NodeServices) {
  return async function reply(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const view = viewConversation(state, services);
    const { registry } = view;
    // A concierge's words have been shown already, as they came.
    const passedOn = state.passedOnReply?.text ?? null;
    const isAboutJourneys = state.journeyNews?.isReply === true;
    const lane: Lane = passedOn === null && !isAboutJourneys ? "task" : "concierge";
    const direct = passedOn === null ? await answerByCode(state, { registry, services, io }) : null;
    const replaced = noticeReplaced(state, direct?.pending ?? null);
    const notices = [...state.notices, ...replaced, ...noticeRefused(direct)];
    // Of a message with two parts the first reply has the receipts.
    const receipts = state.lanesServed.includes("task")
      ? []
      : collectReceipts(
          { ...state, notices },
          {
            registry,
            workingSet: view.workingSet,
            domain: services.domain,
          },
        );
    const stream = new ReplyStream(io, {
      id: nextReplyId(state),
      receipts,
      registry,
      sent: passedOn ?? "",
      timeZone: requireRun(state).timeZone,
    });
    const { entityTypes } = services.domain;
    const deny = ({ body, events }: WrittenReply): string => {
      const { entries } = foldRegistry(registry, events, entityTypes);
      const known = { entries, entityTypes, today: requireRun(state).today };
      return denyClaim(body, { state, receipts, known });
    };
    const written =
      passedOn !== null
        ? writeByCode(passedOn)
        : direct === null
          ? await writeReply(state, { view, services, io, stream })
          : direct.hasAnswer === true
            ? putBelow(await writeReply(state, { view, services, io, stream }), { direct, deny })
            : writeByCode(direct.body, listIn(direct));
    const at = formatInstant(services.now());
    // What code says claims nothing; what it passes on may.
    const isOwn =
      direct !== null &&
      ((direct.hasAnswer ?? false) ||
        direct.pending === null ||
        // A question that waits already is put as it stands.
        direct.pending === state.pending ||
        hasConfirmation(direct));
    const body = isOwn
      ? written.body
      : direct?.pending?.kind === "proposal"
        ? denyLead(written, deny)
        : deny(written);
    const warning = await warnOfThreadBudget(state, [...state.calls, ...written.calls], services);
    const asked = findUnasked(state, direct);
    const lines = [
      body === "" ? bodyAlone(receipts) : body,
      asked?.question ?? "",
      warning?.text ?? "",
    ];
    const stored = stream.end(joinParagraphs(lines), at);

    const named = refsNamedIn(written.list, registry, state.turn);
    const events: RegistryEvent[] = [
      ...written.events,
      ...(named.refs.length === 0 ? [] : [toListed(named, state.turn)]),
    ];
    const pending = direct?.pending ?? null;
    if (pending?.kind === "confirmation") emitConfirmation(pending, io);
    const ended = isOvertaken(state.pending, state.effects) ? state.pending : null;
    if (ended !== null) io.emit({ type: "confirmation-end", id: ended.id, answer: "adjusted" });
    return {
      ...warning?.update,
      passedOnReply: null,
      replies: [...state.replies, stored],
      lanesServed: [...new Set([...state.lanesServed, lane])],
      messages: [
        ...overflow(state.messages, services.limits),
        new AIMessage({
          id: stored.id,
          content: stored.text,
          additional_kwargs: { turn: state.turn },
        }),
      ],
      ...(events.length === 0 ? {} : { registryEvents: [...state.registryEvents, ...events] }),
      ...(pending === null && ended === null ? {} : { pending }),
      ...(asked === undefined ? {} : { conciergeThread: { ...state.conciergeThread, asked } }),
      calls: [...state.calls, ...written.calls],
      notices: [...notices, ...written.notices],
    };
  };
}

/** Returns code's question about the plan that no concierge has asked, where the turn asks nothing else for a yes. */
function findUnasked(
  { planNews, conciergeThread, pending, turn }: TurnState,
  direct: DirectReply | null,
): PlanQuestion | undefined {
  const isOther = (direct?.pending ?? null) !== null || pending?.turn === turn;
  return isOther || conciergeThread.asked?.turn === turn ? undefined : planNews?.asked;
}

function hasConfirmation({ pending }: DirectReply): boolean {
  return pending?.kind === "confirmation";
}

function toListed({ refs, isNumbered, beside }: NamedRefs, turn: number): RegistryEvent {
  const listed = { kind: "listed" as const, turn, refs: [...refs] };
  return isNumbered ? { ...listed, isNumbered, beside: [...beside] } : listed;
}

/** The words of a reply, and what it took to write them. */
interface WrittenReply {
  readonly body: string;
  /** The part of it that shows things as a list or speaks of them: "the second one" is one of those. */
  readonly list: string;
  readonly calls: TurnState["calls"];
  readonly notices: readonly Notice[];
  /** Rows that were loaded for the prompt. */
  readonly events: readonly RegistryEvent[];
}

function writeByCode(body: string, list = body): WrittenReply {
  return { body, list, calls: [], notices: [], events: [] };
}

/** Returns what a reply of code lists. A question before a change, or before a rule is broken, names rows with what is known of them: that is no list. */
function listIn({ body, pending }: DirectReply): string {
  const isBreach = pending?.kind === "question" && pending.waives.length > 0;
  return pending?.kind === "confirmation" || isBreach ? "" : body;
}

/** Holds a proposal's first line against the turn: the lines below it name what a yes would do. */
function denyLead(written: WrittenReply, deny: QuestionBelow["deny"]): string {
  const [lead = ""] = written.body.split("\n");
  return written.body + deny({ ...written, body: lead }).slice(lead.length);
}

interface QuestionBelow {
  readonly direct: DirectReply;
  readonly deny: (written: WrittenReply) => string;
}

/** The words of a model, and what code asks below them. */
function putBelow(written: WrittenReply, { direct, deny }: QuestionBelow): WrittenReply {
  return {
    ...written,
    body: joinParagraphs([deny(written), direct.body]),
    list: joinParagraphs([written.list, listIn(direct)]),
  };
}

function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A reply is never empty. */
function bodyAlone(receipts: readonly Receipt[]): string {
  return receipts.length === 0 ? renderSentence("nothingChanged") : "";
}

interface AnswerContext {
  readonly registry: Registry;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Notes that a proposal was not put, because a check refuses what it would do. */
function noticeRefused(direct: DirectReply | null): readonly Notice[] {
  if (direct?.isRefused !== true) return [];
  return [{ node: "reply", code: PROPOSAL_REFUSED, text: "A check refuses the proposed change" }];
}

async function answerByCode(
  state: TurnState,
  { registry, services, io }: AnswerContext,
): Promise<DirectReply | null> {
  const expiresAt = (): string =>
    formatInstant(services.now() + services.limits.confirmationHours * MS_PER_HOUR);
  if (state.journeyNews?.isReply === true) {
    return { body: state.journeyNews.text, pending: null };
  }
  const meta = await answerMeta(state, services);
  if (meta !== null) return meta;
  const { plan } = state;
  const previewed =
    plan?.decision === "propose"
      ? await previewCalls(plan, { state, registry, services, io })
      : NO_PREVIEW;
  const shown = toShown(state, { registry, services });
  return directReply(shown, { registry, domain: services.domain, expiresAt, previewed });
}

/** The turn with the words of models as code may pass them on. */
function toShown(state: TurnState, { registry, services }: Omit<AnswerContext, "io">): TurnState {
  const names = collectTurnNames(state, { registry, domain: services.domain });
  return cleanModelWords(state, { clean: createTextCleaner(names), labels: names.labels });
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

interface WriteReplyOptions {
  readonly view: ConversationView;
  readonly services: NodeServices;
  readonly io: NodeIO;
  readonly stream: ReplyStream;
}

async function writeReply(state: TurnState, facts: WriteReplyOptions): Promise<WrittenReply> {
  const { services, io, stream } = facts;
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
  const names = collectTurnNames(state, { registry: view.registry, domain: services.domain });
  const openGate = () => createOutputGate(names, () => stream.restart());
  let gate = openGate();
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
          isUnread: state.understanding?.degraded ?? false,
          shown: stream.lines,
          isAnswer: state.plan === null || state.plan.decision === "answer",
          rows: renderRowsToShow(refs, { named, view, services }),
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
      onText: (text) => stream.push(gate.push(text)),
      onRestart: () => {
        gate = openGate();
        stream.restart();
      },
      services,
      io,
    },
  );
  const answered = asked.kind === "answered" ? cleanText(asked.value, names) : "";
  const isCut = asked.kind === "answered" && asked.truncated;
  const body =
    answered === ""
      ? fallbackReply(toShown(state, { registry: view.registry, services }), {
          registry: view.registry,
          failure: explainFailure(
            asked.kind === "failed" ? asked : { code: "invalid", seconds: null, refusal: null },
          ),
          hasReceipts: stream.lines !== "",
        })
      : isCut
        ? `${answered}…\n\n${renderSentence("replyCutShort")}`
        : answered;
  return { body, list: body, calls: [...asked.calls], notices: asked.notices, events };
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
