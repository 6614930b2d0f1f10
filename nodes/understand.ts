import { buildUnderstandPrompt } from "../prompts/understand.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import { listWishChanges } from "../registry/constraints.ts";
import { checkCuration, decidesSomething } from "../registry/curation.ts";
import { shorten } from "../registry/shorten.ts";
import { checkWishes } from "../registry/fit-wishes.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import type { RegistryEvent } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import {
  createUnderstandAnswerSchema,
  GivenUnderstandAnswerSchema,
  readGivenAnswer,
  type UnderstandAnswer,
  type Understanding,
} from "../state/understanding.ts";
import { askForAnswer } from "./ask/ask-model.ts";
import { answerSchema, type AnswerSchema } from "./ask/read-checked.ts";
import { checkUndo, collectRefsForUnderstand, salvageAnswer } from "./understand-checks.ts";
import { fitAnswer, type FittedAnswer } from "./fit-answer.ts";
import { readPending, withoutGone, withoutScope } from "./read-pending.ts";
import { reportMissingPlan } from "./change-plan.ts";
import { findBudgetQuestion } from "./budget/thread-budget.ts";
import { decideWishes } from "./decide-wishes.ts";
import { decidedAnswer, fallbackAnswer, withoutReading } from "./unread-answer.ts";
import { chooseRoute, decideConfirmedCalls, planWithoutThink } from "./choose-route.ts";
import type { Lanes, NodeIO, NodeServices } from "./node.ts";
import { startTurnPlan } from "./steps/plan-progress.ts";
import { decideUndoCall } from "./steps/undo-call.ts";
import { emitOutside, lookAgain } from "./look-outside.ts";
import { MESSAGE_SHORTENED } from "./reply/collect-receipts.ts";
import { refsInJson } from "./reply/refs-in-text.ts";
import { requireRun } from "./require-run.ts";
import { reportUndoneCuration } from "./report-undone-curation.ts";
import { renderSentence } from "../text/sentences.ts";
import { segmentWords } from "../text/segment-words.ts";
import { readLanguage } from "../text/spoken-language.ts";
import { rememberFor } from "../state/remember.ts";

/** Makes the schema of Understand's answer, whose look-up names the types of the domain. */
export const createUnderstandSchema: (
  domain: NodeServices["domain"],
) => AnswerSchema<UnderstandAnswer> = rememberFor(({ entityTypes }) => {
  const named = createUnderstandAnswerSchema(entityTypes.map(({ type }) => type));
  return {
    ...answerSchema(
      "understand",
      "What the message means and what stays in view.",
      named.transform(readGivenAnswer),
    ),
    // A look-up of a type that does not exist goes to Think.
    parse: (value) => GivenUnderstandAnswerSchema.transform(readGivenAnswer).safeParse(value),
  };
});

/** Makes the memory manager: resolves, curates, remembers wishes, and chooses the way of the turn. */
export function createUnderstandNode(services: NodeServices) {
  const schema = createUnderstandSchema(services.domain);
  return async function understand(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    if (findBudgetQuestion(state) !== null) return withoutReading(state, services.lanes);
    const view = viewConversation(state, services);
    const reading =
      state.input?.decision === undefined
        ? await readWithModel(state, { view, schema, services, io })
        : readDecided(state, services.lanes);
    const fitted = fitAnswer(reading.given, state, { registry: view.registry, services });
    const { whole } = reading;
    const language = chooseLanguage(state, fitted.answer);
    // What is said of the message is said in its own language, also where that is new.
    return services.sentences.speak(language, async () => {
      const decided = decideTurn(state, { fitted, whole, view, services });
      const update = await startTurn(state, decided, { services, io });
      return {
        ...update,
        language,
        calls: [...state.calls, ...reading.calls],
        notices: [...state.notices, ...reading.notices, ...decided.notices],
      };
    });
  };
}

/** A message as it was read. */
interface Reading extends Pick<TurnState, "calls" | "notices"> {
  readonly given: UnderstandAnswer;
  /** The answer as the model gave it, with ids that nobody was shown; null where no model has read the message. */
  readonly whole: UnderstandAnswer | null;
}

function readDecided(state: TurnState, lanes: Lanes): Reading {
  const given = decidedAnswer(state, lanes);
  return { given, whole: given, calls: [], notices: [] };
}

interface ReadOptions extends StartContext {
  readonly view: ConversationView;
  readonly schema: AnswerSchema<UnderstandAnswer>;
}

/** Asks the model what the message means; patterns stand in for an answer that fails. */
async function readWithModel(
  state: TurnState,
  { view, schema, services, io }: ReadOptions,
): Promise<Reading> {
  const run = requireRun(state);
  const batches = await listBatches(state, services);
  /** For an answer without the ids that nobody was shown, the one that it was made from. */
  const wholeAnswers = new WeakMap<UnderstandAnswer, UnderstandAnswer>();
  const asked = await askForAnswer(
    {
      node: "understand",
      role: "understand",
      run,
      turn: state.turn,
      parts: buildUnderstandPrompt(
        {
          view,
          lanes: services.lanes,
          records: state.turnExecutionSummaries,
          pending: state.pending,
          batches,
        },
        services,
      ),
      required: ["rules", "message"],
      ids: { ref: collectRefsForUnderstand(state, view), step: listPlanIds(state) },
      mayEnumerateIds: false,
      thread: [],
      maxOutputTokens: services.limits.understandOutputTokens,
    },
    {
      schema,
      check: (answer) => [
        ...checkUndo(answer, state.turnExecutionSummaries),
        ...checkWishes(answer.constraints, { constraints: state.constraints, today: run.today }),
      ],
      salvage: (answer, whole) => {
        // What becomes of an unknown step is said where the plan is changed.
        const { planActions } = whole;
        const salvaged = { ...salvageAnswer(answer, whole), planActions };
        wholeAnswers.set(salvaged, whole);
        return salvaged;
      },
      services,
      io,
    },
  );
  const { calls, notices } = asked;
  const read = { calls: [...calls], notices: [...notices] };
  if (asked.kind !== "answered")
    return { given: fallbackAnswer(state, services.lanes), whole: null, ...read };
  return { given: asked.value, whole: wholeAnswers.get(asked.value) ?? asked.value, ...read };
}

interface DecideOptions {
  readonly fitted: FittedAnswer;
  readonly whole: Reading["whole"];
  readonly view: ConversationView;
  readonly services: NodeServices;
}

/** Decides by the answer what stays in view, what is wished, what it answers, and the way of the turn. */
function decideTurn(state: TurnState, { fitted, whole, view, services }: DecideOptions) {
  const { answer, lookUp, kind } = fitted;
  const { lanes } = services;
  const read = readPending(state, fitted, services);
  const { pending } = read;
  const answersPending = pending === null ? null : answer.answersPending;
  const { curation, problems } = checkCuration(view.registry, answer.curation);
  const chosen = chooseRoute(answer, { lanes, pending });
  const isUndo = chosen.route === "undo";
  const wishes = decideWishes(state, answer, {
    isUndo,
    isAnswer: answersPending !== null,
    services,
  });
  const understanding: Understanding = {
    ...answer,
    // With one lane, that lane takes the whole message.
    lane: answer.lane === "both" ? findLane(lanes) : answer.lane,
    curation,
    answersPending,
    degraded: whole === null && kind !== "plain",
    ...chosen,
    // Where only wishes are taken back, nothing is left to carry out.
    route: isUndo && wishes.rowsToUndo === null ? "talk" : chosen.route,
    ...wishes.changed,
  };
  const notices: Notice[] = [
    ...noticeShortened(state, services),
    ...fitted.notices,
    ...[...problems, ...wishes.notices].map((text) => ({
      node: "understand",
      code: "curation",
      text,
    })),
    ...(whole === null
      ? []
      : reportUndoneCuration({
          asked: whole,
          done: curation,
          registry: view.registry,
          message: state.input?.text ?? "",
        })),
    ...wishes.doubts,
    ...read.notices,
  ];
  return {
    understanding,
    read,
    wishes,
    planNews: whole === null ? null : reportMissingPlan(state, whole),
    plan: planWithoutThink(understanding, { pending, lookUp }),
    notices,
  };
}

interface StartContext {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Starts the turn as it was decided, with the rows that it is about as they are now. */
async function startTurn(
  state: TurnState,
  { understanding, read, wishes, planNews, plan }: ReturnType<typeof decideTurn>,
  { services, io }: StartContext,
): Promise<TurnUpdate> {
  const { turn } = state;
  const run = requireRun(state);
  const { lane, route, references, curation } = understanding;
  const { pending, ended, isEarly, waiting } = read;
  const { entityTypes } = services.domain;
  const known = foldRegistry(state.registry, state.registryEvents, entityTypes);
  const agreed = route === "confirm" && pending?.kind === "confirmation" ? pending : null;
  const agreedRefs = (agreed?.calls ?? []).flatMap(({ args }) => refsInJson(args));
  const refs = [...listRefsInPlay(understanding), ...agreedRefs];
  const late = await lookAgain({ registry: known, turn, refs }, run, services);
  const isAccepted = route === "accept" && pending?.kind === "proposal";
  const confirmed =
    agreed === null
      ? null
      : withoutGone(
          isEarly ? withoutScope(agreed) : agreed,
          foldRegistry(known, late, entityTypes),
        );
  if (ended !== null) io.emit({ type: "confirmation-end", ...ended });
  if (late.length > 0) emitOutside({ ...state, registryEvents: late }, services, io);
  io.emit({ type: "understood", lane, route, references, curation });
  return {
    understanding,
    constraints: [...wishes.constraints],
    ...(wishes.summaries === state.turnExecutionSummaries
      ? {}
      : { turnExecutionSummaries: wishes.summaries }),
    ...(planNews === null ? {} : { planNews }),
    wishChanges: listWishChanges(state.constraints, wishes.constraints),
    registryEvents: [...state.registryEvents, ...late, ...buildRegistryEvents(understanding, turn)],
    pending: waiting,
    ...(plan === null ? {} : startTurnPlan(plan)),
    ...(isAccepted ? { confirmed: { calls: pending.calls } } : {}),
    ...(confirmed === null
      ? {}
      : { confirmed, pendingCalls: decideConfirmedCalls(confirmed, { run, turn }) }),
    ...(route === "undo" && wishes.rowsToUndo !== null
      ? { pendingCalls: [decideUndoCall(wishes.rowsToUndo, { run, turn })] }
      : {}),
  };
}

/** Words of a message from which its language counts: "ok" and a name are said in any. */
const LANGUAGE_WORDS = 3;

/** Returns the language in which code goes on: the message's, where it is long enough to tell. */
function chooseLanguage(
  { language, input }: TurnState,
  answer: Pick<UnderstandAnswer, "language">,
): string {
  const isLong = segmentWords(input?.text ?? "").length >= LANGUAGE_WORDS;
  const given = answer.language === null || !isLong ? null : readLanguage(answer.language);
  return given ?? language;
}

/** The batches that a question about sources may mean, newest first; none where nobody was asked yet. */
async function listBatches(
  state: TurnState,
  { archive, lanes }: NodeServices,
): Promise<readonly ArchivedBatch[]> {
  if (!lanes.concierge || state.journeys.length === 0) return [];
  const { threadId, userId } = requireRun(state);
  return archive.listBatches({ threadId, userId, limit: 2 });
}

/** The ids that the plan's steps and decisions are shown with. */
function listPlanIds({ journeyPlan }: TurnState): string[] {
  return journeyPlan === null
    ? []
    : [...journeyPlan.steps, ...journeyPlan.decisions].map(({ id }) => id);
}

function findLane({ task, concierge }: Lanes): Understanding["lane"] {
  if (task && concierge) return "both";
  return task ? "task" : "concierge";
}

/** The refs that a message has turned out to be about. */
function listRefsInPlay({ references, curation, look }: Understanding): string[] {
  return [
    ...references.map(({ ref }) => ref),
    ...curation.restore.map(({ ref }) => ref),
    ...curation.retain.map(({ ref }) => ref),
    ...(look?.refs ?? []),
  ];
}

/** The person is told what of a very long message was not read: Reply adds this. */
function noticeShortened(
  { input }: TurnState,
  { limits, countTokens }: Pick<NodeServices, "limits" | "countTokens">,
): Notice[] {
  const text = input?.text ?? "";
  if (shorten(text, { tokens: limits.messageTokens, countTokens }) === text) return [];
  return [
    { node: "understand", code: MESSAGE_SHORTENED, text: renderSentence("messageShortened") },
  ];
}

function buildRegistryEvents(understanding: Understanding, turn: number): RegistryEvent[] {
  const { curation } = understanding;
  const excluded = new Set([...curation.demote.map(({ ref }) => ref), ...curation.drop]);
  const named = understanding.references.map(({ ref }) => ref).filter((ref) => !excluded.has(ref));
  const curated = decidesSomething(curation);
  return [
    ...(curated ? [{ kind: "curated" as const, turn, curation }] : []),
    ...(named.length === 0
      ? []
      : [{ kind: "referenced" as const, turn, refs: [...new Set(named)] }]),
    ...(understanding.topic === null || understanding.topic === "new"
      ? []
      : [{ kind: "focused" as const, turn, choice: understanding.topic }]),
  ];
}
