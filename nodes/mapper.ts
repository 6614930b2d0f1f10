import { buildMapperPrompt } from "../prompts/mapper.ts";
import { mapOfAnswers, readClaimMap } from "../claim-analysis/claim-map.ts";
import type { Batch, ExpertAnswer } from "../state/batch.ts";
import { MapperAnswerSchema, type MapperAnswer } from "../state/claims.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { askForAnswer, type Asked } from "./ask/ask-model.ts";
import { answerSchema } from "./ask/read-checked.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { runInTime } from "./ask/in-time.ts";
import { requireRun } from "./require-run.ts";

/** The answer of the mapper. */
export const MAPPER_ANSWER = answerSchema("map", "The map.", MapperAnswerSchema);

/**
 * Makes the mapper: a pure function of a batch's question and answers. It has no thread and keeps
 * nothing. When it fails, each answer becomes one claim, and that is said.
 */
export function createMapperNode(services: NodeServices) {
  return async function mapper(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { batchInfo: batch } = state;
    if (batch === null) throw new TypeError("Cannot map answers: there is no batch");
    const update = await map(state, { batch, io });
    // Help with a step comes after the turn's record, which tells all other notices.
    const unreported = batch.purpose === "step-help" ? update.notices : [];
    for (const { node, code, text } of unreported.slice(state.notices.length)) {
      io.emit({ type: "notice", node, code, text });
    }
    return update;
  };

  async function map(
    state: TurnState,
    { batch, io }: { readonly batch: Batch; readonly io: NodeIO },
  ): Promise<Pick<TurnState, "claimMap" | "calls" | "notices">> {
    const answers = selectAnswers(state, batch);
    const notices = [...state.notices, ...expertNotices(state.answers, batch)];
    const asking = [...state.calls, ...toCallRecords(state.answers, batch)];
    // With fewer there is nothing to compare: the concierge answers from its own knowledge.
    if (answers.length < services.limits.batchQuorum) {
      const text = `${answers.length} of ${batch.experts.length} experts answered; the concierge answers from its own knowledge`;
      return {
        claimMap: null,
        calls: asking,
        notices: [...notices, { node: "mapper", code: "no-quorum", text }],
      };
    }
    const texts = answers.map(({ text }) => text);
    // What the experts have left over is not the mapper's: the person waits.
    const seconds = batch.mapperSeconds ?? services.limits.mapperSeconds;
    const asked = await runInTime(
      (signal) => askMapper(state, { batch, texts, seconds, services, io: { ...io, signal } }),
      { ms: seconds * 1_000, signal: io.signal },
    );
    const calls = [...asking, ...(asked?.calls ?? [])];
    if (asked?.kind === "answered") {
      const { map, notes } = readClaimMap(asked.value, { answers: texts.length });
      if (map.claims.length > 0) {
        const dropped = notes.map((text) => ({ node: "mapper", code: "map-checked", text }));
        return { claimMap: map, calls, notices: [...notices, ...asked.notices, ...dropped] };
      }
    }
    const degraded: Notice = {
      node: "mapper",
      code: "map-degraded",
      text: "The answers could not be mapped; each of them stands as one claim",
    };
    return {
      claimMap: mapOfAnswers(texts),
      calls,
      notices: [...notices, ...(asked?.notices ?? []), degraded],
    };
  }
}

/** The batch's answers that hold something, in the configured order of their experts. */
export function selectAnswers(state: Pick<TurnState, "answers">, batch: Batch): ExpertAnswer[] {
  return batch.experts.flatMap((expert) =>
    state.answers.filter(
      (answer) => answer.batch === batch.id && answer.expert === expert && answer.text !== "",
    ),
  );
}

/** Returns the calls of the experts, including those without an answer. */
function toCallRecords(answers: readonly ExpertAnswer[], batch: Batch): TurnState["calls"] {
  return answers
    .filter((answer) => answer.batch === batch.id)
    .flatMap(({ text, usage, calls }) => {
      if (calls !== undefined) return calls;
      const isCalled = text !== "" || usage.input + usage.output > 0;
      return isCalled ? [{ node: "expert" as const, usage }] : [];
    });
}

function expertNotices(answers: readonly ExpertAnswer[], batch: Batch): Notice[] {
  return answers
    .filter((answer) => answer.batch === batch.id && answer.reason !== null)
    .map(({ expert, outcome, reason }) => ({
      node: "expert",
      code: `expert-${outcome}`,
      text: `${expert}: ${reason}`,
    }));
}

interface AskMapperOptions {
  readonly batch: Batch;
  readonly texts: readonly string[];
  readonly seconds: number;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

async function askMapper(state: TurnState, facts: AskMapperOptions): Promise<Asked<MapperAnswer>> {
  const { batch, texts, seconds, services, io } = facts;
  return askForAnswer(
    {
      node: "mapper",
      role: "mapper",
      run: requireRun(state),
      turn: state.turn,
      parts: buildMapperPrompt({ question: batch.question, answers: texts }),
      required: ["rules", "request", "answers"],
      batchSeconds: seconds,
      thread: [],
      maxOutputTokens: services.limits.mapperOutputTokens,
    },
    {
      schema: MAPPER_ANSWER,
      check: ({ claims }) => (claims.length === 0 ? ["claims: there must be at least one"] : []),
      services,
      io,
    },
  );
}
