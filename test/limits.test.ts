import { expertQuestion } from "./support/expert-questions.ts";
import { StepTools } from "../nodes/steps/step-tools.ts";
import { setTimeout as delay } from "node:timers/promises";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Pool } from "pg";
import { z } from "zod";
import { openStorage } from "../app/open-storage.ts";
import { buildStructuralBrief } from "../claim-analysis/brief.ts";
import { defineTool } from "../domain/define-tool.ts";
import { createCleaning } from "../driver/cleaning.ts";
import { mealsDomain } from "../meals/index.ts";
import type { DomainData } from "../domain/domain-data.ts";
import { createActNode } from "../nodes/act.ts";
import { askForText } from "../nodes/ask/ask-model.ts";
import type { Question } from "../nodes/ask/question.ts";
import { determineContinuity, selectBriefInput } from "../nodes/concierge/instance.ts";
import { outlinePlan } from "../nodes/concierge/outline-plan.ts";
import { rollOverHandover } from "../nodes/concierge/roll-over.ts";
import { createConveneNode } from "../nodes/convene.ts";
import { createExecutorNode } from "../nodes/executor.ts";
import { createExplorerNode } from "../nodes/explorer.ts";
import { createExpertNode } from "../nodes/expert.ts";
import { createMapperNode } from "../nodes/mapper.ts";
import { lookOutside } from "../nodes/look-outside.ts";
import { createReplyNode } from "../nodes/reply.ts";
import { createStarterNode } from "../nodes/starter.ts";
import { recall } from "../nodes/steps/recall.ts";
import { endStep } from "../nodes/steps/end-step.ts";
import { startTurnPlan } from "../nodes/steps/plan-progress.ts";
import { renderStepRows } from "../nodes/steps/step-rows.ts";
import { WrittenCounts } from "../nodes/steps/written-counts.ts";
import { checkPlan } from "../nodes/steps/think-checks.ts";
import { createSummarizeNode } from "../nodes/summarize.ts";
import { createThinkNode } from "../nodes/think.ts";
import { createToolsNode } from "../nodes/tools.ts";
import { createUnderstandNode } from "../nodes/understand.ts";
import { stablePart } from "../prompts/part.ts";
import { renderPlan } from "../prompts/render-plan.ts";
import { viewConversation } from "../prompts/view.ts";
import { outsidePart } from "../prompts/working-set.ts";
import { mergeConstraints } from "../registry/constraints.ts";
import { renderChoices } from "../registry/render-working-set.ts";
import { closeTurn } from "../registry/window.ts";
import { createApp } from "../server/app.ts";
import type { Batch } from "../state/batch.ts";
import type { ConversationStore } from "../state/conversation-store.ts";
import type { Expert } from "../state/expert.ts";
import { DEFAULT_LIMITS, limitsWith, type LimitName, type Limits } from "../state/limits.ts";
import { silentLog } from "../state/log.ts";
import { planProbe } from "../cli/models/plan-probe.ts";
import { createLangChainModel } from "../models/client/langchain-model.ts";
import { listConfiguredModels, type ConfiguredModel } from "../models/client/openai.ts";
import { estimateProbe } from "../models/probe/probe-steps.ts";
import { runProbe } from "../models/probe/run-probe.ts";
import { ModelError, type LanguageModel, type ModelRole } from "../state/model.ts";
import type { UnconfirmedCall } from "../state/pending.ts";
import { INITIAL_PHASE_STATE } from "../state/phase.ts";
import type { RegistryEvent } from "../state/registry.ts";
import { startPlan } from "../state/start-plan.ts";
import { viewPlan } from "../state/view-plan.ts";
import type { TurnState } from "../state/turn.ts";
import { applyPlanActions } from "../summaries/apply-plan-actions.ts";
import { fitRecord } from "../summaries/build-record.ts";
import { fallbackHandover } from "../summaries/complete-handover.ts";
import { EMPTY_HISTORY } from "../state/turn-summary.ts";
import { foldIntoHistory } from "../summaries/history.ts";
import { rollUp } from "../summaries/ledger.ts";
import { moveJourney } from "../summaries/move-journey.ts";
import type { Database } from "../storage/postgres/database.ts";
import { archivedBatch } from "./support/archived-batch.ts";
import { countRoughly } from "./support/arbitraries.ts";
import { toValues } from "./support/carry-out.ts";
import { modelThat, quickExperts } from "./support/concierge-thread.ts";
import { testDatabase } from "./support/database.ts";
import { memoryArchive } from "./support/memory-archive.ts";
import { activeLine, journeyState } from "./support/journey-lines.ts";
import { planAction, plannedPlan, shownPlan, tripPlan } from "./support/journey-plans.ts";
import { modelRequest, openAIConfig } from "./support/model-requests.ts";
import { SlowChatModel } from "./support/slow-chat.ts";
import { thirdTurn, thirdTurnUnderstood } from "./support/narrowing.ts";
import {
  recordedIO,
  testServices,
  type Scripts,
  type TestServices,
} from "./support/node-services.ts";
import { drafted } from "./support/registry-events.ts";
import { storedReply } from "./support/replies.ts";
import { openServerParts, routeParts } from "./support/server-parts.ts";
import { repliesIn, testThread, type Behaviour, type ThreadParts } from "./support/test-thread.ts";
import {
  callResult,
  NARRATIVE_ANSWER,
  makePlan,
  makeRecord,
  makeResult,
  makeStep,
  TEST_RUN,
  flatPlan,
  thinkAnswer,
  turnState,
  understandAnswer,
  makeUnderstanding,
} from "./support/turn-state.ts";
import { makeLedgerLine } from "./support/turn-state.ts";

const database = await testDatabase();

/** One limit and the way its effect shows. */
interface Effect {
  /** A value under the default; over it where the default is the least there is. */
  readonly value: number;
  /** Returns the effect of these limits. */
  readonly observe: (limits: Limits) => unknown;
}

/** Lines of a ledger that each state something. */
const STATED = Array.from({ length: 3 }, (_, index) =>
  makeLedgerLine(index + 1, { stated: `Greta comes on day ${index}` }),
);
/** Lines of a ledger that each decide something. */
const DECIDED = Array.from({ length: 9 }, (_, index) =>
  makeLedgerLine(index + 1, { decided: "Demoted recipe_6 (no wings)" }),
);
const LONG = "One sentence that says something about the dinner. ".repeat(40).trim();
const WISHES = ["no fish", "no nuts", "less salt"].map(
  (text) =>
    ({
      text,
      kind: "soft",
      count: null,
      until: null,
      scope: "conversation",
      turn: 1,
      replaces: null,
    }) as const,
);
const JOURNEY = { opening: { question: "Move?", answer: "", analysis: null }, userReply: "Yes" };

/** Clears the recipes, whatever is said. */
const DELETING: Behaviour = {
  think: () => ({ json: thinkAnswer({ steps: [makeStep({ stepType: "write" })] }) }),
  act: () => ({
    toolCalls: [{ name: "delete_rows", args: { refs: [], all: "recipe" } }],
  }),
};

/** Calls a service outside the database in a step. */
async function askService(limits: Limits, run: () => Promise<string | null>) {
  const service = defineTool({
    name: "ask_service",
    subdomain: "recipes",
    description: "Ask a service.",
    parameters: z.strictObject({}),
    effect: "call",
    run,
  });
  const services = testServices({ limits, domain: { ...mealsDomain, tools: [service] } });
  const call = { step: 0, call: 1, callId: "c", tool: "ask_service", args: {}, argsError: null };
  const state = actState({ pendingCalls: [{ ...call, effectKey: "k" }] }, 0);
  return toValues(await createToolsNode(services)(state, recordedIO()));
}

/** A limit of the length of one role's answers. */
function outputTokens(
  role: ModelRole,
  ask: (services: TestServices) => Promise<unknown>,
  scripts: Scripts,
): Effect {
  return {
    value: 17,
    observe: async (limits) => {
      const services = testServices({ limits, scripts, lanes: { task: true, concierge: true } });
      await ask(services);
      return services.models[role].requests[0]?.maxOutputTokens;
    },
  };
}

/** A model of an endpoint elsewhere that answers by a function. */
function openProbed(complete: LanguageModel["complete"]): ConfiguredModel {
  const [model] = listConfiguredModels(openAIConfig("https://models.example/v1"));
  if (model === undefined) throw new Error("Cannot probe: no model is configured");
  return { ...model, open: (asked) => ({ ...model.open(asked), complete }) };
}

async function waitOrStop(ms: number, signal: AbortSignal | null): Promise<void> {
  await delay(ms, undefined, signal === null ? {} : { signal }).catch(() => {
    throw new ModelError("model_aborted", "Cannot wait: the probe is over");
  });
}

const EFFECTS: Readonly<Record<LimitName, Effect>> = {
  messageCharacters: { value: 4, observe: (limits) => sendTurns(["hello"], limits) },
  recordTurns: {
    value: 1,
    observe: (limits) =>
      rollUp({ summaries: [makeRecord(1)], ledger: [] }, makeRecord(2), limits).summaries.length,
  },
  ledgerLines: {
    value: 1,
    observe: (limits) =>
      rollUp({ summaries: [makeRecord(1), makeRecord(2)], ledger: [] }, makeRecord(3), limits).fold,
  },
  historyTokens: {
    value: 30,
    observe: (limits) =>
      foldIntoHistory(EMPTY_HISTORY, DECIDED, { limits, countTokens: countRoughly }).lines.length,
  },
  messagesHeld: {
    value: 1,
    observe: (limits) =>
      foldIntoHistory(EMPTY_HISTORY, STATED, {
        limits: { ...limits, historyTokens: 1 },
        countTokens: countRoughly,
      }).messages.length,
  },
  transcriptMessages: { value: 2, observe: countRemoved },
  transcriptBytes: { value: 60, observe: countRemoved },
  recentMessageTokens: { value: 5, observe: (limits) => viewWithLimits(limits).recentTurns },
  messageTokens: { value: 5, observe: (limits) => viewWithLimits(limits).message },
  registryRefs: { value: 5, observe: (limits) => closeAt(60, limits).left.length },
  deletedRefTurns: {
    value: 1,
    observe: (limits) => closeAt(15, limits).left.map(({ ref }) => ref),
  },
  registryTableTokens: { value: 60, observe: (limits) => viewWithLimits(limits).table.text },
  rowsHeld: {
    value: 3,
    observe: (limits) => closeAt(3, limits).registry.entries.filter(({ row }) => row).length,
  },
  rowsTokens: { value: 60, observe: (limits) => rowsBeside(0, limits) },
  stepPromptTokens: { value: 600, observe: (limits) => rowsBeside(0, limits) },
  constraints: {
    value: 1,
    observe: (limits) =>
      mergeConstraints([], WISHES, {
        turn: 1,
        today: TEST_RUN.today,
        limits,
      }).constraints.length,
  },
  openChoices: {
    value: 1,
    observe: (limits) => closeAt(3, limits).registry.choices.map(({ id }) => id),
  },
  checkedRows: {
    value: 1,
    observe: async (limits) => {
      const asked: number[] = [];
      const services = testServices({ limits });
      const data: DomainData = {
        ...services.data,
        findOutsideChanges: async (_userId, { rows }) => {
          asked.push(rows.flatMap(({ ids }) => ids).length);
          return { seen: "1", changes: [] };
        },
      };
      await lookOutside(thirdTurn(), TEST_RUN, { ...services, data });
      return asked;
    },
  },
  outsideChangesShown: {
    value: 1,
    observe: (limits) => {
      const events = thirdTurn()
        .registry.entries.slice(0, 3)
        .map(({ type, id, label }): RegistryEvent => ({
          kind: "outside",
          turn: 3,
          type,
          id: id ?? "",
          row: null,
          who: "unknown",
          before: label,
        }));
      const services = testServices({ limits });
      const { workingSet } = viewConversation(thirdTurn({ registryEvents: events }), services);
      return outsidePart(workingSet, { ...services, refs: true, facts: false }).text;
    },
  },
  choiceLines: { value: 1, observe: (limits) => renderChoicesWith(limits) },
  choiceTokens: { value: 10, observe: (limits) => renderChoicesWith(limits) },
  excludedTokens: { value: 5, observe: (limits) => renderChoicesWith(limits) },
  ruleTokens: { value: 5, observe: (limits) => viewWithLimits(limits).constraints },
  earlierTurnsTokens: { value: 9, observe: (limits) => viewWithLimits(limits).earlierTurns },
  constraintTokens: { value: 5, observe: (limits) => viewWithLimits(limits).constraints },
  recordTokens: {
    value: 60,
    observe: (limits) => {
      const types = testServices().domain.entityTypes;
      const record = makeRecord(1, { responseSummary: LONG.slice(0, 300) });
      return fitRecord(record, { limits, countTokens: countRoughly, types }).responseSummary;
    },
  },
  stepsPerPlan: {
    value: 1,
    observe: (limits) =>
      checkPlan(flatPlan({ steps: [makeStep(), makeStep()] }), {
        domain: testServices().domain,
        limits,
      }),
  },
  roundsPerStep: { value: 1, observe: (limits) => actWithLimits(limits) },
  callsPerRound: {
    value: 1,
    observe: async (limits) => {
      const toolCalls = [null, true].map((whole) => ({ name: "read_recipes", args: { whole } }));
      const services = testServices({ limits, scripts: { act: { toolCalls } } });
      return toValues(await createActNode(services)(actState(), recordedIO())).pendingCalls?.length;
    },
  },
  callSeconds: {
    value: 1,
    observe: async (limits) =>
      Promise.race([
        askService(limits, async () => new Promise<null>(() => undefined)),
        delay(1_500, "waits"),
      ]),
  },
  callAnswerCharacters: {
    value: 10,
    observe: async (limits) => {
      const { stepResults } = await askService(limits, async () => LONG.repeat(3));
      return stepResults?.[0]?.calls[0]?.text;
    },
  },
  tokensPerTurn: { value: 5, observe: (limits) => actWithLimits(limits) },
  replansPerTurn: {
    value: 2,
    observe: async (limits) => {
      const state = actState();
      const services = testServices({ limits });
      const view = viewConversation(state, services);
      const plan = makePlan({ replans: 1 });
      const profile = { text: "", facts: {} };
      const round = {
        state,
        plan,
        services,
        view,
        profile,
        tools: new StepTools(services.toolbox),
        io: recordedIO(),
        written: new WrittenCounts([]),
      };
      const end = { kind: "block", reason: "locked", tried: "", suggestion: "replan" } as const;
      return (await endStep(end, { step: makeStep(), result: makeResult(0), round })).result.status;
    },
  },
  repairsPerCall: {
    value: 2,
    observe: async (limits) => {
      const services = testServices({ limits, scripts: { think: ["", "", "Here it is"] } });
      const ask = { onText: null, services, io: recordedIO() };
      return (await askForText(QUESTION, ask)).kind;
    },
  },
  modelSeconds: {
    value: 1,
    observe: async (limits) => {
      const ask = { onText: null, services: testServices({ limits }), io: recordedIO() };
      return (await askForText({ ...QUESTION, model: slowModel() }, ask)).kind;
    },
  },
  modelSilenceSeconds: {
    value: 1,
    observe: async (limits) => {
      const model = chatModel(new SlowChatModel(1_400), limits);
      return answerOrCode(model.complete(modelRequest({ onText: () => undefined })));
    },
  },
  probeSeconds: {
    value: 1,
    observe: async (limits) => {
      const model = openProbed(async ({ signal }) => {
        await waitOrStop(1_200, signal);
        throw new ModelError("model_unknown", "Cannot find the model");
      });
      const plan = { questions: [], tokens: null, window: false };
      return (await runProbe(model, { plan, seconds: limits.probeSeconds })).isLate;
    },
  },
  probeTokens: {
    value: 20_000,
    observe: async (limits) => {
      const model = openProbed(() => Promise.reject(new Error("Cannot ask: it is only planned")));
      return estimateProbe(await planProbe(model, { limits, window: false }));
    },
  },
  turnSeconds: {
    value: 1,
    observe: async (limits) => {
      const services = testServices({ limits, scripts: { think: "An answer" }, now: () => 2_000 });
      const ask = { onText: null, services, io: { ...recordedIO(), startedAt: 0 } };
      return (await askForText(QUESTION, ask)).kind;
    },
  },
  endpointCalls: {
    value: 1,
    observe: async (limits) => {
      const chat = new SlowChatModel(50);
      const model = chatModel(chat, limits);
      await Promise.all([model.complete(modelRequest()), model.complete(modelRequest())]);
      return chat.most;
    },
  },
  queueSeconds: {
    value: 1,
    observe: async (limits) => {
      const model = chatModel(new SlowChatModel(1_400), { ...limits, endpointCalls: 1 });
      const calls = [model.complete(modelRequest()), model.complete(modelRequest())];
      return Promise.all(calls.map(answerOrCode));
    },
  },
  retriesPerCall: {
    value: 1,
    observe: async (limits) => {
      const failure = Object.assign(new Error("Cannot answer"), { status: 500 });
      const chat = new SlowChatModel(0, failure);
      await answerOrCode(chatModel(chat, limits).complete(modelRequest()));
      return chat.calls;
    },
  },
  understandOutputTokens: outputTokens(
    "understand",
    async (services) => createUnderstandNode(services)(thirdTurn(), recordedIO()),
    { understand: { json: understandAnswer() } },
  ),
  thinkOutputTokens: outputTokens(
    "think",
    async (services) => createThinkNode(services)(thirdTurnUnderstood(), recordedIO()),
    { think: { json: thinkAnswer() } },
  ),
  actOutputTokens: outputTokens(
    "act",
    async (services) => createActNode(services)(actState({ calls: [] }, 0), recordedIO()),
    { act: { toolCalls: [{ name: "fail_step", args: { reason: "No" } }] } },
  ),
  replyOutputTokens: outputTokens(
    "reply",
    async (services) => createReplyNode(services)(thirdTurnUnderstood(), recordedIO()),
    { reply: "Gladly." },
  ),
  translationOutputTokens: {
    value: 17,
    observe: async (limits) => {
      const scripts = { summarize: [{ json: NARRATIVE_ANSWER }, { json: { sentences: [] } }] };
      const services = testServices({ limits, scripts });
      await createSummarizeNode(services)(
        thirdTurnUnderstood({ replies: [storedReply("Gern.")], language: "de" }),
        recordedIO(),
      );
      return services.models.summarize.requests.map(({ maxOutputTokens }) => maxOutputTokens);
    },
  },
  summarizeOutputTokens: outputTokens(
    "summarize",
    async (services) =>
      createSummarizeNode(services)(
        thirdTurnUnderstood({ replies: [storedReply("Gladly.")] }),
        recordedIO(),
      ),
    { summarize: { json: NARRATIVE_ANSWER } },
  ),
  conciergeOutputTokens: outputTokens("concierge", runStarter, { concierge: "Tell me more." }),
  mapperOutputTokens: outputTokens("mapper", (services) => runMapper(services, ["e1", "e2"]), {
    mapper: ["", ""],
  }),
  workflowOutputTokens: outputTokens(
    "summarize",
    (services) => outlinePlan(PLANNED, { byCode: false, services, io: recordedIO() }),
    { summarize: ["", ""] },
  ),
  handoverOutputTokens: outputTokens(
    "concierge",
    (services) =>
      rollOverHandover(thirdTurn(), {
        handover: fallbackHandover(JOURNEY, { userMessages: [] }),
        services,
        io: recordedIO(),
      }),
    { concierge: ["", ""] },
  ),
  titleCharacters: {
    value: 2,
    observe: async (limits) => {
      const thread = await testThread(database, { limits });
      await thread.send("hello");
      const { rows } = await database.owner.query(
        "select title from threads where thread_id = $1",
        [thread.run.threadId],
      );
      return rows;
    },
  },
  confirmationHours: {
    value: 1,
    observe: async (limits) => {
      const call: UnconfirmedCall = {
        tool: "delete_rows",
        args: {},
        step: { description: "Clear", subdomain: "recipes" },
        changesHash: "",
        changes: [],
        rules: [],
        wording: "Do it?",
      };
      const stepResults = [makeResult(0, { status: "asked", unconfirmed: [call] })];
      const understanding = makeUnderstanding({ needs: "change" });
      const state = thirdTurn({ plan: makePlan(), stepResults, understanding });
      const services = { ...testServices({ limits }), now: () => 0 };
      const { pending } = toValues(await createReplyNode(services)(state, recordedIO()));
      return pending?.kind === "confirmation" ? pending.expiresAt : null;
    },
  },
  journalDays: {
    value: 1,
    observe: async (limits) => {
      const [reply] = repliesIn(
        await (await testThread(database, { limits, behaviour: DELETING })).send("thanks"),
      );
      return /for (\d+) days/u.exec(reply ?? "")?.[1];
    },
  },
  cleanUpMinutes: {
    value: 1,
    observe: async (limits) => {
      let cleanUps = 0;
      let minutes = 0;
      const cleaning = createCleaning({
        store: { cleanUp: async () => void (cleanUps += 1) },
        limits,
        now: () => new Date(minutes * 60_000),
      });
      for (; minutes < 3; minutes += 1) await cleaning.afterTurn("ann");
      return cleanUps;
    },
  },
  temporaryThreadSeconds: {
    value: 1,
    observe: async (limits) => {
      const parts = await openServerParts({ database });
      const app = createApp(routeParts({ ...parts, limits }));
      const response = await app.request("/runs", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          assistant_id: "concierge",
          input: { messages: [{ role: "user", content: "hello" }] },
        }),
      });
      const { rows } = await database.owner.query<{ seconds: number }>(
        `select extract(epoch from remove_at - created_at)::int as seconds from threads
          where thread_id = $1`,
        [response.headers.get("x-thread-id")],
      );
      await parts.close();
      return rows[0]?.seconds;
    },
  },
  connectSeconds: {
    value: 1,
    observe: (limits) =>
      withStorage(limits, async ({ pool }) => pool.options.connectionTimeoutMillis),
  },
  statementSeconds: {
    value: 1,
    observe: (limits) => withStorage(limits, ({ pool }) => readSetting(pool, "statement_timeout")),
  },
  idleTransactionSeconds: {
    value: 1,
    observe: (limits) =>
      withStorage(limits, ({ pool }) => readSetting(pool, "idle_in_transaction_session_timeout")),
  },
  recallTokens: { value: 20, observe: (limits) => recallText(limits) },
  recallTurns: { value: 1, observe: (limits) => recallText(limits) },
  leaseSeconds: {
    value: 2,
    observe: async (limits) => {
      const request = { threadId: "lease", owner: "me", waitMs: 0, signal: null };
      return withStorage(limits, (_database, store) =>
        store.holdLease(request, async () => {
          const { rows } = await database.owner.query<{ seconds: number }>(
            "select ceil(extract(epoch from expires_at - now()))::int as seconds from leases where thread_id = 'lease'",
          );
          return rows[0]?.seconds;
        }),
      );
    },
  },
  leaseWaitSeconds: {
    value: 1,
    observe: async (limits) => {
      const waits: number[] = [];
      await sendTurns(["hello"], limits, {
        store: (store) => ({
          ...store,
          holdLease: (request, work) => {
            waits.push(request.waitMs);
            return store.holdLease(request, work);
          },
        }),
      });
      return waits;
    },
  },
  attemptsPerMessage: {
    value: 1,
    observe: (limits) =>
      sendTurns(["hello", "again"], limits, {
        behaviour: { reply: () => new TypeError("It fails") },
      }),
  },
  checkpointTurns: {
    value: 1,
    observe: async (limits) => {
      const thread = await testThread(database, { limits });
      for (const text of ["one", "two", "three"]) await thread.send(text);
      const { rows } = await database.owner.query<{ inputs: number }>(
        "select count(*)::int as inputs from checkpoints where thread_id = $1 and metadata ->> 'source' = 'input'",
        [thread.run.threadId],
      );
      return rows[0]?.inputs;
    },
  },
  repetitionDays: {
    value: 1,
    observe: async (limits) => {
      const days: number[] = [];
      await sendTurns(["hello"], limits, {
        store: (store) => ({
          ...store,
          cleanUp: async (_userId, ages) => {
            days.push(ages.repetitionDays);
          },
        }),
      });
      return days;
    },
  },
  conciergeThreadTokens: {
    value: 50,
    observe: (limits) => {
      const services = testServices({ limits });
      const messages = [{ role: "user", text: "Move?" }] as const;
      return determineContinuity(
        turnState({
          concierge: { ...INITIAL_PHASE_STATE, conciergeContextId: "starter@turn-1" },
          conciergeThread: {
            contextId: "starter@turn-1",
            model: services.models.concierge.name,
            messages: [...messages],
            throughTurn: 1,
            planVersion: 0,
          },
        }),
        services,
      );
    },
  },
  expertThreadTokens: {
    value: 1,
    observe: async (limits) => (await conveneWithLimits(limits)).experts.length,
  },
  batchTokens: {
    value: 1,
    observe: async (limits) => (await conveneWithLimits(limits)).experts.length,
  },
  expertQuestionTokens: {
    value: 20,
    observe: async (limits) => (await conveneWithLimits(limits)).question,
  },
  batchSeconds: {
    value: 1,
    observe: async (limits) => (await conveneWithLimits(limits)).deadlineAt,
  },
  expertAnswerTokens: { value: 1, observe: (limits) => askExperts(limits, quickExperts(1)) },
  expertSeconds: { value: 1, observe: (limits) => askExperts(limits, [SLOW]) },
  expertGraceSeconds: {
    value: 1,
    observe: (limits) => askExperts(limits, [...quickExperts(2), SLOW]),
  },
  cutGraceSeconds: {
    value: 1,
    observe: (limits) => askExperts(limits, [SLOW], AbortSignal.abort()),
  },
  batchQuorum: {
    value: 1,
    observe: async (limits) => {
      const services = testServices({ limits, scripts: { mapper: ["", ""] } });
      return (await runMapper(services, ["e1"])).claimMap;
    },
  },
  mapperSeconds: {
    value: 1,
    observe: async (limits) => {
      const services = testServices({ limits });
      const update = await runMapper(
        { ...services, models: { ...services.models, mapper: slowModel() } },
        ["e1", "e2"],
      );
      return update.notices?.length;
    },
  },
  briefTokens: {
    value: 20,
    observe: (limits) => {
      const services = testServices({ limits });
      const { briefTokens: tokens, countTokens } = selectBriefInput(services, "briefTokens");
      const { analysis } = archivedBatch();
      return analysis && buildStructuralBrief(analysis, { tokens, countTokens });
    },
  },
  sheetTokens: {
    value: 20,
    observe: (limits) => askExecutor(limits, 0),
  },
  stepSheetTokens: {
    value: 20,
    observe: (limits) => askExecutor(limits, 1),
  },
  starterTurns: {
    value: 2,
    observe: async (limits) => {
      const services = testServices({ limits, scripts: { concierge: "Tell me more." } });
      return (await runStarter(services)).concierge?.currentPhase;
    },
  },
  quietTurns: {
    value: 1,
    observe: async (limits) => {
      const services = testServices({ limits, scripts: { concierge: "Go on." } });
      await createExplorerNode(services)(EXPLORED, recordedIO());
      return services.models.concierge.requests[0]?.messages
        .at(-1)
        ?.text.includes("## Nothing New");
    },
  },
  planSteps: {
    value: 1,
    observe: async (limits) => {
      const services = testServices({ limits });
      const planned = await outlinePlan(PLANNED, { byCode: true, services, io: recordedIO() });
      return planned?.plan?.steps.length;
    },
  },
  planDecisions: {
    value: 1,
    observe: (limits) =>
      startPlan("rest", plannedPlan(["Rest"]), { decisionsMade: ["one", "two"], limits }).decisions
        .length,
  },
  journeysHeld: {
    value: 1,
    observe: ({ journeysHeld }) => {
      const context = { turn: 2, state: journeyState(), journeysHeld };
      return moveJourney([activeLine(1)], { kind: "open", question: "Why?" }, context).lines;
    },
  },
  planChangesHeld: {
    value: 1,
    observe: (limits) => {
      const message = "note one, note two";
      const actions = ["note one", "note two"].map((words) =>
        planAction({ kind: "annotate", target: "step_1", text: words, words }),
      );
      return applyPlanActions(tripPlan(), actions, { message, turn: 1, limits }).plan;
    },
  },
  planTokens: {
    value: 40,
    observe: ({ planTokens: tokens }) =>
      renderPlan(viewPlan(tripPlan()), { detail: "full", tokens, countTokens: countRoughly }),
  },
};

// Side by side, since some wait for more than a second.
describe.concurrent("each limit has an effect", () => {
  test.each(Object.entries(EFFECTS))("%s", async (name, { value, observe }) => {
    const [before, after] = [
      await observe(DEFAULT_LIMITS),
      await observe(limitsWith({ [name]: value })),
    ];
    expect(after).not.toEqual(before);
  });
});

const QUESTION: Question = {
  node: "think",
  role: "think",
  run: TEST_RUN,
  turn: 1,
  parts: [stablePart("rules", "prompt:think", "Choose.")],
  required: [],
  thread: [],
  maxOutputTokens: 10,
};

/** A model whose endpoint has these limits. */
function chatModel(chat: SlowChatModel, limits: Limits): LanguageModel {
  return createLangChainModel({ chat, name: "slow", endpoint: null, limits });
}

async function answerOrCode(answer: Promise<{ readonly text: string }>): Promise<string> {
  return answer.then(
    ({ text }) => text,
    (error: unknown) => (error instanceof ModelError ? error.code : String(error)),
  );
}

/** Answers after more than a second. */
function slowModel() {
  return modelThat(async () => {
    await delay(1_400);
    return "An answer";
  });
}

const SLOW: Expert = { id: "slow", lens: null, model: slowModel() };

function viewWithLimits(limits: Limits) {
  const messages = [
    new HumanMessage({ id: "message-1", content: LONG, additional_kwargs: { turn: 1 } }),
    new AIMessage({ id: "reply_run-1_1", content: LONG, additional_kwargs: { turn: 1 } }),
  ];
  const rules = ["no lamb", "no pork"].map((text) => ({
    text,
    kind: "hard" as const,
    count: null,
    until: null,
    scope: "conversation" as const,
    turn: 1,
  }));
  const constraints = [...WISHES, ...rules];
  const input = { messageId: "message-3", text: LONG };
  const ledger = [1, 2, 3].map((turn) =>
    makeLedgerLine(turn, { stated: `It is day ${turn} of it` }),
  );
  const state = thirdTurn({ messages, constraints, input, ledger, registryTable: [] });
  return viewConversation(state, testServices({ limits }));
}

function renderChoicesWith(limits: Limits): string {
  const { workingSet } = viewConversation(thirdTurnUnderstood(), testServices());
  return renderChoices(workingSet, { limits, countTokens: countRoughly, refs: true, facts: true });
}

function closeAt(turn: number, limits: Limits) {
  const { registry } = thirdTurn();
  const entries = registry.entries.map((entry, index) =>
    index === 0 ? { ...entry, action: "deleted" as const, demotion: null, retention: null } : entry,
  );
  const choices = registry.choices.flatMap((choice) => [choice, { ...choice, id: "choice_9" }]);
  return closeTurn({ ...registry, entries, choices }, { turn, window: limits.recordTurns, limits });
}

function rowsBeside(beside: number, limits: Limits): string {
  const services = testServices({ limits });
  const draft = drafted(3, null, { name: "Stew", instructions: LONG });
  const state = thirdTurn({ registryEvents: [draft] });
  const view = viewConversation(state, services);
  const refs = view.registry.entries.map(({ ref }) => ref);
  return renderStepRows(makeStep({ refs }), { state, view, services, beside });
}

async function countRemoved(limits: Limits): Promise<number | undefined> {
  const clarification = { question: "Which?", options: [] };
  const state = thirdTurn({
    understanding: makeUnderstanding({ route: "clarify", clarification }),
  });
  const update = await createReplyNode(testServices({ limits }))(state, recordedIO());
  return toValues(update).messages?.length;
}

function actState(changes: Partial<TurnState> = {}, made = 1): TurnState {
  return thirdTurnUnderstood({
    ...startTurnPlan(makePlan({ steps: [makeStep()] })),
    stepResults: [makeResult(0, { calls: made === 0 ? [] : [callResult()], rounds: made })],
    calls: [{ node: "think", usage: { input: 10, cached: 0, output: 1 } }],
    ...changes,
  });
}

async function actWithLimits(limits: Limits): Promise<string | undefined> {
  const script = { toolCalls: [{ name: "fail_step", args: { reason: "No" } }] };
  const services = testServices({ limits, scripts: { act: script } });
  const update = await createActNode(services)(actState(), recordedIO());
  return toValues(update).stepResults?.[0]?.outcome;
}

const BATCH: Batch = {
  id: "t1-b1",
  purpose: "opening",
  question: expertQuestion("Move?"),
  step: null,
  deadlineAt: 600_000,
  experts: ["e1", "e2", "slow"],
};

async function conveneWithLimits(limits: Limits): Promise<Batch> {
  const services = testServices({ limits, experts: quickExperts(60) });
  const state = turnState({ input: { messageId: "m-1", text: LONG.repeat(20) } });
  const { batchInfo } = toValues(await createConveneNode(services)(state, recordedIO()));
  if (batchInfo === null || batchInfo === undefined) throw new TypeError("There is no batch");
  return batchInfo;
}

async function askExperts(
  limits: Limits,
  experts: readonly Expert[],
  cut: AbortSignal | null = null,
): Promise<unknown[]> {
  const node = createExpertNode(testServices({ limits, experts }));
  const io = recordedIO(null, cut);
  const updates = await Promise.all(
    experts.map(({ id }) =>
      node({ expert: id, batch: BATCH, run: TEST_RUN, turn: 1, thread: [] }, io),
    ),
  );
  return updates.map((update) => toValues(update).answers?.[0]?.outcome);
}

async function runMapper(
  services: Parameters<typeof createMapperNode>[0],
  experts: readonly string[],
): Promise<Partial<TurnState>> {
  const answers = experts.map((expert) => ({
    batch: BATCH.id,
    expert,
    outcome: "answered" as const,
    text: `View of ${expert}`,
    reason: null,
    ms: 1,
    usage: { input: 1, cached: 0, output: 1 },
  }));
  const state = turnState({ batchInfo: { ...BATCH, deadlineAt: 0 }, answers });
  return toValues(await createMapperNode(services)(state, recordedIO()));
}

async function runStarter(services: TestServices): Promise<Partial<TurnState>> {
  const state = turnState({
    turn: 2,
    opening: { question: "Move?", answer: "It depends.", analysis: null },
    concierge: { ...INITIAL_PHASE_STATE, turnInPhase: 1 },
  });
  return toValues(await createStarterNode(services)(state, recordedIO()));
}

/** The text that an executor is asked with after so many answers, with an analysis to show. */
async function askExecutor(limits: Limits, turnInPhase: number): Promise<string | undefined> {
  const services = testServices({ limits, scripts: { concierge: "Gladly." } });
  const { analysis } = archivedBatch();
  const state = turnState({
    concierge: {
      ...INITIAL_PHASE_STATE,
      currentPhase: "executor",
      turnInPhase,
      pendingWorkflowAnalysis: analysis,
      pendingStepBatchAnalysis: analysis,
    },
  });
  await createExecutorNode(services)(state, recordedIO());
  return services.models.concierge.requests[0]?.messages.at(-1)?.text;
}

const EXPLORED = turnState({
  turn: 3,
  opening: { question: "Move?", answer: "It depends.", analysis: null },
  understanding: makeUnderstanding({ route: "concierge" }),
  concierge: {
    ...INITIAL_PHASE_STATE,
    currentPhase: "explorer",
    turnInPhase: 1,
    conciergeContextId: "explorer@turn-2",
  },
  conciergeThread: {
    contextId: "explorer@turn-2",
    model: "scripted",
    messages: [],
    throughTurn: 2,
    planVersion: 0,
  },
});

const PLANNED = shownPlan("1. Pack: all of it\n2. Move: on Monday");

async function recallText(limits: Limits): Promise<string> {
  const turns = [1, 2, 3].map((turn) => ({
    turn,
    runId: `run-${turn}`,
    messageId: `message-${turn}`,
    userMessage: LONG,
    replies: [storedReply(LONG)],
    summary: makeRecord(turn),
  }));
  const services = testServices({ limits, archive: memoryArchive({ turns }) });
  const facts = { services, run: TEST_RUN, registry: thirdTurn().registry };
  return (await recall({ ref: null, turn: null, words: "dinner" }, facts)).text;
}

/** The ends of the turns that the messages led to, or the reason why one was not accepted. */
/** Opens the program's storage with these limits for some work. */
async function withStorage<T>(
  limits: Limits,
  work: (database: Database, store: ConversationStore) => Promise<T>,
): Promise<T> {
  const config = { databaseUrl: database.url, dataDir: "/none", limits };
  const storage = await openStorage(config, { migrations: [], log: silentLog });
  try {
    return await work(storage.database, storage.store);
  } finally {
    await storage.database.close();
  }
}

async function readSetting(pool: Pool, name: string): Promise<unknown> {
  const { rows } = await pool.query("select current_setting($1) as value", [name]);
  return rows;
}

async function sendTurns(
  texts: readonly string[],
  limits: Limits,
  parts: ThreadParts = {},
): Promise<string[]> {
  const thread = await testThread(database, { ...parts, limits });
  const ends: string[] = [];
  for (const text of texts) {
    const events = await thread.send(text).catch((error: unknown) => String(error));
    ends.push(
      ...(typeof events === "string" ? [events] : events.filter(isEnd).map((end) => end.type)),
    );
  }
  return ends;
}

function isEnd({ type }: { readonly type: string }): boolean {
  return type === "turn-end" || type === "error";
}
