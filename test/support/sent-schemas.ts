import { Toolbox } from "../../domain/toolbox.ts";
import { mealsDomain } from "../../meals/index.ts";
import { outlinePlan } from "../../nodes/concierge/outline-plan.ts";
import { rollOverHandover } from "../../nodes/concierge/roll-over.ts";
import { createMapperNode } from "../../nodes/mapper.ts";
import { StepTools } from "../../nodes/steps/step-tools.ts";
import { createSummarizeNode } from "../../nodes/summarize.ts";
import { createThinkNode } from "../../nodes/think.ts";
import { createUnderstandNode } from "../../nodes/understand.ts";
import { ModelError, type ModelRole, type NamedSchema } from "../../state/model.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { StepTypeSchema } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { fallbackHandover } from "../../summaries/complete-handover.ts";
import { startWorkflow } from "../../summaries/workflow-progress.ts";
import { thirdTurn, thirdTurnUnderstood } from "./narrowing.ts";
import { recordedIO, testServices, type TestServices } from "./node-services.ts";
import { storedReply } from "./replies.ts";
import { turnState } from "./turn-state.ts";

/** A request of a node that sends an answer schema. */
interface Sending {
  readonly role: ModelRole;
  readonly run: (services: TestServices) => Promise<unknown>;
}

const SENDINGS: readonly Sending[] = [
  {
    role: "understand",
    run: (services) => createUnderstandNode(services)(thirdTurn(), recordedIO()),
  },
  {
    role: "think",
    run: (services) => createThinkNode(services)(thirdTurnUnderstood(), recordedIO()),
  },
  { role: "summarize", run: (services) => summarize(services, INITIAL_PHASE_STATE) },
  {
    role: "summarize",
    run: (services) => {
      const steps = [{ title: "Shop", description: "", doneWhen: "" }];
      const activeWorkflow = startWorkflow("A week of dinners", steps);
      return summarize(services, { ...INITIAL_PHASE_STATE, activeWorkflow });
    },
  },
  { role: "mapper", run: map },
  {
    role: "summarize",
    run: (services) => outlinePlan(SHOWN_PLAN, { byCode: false, services, io: recordedIO() }),
  },
  {
    role: "concierge",
    run: (services) =>
      rollOverHandover(thirdTurn(), {
        handover: fallbackHandover(
          { opening: { question: "Move?", answer: "", analysis: null }, userReply: "Yes" },
          { userMessages: [] },
        ),
        services,
        io: recordedIO(),
      }),
  },
];

const SHOWN_PLAN = turnState({
  replies: [storedReply("1. Pack: all of it\n2. Move: on Monday")],
  concierge: { ...INITIAL_PHASE_STATE, currentPhase: "executor", turnInPhase: 1 },
  conciergeThread: { contextId: "executor@turn-1", model: "m", messages: [], throughTurn: 1 },
});

/** Returns the schema of every structured answer that the nodes ask for, as they send it. */
export async function collectAnswerSchemas(): Promise<readonly NamedSchema[]> {
  return Promise.all(SENDINGS.map(collectSchema));
}

/** Returns the schemas of all tools that steps of the meals domain are offered, each once. */
export function listMealsTools(): readonly NamedSchema[] {
  const tools = new StepTools(new Toolbox(mealsDomain));
  const offered = mealsDomain.subdomains.flatMap(({ name }) =>
    StepTypeSchema.options.flatMap((stepType) => tools.list({ stepType, subdomain: name })),
  );
  return [...new Map(offered.map((tool) => [JSON.stringify(tool), tool])).values()];
}

/** The model refuses: what matters is what it was asked. */
async function collectSchema({ role, run }: Sending): Promise<NamedSchema> {
  const services = testServices({ scripts: { [role]: new ModelError("model_failed", "No") } });
  await run(services);
  const schema = services.models[role].requests[0]?.schema ?? null;
  if (schema === null) throw new TypeError(`Cannot collect the schema of "${role}": none was sent`);
  return schema;
}

function summarize(services: TestServices, concierge: TurnState["concierge"]): Promise<unknown> {
  const state = thirdTurnUnderstood({ replies: [storedReply("Gladly.")], concierge });
  return createSummarizeNode(services)(state, recordedIO());
}

function map(services: TestServices): Promise<unknown> {
  const experts = ["e1", "e2"];
  const batchInfo = {
    id: "t1-b1",
    purpose: "opening" as const,
    prompt: "Move?",
    step: null,
    deadlineAt: 0,
    experts,
  };
  const answers = experts.map((expert) => ({
    batch: batchInfo.id,
    expert,
    outcome: "answered" as const,
    text: `View of ${expert}`,
    reason: null,
    ms: 1,
    usage: { input: 1, cached: 0, output: 1 },
  }));
  return createMapperNode(services)(turnState({ batchInfo, answers }), recordedIO());
}
