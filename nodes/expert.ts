import { z } from "zod";
import { buildExpertPrompt } from "../prompts/expert.ts";
import { BatchSchema, type ExpertAnswer } from "../state/batch.ts";
import { fitLimits, type Limits } from "../state/limits.ts";
import type { Usage } from "../state/model.ts";
import { ThreadMessageSchema } from "../state/phase.ts";
import { TurnContextSchema, type TurnState, type TurnUpdate } from "../state/turn.ts";
import { shorten } from "../registry/shorten.ts";
import { askForText } from "./ask/ask-model.ts";
import { asPromptMessage } from "./concierge/concierge-thread.ts";
import { askForAllViews } from "./concierge/ask-for-all-views.ts";
import { createExpertRace, type ExpertRace } from "./concierge/expert-race.ts";
import type { Expert } from "../state/expert.ts";
import type { NodeIO, NodeServices } from "./node.ts";

/** The task of one expert. LangGraph shows a sent task nothing else of the state. */
export const ExpertTaskSchema = z.object({
  expert: z.string(),
  batch: BatchSchema,
  run: TurnContextSchema,
  turn: z.number().int(),
  /** The expert's earlier questions and answers. */
  thread: z.array(ThreadMessageSchema),
});
export type ExpertTask = z.infer<typeof ExpertTaskSchema>;

/** Builds one task for each expert of the open batch; one for all where a single call gives every view. */
export function buildExpertTasks(state: TurnState): ExpertTask[] {
  const { batchInfo: batch, run, turn, expertThreads } = state;
  if (batch === null || run === null) return [];
  const asked = batch.combined === true ? batch.experts.slice(0, 1) : batch.experts;
  return asked.map((expert) => ({
    expert,
    batch,
    run,
    turn,
    thread: expertThreads.find((thread) => thread.expert === expert)?.messages ?? [],
  }));
}

/**
 * Makes the node that asks one expert, side by side with the others of its batch. It always
 * returns: an answer, or why there is none.
 */
export function createExpertNode(services: NodeServices) {
  const races = new Map<string, ExpertRace>();
  const findOrCreateRace = (task: ExpertTask): ExpertRace => {
    const key = `${task.run.threadId}/${task.run.runId}/${task.batch.id}`;
    const known = races.get(key);
    if (known !== undefined) return known;
    // Batches of a thread follow each other: what is over is forgotten with the next.
    for (const old of races.keys()) {
      if (old.startsWith(`${task.run.threadId}/`)) races.delete(old);
    }
    const { expertGraceSeconds } = services.limits;
    const expertSeconds = task.batch.expertSeconds ?? services.limits.expertSeconds;
    const race = createExpertRace({
      expertMs: expertSeconds * 1_000,
      // Where an expert is given longer, so are those who come after the quorum.
      graceMs: (expertGraceSeconds * expertSeconds * 1_000) / services.limits.expertSeconds,
      cutGraceMs: services.limits.cutGraceSeconds * 1_000,
      quorum: services.limits.batchQuorum,
    });
    races.set(key, race);
    return race;
  };
  return async function expert(sent: unknown, io: NodeIO): Promise<TurnUpdate> {
    const task = ExpertTaskSchema.parse(sent);
    if (task.batch.combined === true) {
      return askForAllViews(task, { race: findOrCreateRace(task), services, io });
    }
    const { batch } = task;
    const head = { batch: batch.id, purpose: batch.purpose, expert: task.expert };
    io.emit({ type: "expert-start", ...head });
    const began = services.clock();
    const end = await askExpert(task, { race: findOrCreateRace(task), services, io });
    const ms = services.clock() - began;
    io.emit({ type: "expert-end", ...head, outcome: end.outcome, reason: end.reason, ms });
    return { answers: [{ batch: batch.id, expert: task.expert, ms, ...end }] };
  };
}

type ExpertEnd = Pick<ExpertAnswer, "outcome" | "text" | "reason" | "usage" | "calls">;

const NO_USAGE: Usage = { input: 0, cached: 0, output: 0 };

/** The parts that asking an expert needs. */
export interface AskExpertOptions {
  readonly race: ExpertRace;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

async function askExpert(task: ExpertTask, facts: AskExpertOptions): Promise<ExpertEnd> {
  const { race, services, io } = facts;
  const expert = services.experts.find(({ id }) => id === task.expert);
  if (expert === undefined) {
    return failed(`"${task.expert}" is no longer configured`);
  }
  try {
    const raced = await race.run(
      (signal, begin) => askExpertModel(expert, { task, services, io, signal, begin }),
      {
        leftMs: task.batch.deadlineAt - services.now(),
        cut: io.cut,
        isAnswer: ({ text }) => text !== "",
      },
    );
    // A turn that is stopped stops here; what was asked for is asked again when it goes on.
    io.signal?.throwIfAborted();
    if (raced.kind === "done") return raced.value;
    const reason = raced.kind === "late" ? "no answer in time" : "no longer waited for";
    return { outcome: raced.kind, text: "", reason, usage: NO_USAGE };
  } catch (error) {
    io.signal?.throwIfAborted();
    // One expert's fault is never the batch's.
    return failed(error instanceof Error ? error.name : "unknown fault");
  }
}

interface AskExpertModelOptions {
  readonly task: ExpertTask;
  readonly services: NodeServices;
  readonly io: NodeIO;
  readonly signal: AbortSignal;
  readonly begin: () => void;
}

async function askExpertModel(expert: Expert, facts: AskExpertModelOptions): Promise<ExpertEnd> {
  const { task, services, io, signal, begin } = facts;
  const { expertAnswerTokens } = fitToExpert(expert, services);
  const signals = io.signal === null ? signal : AbortSignal.any([signal, io.signal]);
  const asked = await askForText(
    {
      node: "expert",
      role: "expert",
      model: expert.model,
      run: task.run,
      turn: task.turn,
      parts: buildExpertPrompt({
        question: task.batch.question,
        lens: expert.lens,
        batch: task.batch.id,
      }),
      required: ["rules", "request"],
      before: task.thread.map(asPromptMessage),
      thread: [],
      maxOutputTokens: expertAnswerTokens,
      onBegin: begin,
    },
    { onText: null, services, io: { ...io, signal: signals } },
  );
  const calls = [...asked.calls];
  const usage = calls.map((call) => call.usage).reduce(addUsage, NO_USAGE);
  if (asked.kind === "failed") {
    return { outcome: "failed", text: "", reason: `${asked.code}: ${asked.reason}`, usage, calls };
  }
  const answer = asked.value.trim();
  // Not every endpoint keeps to the limit it is given.
  const text = shorten(answer, {
    tokens: expertAnswerTokens,
    countTokens: services.countTokens,
  });
  const outcome = asked.truncated || text !== answer ? "partial" : "answered";
  return { outcome, text, reason: null, usage, calls };
}

/** Returns the limits for one expert, whose model may be smaller than the others'. */
function fitToExpert({ model }: Expert, { limits }: NodeServices): Limits {
  const traits = model.traits?.();
  return traits === undefined ? limits : fitLimits(limits, traits);
}

function failed(reason: string): ExpertEnd {
  return { outcome: "failed", text: "", reason, usage: NO_USAGE };
}

function addUsage(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output };
}
