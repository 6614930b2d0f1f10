import { createTextCleaner } from "../output-filter/output-gate.ts";
import { buildUnderstandPrompt } from "../prompts/understand.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { foldRegistry } from "../registry/apply-event.ts";
import { listWishChanges } from "../registry/constraints.ts";
import { checkCuration, decidesSomething } from "../registry/curation.ts";
import { shorten } from "../registry/shorten.ts";
import { checkWishes } from "../registry/fit-wishes.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import { NO_CURATION, type RegistryEvent } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import {
  createUnderstandAnswerSchema,
  GivenUnderstandAnswerSchema,
  readGivenAnswer,
  type UnderstandAnswer,
  type Understanding,
} from "../state/understanding.ts";
import { askForAnswer, type Asked } from "./ask/ask-model.ts";
import { answerSchema, type AnswerSchema } from "./ask/read-checked.ts";
import { reportMissingPlan } from "./change-plan.ts";
import { findBudgetQuestion } from "./budget/thread-budget.ts";
import { decideWishes, noticeNotUndone, toDoubtNotice } from "./decide-wishes.ts";
import { fallbackAnswer, withoutReading } from "./unread-answer.ts";
import { chooseRoute, decideConfirmedCalls, planWithoutThink } from "./choose-route.ts";
import type { Lanes, NodeIO, NodeServices } from "./node.ts";
import { startTurnPlan } from "./steps/plan-progress.ts";
import { decideUndoCall } from "./steps/undo-call.ts";
import { sharesWord } from "../registry/shared-words.ts";
import { emitOutside, lookAgain } from "./look-outside.ts";
import { MESSAGE_SHORTENED } from "./reply/collect-receipts.ts";
import { collectTurnNames } from "./reply/output-names.ts";
import { refsInJson } from "./reply/refs-in-text.ts";
import {
  readOwnAnswer,
  readPending,
  withoutGone,
  withoutScope,
  type OwnAnswer,
} from "./read-pending.ts";
import { readLastReply } from "./read-last-reply.ts";
import { requireRun } from "./require-run.ts";
import { reportUndoneCuration } from "./report-undone-curation.ts";
import { fitJourneyAction } from "../summaries/choose-journey-move.ts";
import { holdsWords } from "../text/holds-words.ts";
import { renderSentence } from "../text/sentences.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import {
  beginsAsQuestion,
  isCourtesy,
  onlyAcknowledges,
  readPersonsAnswer,
} from "../text/read-yes-no.ts";
import { segmentWords } from "../text/segment-words.ts";
import { readLanguage } from "../text/spoken-language.ts";
import { rememberFor } from "../state/remember.ts";
import { fitUndoToLast, takeBackDrop } from "./undo-wishes.ts";
import {
  checkUndo,
  collectRefsForUnderstand,
  fitLookUp,
  salvageAnswer,
} from "./understand-checks.ts";

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
    const run = requireRun(state);
    const view = viewConversation(state, services);
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

    const names = collectTurnNames(state, { registry: view.registry, domain: services.domain });
    const given =
      asked.kind === "answered"
        ? keepSpoken(cleanWishes(asked.value, createTextCleaner(names)), state)
        : fallbackAnswer(state, services.lanes);
    const own = readOwnAnswer(given, state, services);
    const journey = fitJourneyAction(
      {
        action: own.answer.journey,
        name: own.answer.journeyTo,
        message: state.input?.text ?? "",
      },
      state.journeys,
    );
    const back = takeBackDrop({ ...own.answer, journey }, state);
    const answer = services.lanes.concierge ? fitUndoToLast(back, state) : back;
    const language = chooseLanguage(state, answer);
    // What is said of the message is said in its own language, also where that is new.
    return services.sentences.speak(language, () =>
      settleAnswer(state, {
        own: { ...own, answer },
        whole: asked.kind === "answered" ? (wholeAnswers.get(asked.value) ?? asked.value) : null,
        language,
        asked,
        view,
        services,
        io,
      }),
    );
  };
}

interface SettleAnswerOptions {
  /** The answer as code reads it. */
  readonly own: OwnAnswer;
  /** The same as the model gave it, with ids that nobody was shown; null where no model has read the message. */
  readonly whole: UnderstandAnswer | null;
  /** The language of the conversation from this message on. */
  readonly language: string;
  readonly asked: Pick<Asked<UnderstandAnswer>, "calls" | "notices">;
  readonly view: ConversationView;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Decides by the answer what stays in view, what is wished, and the way of the turn. */
async function settleAnswer(
  state: TurnState,
  { own, whole, language, asked, view, services, io }: SettleAnswerOptions,
): Promise<TurnUpdate> {
  const run = requireRun(state);
  const { answer, lookUp, notices: unfit } = fitLookUp(own.answer, services);
  const { pending, ended, isEarly, ...read } = readPending(state, own, services);
  const curation = checkCuration(view.registry, answer.curation);
  const chosen = chooseRoute(answer, {
    lanes: services.lanes,
    pending,
  });
  const wishes = decideWishes(state, answer, {
    isUndo: chosen.route === "undo",
    isAnswer: pending !== null && answer.answersPending !== null,
    services,
  });
  const { rowsToUndo } = wishes;
  const understanding: Understanding = {
    ...answer,
    // With one lane, that lane takes the whole message.
    lane: answer.lane === "both" ? findLane(services.lanes) : answer.lane,
    curation: curation.curation,
    answersPending: pending === null ? null : answer.answersPending,
    degraded: whole === null && own.kind !== "plain",
    ...chosen,
    // Where only wishes are taken back, nothing is left to carry out.
    route: chosen.route === "undo" && rowsToUndo === null ? "talk" : chosen.route,
    ...wishes.changed,
  };
  const { entityTypes } = services.domain;
  const known = foldRegistry(state.registry, state.registryEvents, entityTypes);
  const agreed =
    understanding.route === "confirm" && pending?.kind === "confirmation" ? pending : null;
  const late = await lookAgain(
    {
      registry: known,
      turn: state.turn,
      refs: [
        ...listRefsInPlay(understanding),
        ...(agreed?.calls ?? []).flatMap(({ args }) => refsInJson(args)),
      ],
    },
    run,
    services,
  );
  const plan = planWithoutThink(understanding, { pending, lookUp });
  const confirmed =
    agreed !== null
      ? withoutGone(isEarly ? withoutScope(agreed) : agreed, foldRegistry(known, late, entityTypes))
      : understanding.route === "accept" && pending?.kind === "proposal"
        ? { calls: pending.calls }
        : null;
  if (ended !== null) io.emit({ type: "confirmation-end", ...ended });
  if (late.length > 0) emitOutside({ ...state, registryEvents: late }, services, io);
  const notices: Notice[] = [...curation.problems, ...wishes.notices].map((text) => ({
    node: "understand",
    code: "curation",
    text,
  }));

  const undone =
    whole === null
      ? []
      : reportUndoneCuration({
          asked: whole,
          done: curation.curation,
          registry: view.registry,
          message: state.input?.text ?? "",
        });

  const planNews = whole === null ? null : reportMissingPlan(state, whole);
  io.emit({
    type: "understood",
    lane: understanding.lane,
    route: understanding.route,
    references: understanding.references,
    curation: understanding.curation,
  });
  return {
    understanding,
    language,
    constraints: [...wishes.constraints],
    ...(wishes.summaries === state.turnExecutionSummaries
      ? {}
      : { turnExecutionSummaries: wishes.summaries }),
    ...(planNews === null ? {} : { planNews }),
    wishChanges: listWishChanges(state.constraints, wishes.constraints),
    registryEvents: [
      ...state.registryEvents,
      ...late,
      ...buildRegistryEvents(understanding, state.turn),
    ],
    pending: read.waiting,
    ...(plan === null ? {} : startTurnPlan(plan)),
    ...(confirmed === null ? {} : { confirmed }),
    ...(confirmed === null || understanding.route !== "confirm"
      ? {}
      : { pendingCalls: decideConfirmedCalls(confirmed, { run, turn: state.turn }) }),
    ...(understanding.route === "undo" && rowsToUndo !== null
      ? { pendingCalls: [decideUndoCall(rowsToUndo, { run, turn: state.turn })] }
      : {}),
    calls: [...state.calls, ...asked.calls],
    notices: [
      ...state.notices,
      ...asked.notices,
      ...noticeShortened(state, services),
      ...unfit,
      ...notices,
      ...undone,
      ...wishes.doubts.map((doubt) => toDoubtNotice(doubt)),
      ...noticeNotUndone(chosen, wishes),
      ...read.notices,
    ],
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

/**
 * The answer with wishes as the person may read them, in any conversation: a ref means something in its
 * own alone.
 */
function cleanWishes(answer: UnderstandAnswer, clean: (text: string) => string): UnderstandAnswer {
  const constraints = answer.constraints.map(({ text, replaces, ...wish }) => ({
    ...wish,
    text: clean(text),
    replaces: replaces === null ? null : clean(replaces),
  }));
  return { ...answer, constraints };
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

/**
 * The answer without words that it says the person wrote, and the message does not hold: they ask for
 * nothing. Courtesy leaves nothing out and says no wish either, except behind a question, and a mere
 * question ("what day is it?") says none that it has no word of.
 */
function keepSpoken(answer: UnderstandAnswer, state: TurnState): UnderstandAnswer {
  const message = state.input?.text ?? "";
  const keep = (words: string | null): string | null =>
    words !== null && holdsWords(message, words) ? words : null;
  const isPolite =
    (isCourtesy(message) || onlyAcknowledges(message)) && !endsAsQuestion(readLastReply(state));
  const isQuestion = readPersonsAnswer(message) === "asks" && beginsAsQuestion(message);
  const isSpoken = ({ text, replaces }: UnderstandAnswer["constraints"][number]): boolean =>
    !isQuestion || sharesWord(`${text} ${replaces ?? ""}`, message);
  return {
    ...answer,
    ...(isPolite ? { curation: NO_CURATION } : {}),
    constraints: isPolite ? [] : answer.constraints.filter(isSpoken),
    conciergePart: keep(answer.conciergePart),
    rework: keep(answer.rework),
    asksForPlan: keep(answer.asksForPlan),
    commits: keep(answer.commits),
  };
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
