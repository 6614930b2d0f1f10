import { z } from "zod";
import { buildAllViewsPrompt } from "../../prompts/all-views.ts";
import { shorten } from "../../registry/shorten.ts";
import type { ExpertAnswer } from "../../state/batch.ts";
import type { Usage } from "../../state/model.ts";
import type { TurnUpdate } from "../../state/turn.ts";
import { askForAnswer } from "../ask/ask-model.ts";
import { answerSchema } from "../ask/read-checked.ts";
import type { AskExpertOptions, ExpertTask } from "../expert.ts";

const AllViewsSchema = z.object({
  views: z
    .array(
      z.object({
        expert: z.string().describe("The name of the view, as it is listed."),
        answer: z.string().describe("The whole answer of this view, as plain text."),
      }),
    )
    .describe("One entry for each view that is listed, in its order."),
});
/** The schema of an answer that gives all views. */
export const ALL_VIEWS_ANSWER = answerSchema("views", "An answer from each view.", AllViewsSchema);

const NO_USAGE: Usage = { input: 0, cached: 0, output: 0 };

/**
 * Asks one model for the views of all experts of a batch in one call. It always returns: an answer for
 * each expert, or why there is none.
 */
export async function askForAllViews(
  { batch, run, turn }: ExpertTask,
  { race, services, io }: AskExpertOptions,
): Promise<TurnUpdate> {
  const began = services.clock();
  for (const expert of batch.experts) {
    io.emit({ type: "expert-start", batch: batch.id, purpose: batch.purpose, expert });
  }
  const experts = services.experts.filter(({ id }) => batch.experts.includes(id));
  const { limits, countTokens } = services;
  const raced = await race.run(
    (signal, begin) =>
      askForAnswer(
        {
          node: "expert",
          role: "expert",
          ...(experts[0] === undefined ? {} : { model: experts[0].model }),
          run,
          turn,
          parts: buildAllViewsPrompt({ question: batch.question, experts, batch: batch.id }),
          required: ["rules", "request"],
          thread: [],
          maxOutputTokens: limits.expertAnswerTokens * experts.length,
          onBegin: begin,
        },
        {
          schema: ALL_VIEWS_ANSWER,
          check: ({ views }) => findMissing(views, batch.experts),
          salvage: (value) => (value.views.length < limits.batchQuorum ? null : value),
          services,
          io: { ...io, signal: io.signal === null ? signal : AbortSignal.any([signal, io.signal]) },
        },
      ),
    {
      leftMs: batch.deadlineAt - services.now(),
      cut: io.cut,
      isAnswer: ({ kind }) => kind === "answered",
    },
  );
  io.signal?.throwIfAborted();
  const ms = services.clock() - began;
  const asked = raced.kind === "done" ? raced.value : null;
  const calls = [...(asked?.calls ?? [])];
  const usage = calls.reduce((sum, call) => addUsage(sum, call.usage), NO_USAGE);
  const answers = batch.experts.map((expert, index): ExpertAnswer => {
    // The one call is counted once.
    const cost = index === 0 ? { usage, calls } : { usage: NO_USAGE, calls: [] };
    const head = { batch: batch.id, expert, ms, ...cost };
    if (asked?.kind !== "answered") {
      const outcome = raced.kind === "done" ? "failed" : raced.kind;
      const reason =
        asked?.kind === "failed" ? `${asked.code}: ${asked.reason}` : "no answer in time";
      return { ...head, outcome, text: "", reason };
    }
    const answer = asked.value.views.find((view) => view.expert === expert)?.answer.trim() ?? "";
    if (answer === "") return { ...head, outcome: "failed", text: "", reason: "it was left out" };
    const text = shorten(answer, { tokens: limits.expertAnswerTokens, countTokens });
    return { ...head, outcome: text === answer ? "answered" : "partial", text, reason: null };
  });
  for (const { expert, outcome, reason } of answers) {
    io.emit({
      type: "expert-end",
      batch: batch.id,
      purpose: batch.purpose,
      expert,
      outcome,
      reason,
      ms,
    });
  }
  return { answers };
}

function findMissing(
  views: z.infer<typeof AllViewsSchema>["views"],
  experts: readonly string[],
): readonly string[] {
  return experts
    .filter((expert) => !views.some((view) => view.expert === expert && view.answer.trim() !== ""))
    .map((expert) => `views: "${expert}" has no answer`);
}

function addUsage(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output };
}
