import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMapperNode } from "../../nodes/mapper.ts";
import type { LanguageModel } from "../../state/model.ts";
import { expertAnswer } from "../support/archived-batch.ts";
import { expertQuestion } from "../support/expert-questions.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { toValues } from "../support/carry-out.ts";
import { turnState } from "../support/turn-state.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a mapper that hangs ends in its own time, and says every five seconds that answers are compared", async () => {
  const hanging: LanguageModel = { name: "hanging", complete: () => new Promise(() => undefined) };
  const services = testServices({ limits: { batchQuorum: 2, mapperSeconds: 24 } });
  const node = createMapperNode({ ...services, models: { ...services.models, mapper: hanging } });
  const experts = ["role", "risk"];
  const state = turnState({
    batchInfo: {
      id: "t1-b1",
      purpose: "opening",
      question: expertQuestion("Move?"),
      step: null,
      deadlineAt: 50_000,
      mapperSeconds: 24,
      experts,
    },
    answers: experts.map((expert) => Object.assign(expertAnswer(expert), { batch: "t1-b1" })),
  });
  const io = recordedIO();

  const running = Promise.resolve(node(state, io));
  let isOver = false;
  void running.then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(23_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  const update = toValues(await running);

  expect(io.of("waiting").map(({ reason, seconds, most }) => [reason, seconds, most])).toEqual(
    [5, 10, 15, 20].map((seconds) => ["batch", seconds, 24]),
  );
  expect(update.claimMap?.claims).toHaveLength(2);
  expect(update.notices?.map(({ code }) => code)).toEqual(["map-degraded"]);
});
