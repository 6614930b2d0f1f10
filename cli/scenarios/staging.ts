import { ModelError, type LanguageModel, type ModelRequest } from "../../state/model.ts";
import type { Limits } from "../../state/limits.ts";
import type { Expert } from "../../state/expert.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import type { Stage } from "./conversation.ts";

/** What a scenario's words presuppose of models and limits. */
export interface Staging {
  /** Places of experts, from 0: one that never answers, one whose endpoint answers 500. */
  readonly experts?: { readonly hanging: number; readonly failing: number };
  /** Turns, from 0, in which the concierge's model gives no answer. */
  readonly silent?: readonly number[];
  /** Turns, from 0, in which the concierge's first block lacks its PROMPT. */
  readonly garbled?: readonly number[];
  readonly limits?: Partial<Limits>;
}

/** What goes wrong, or is made narrow, in a scenario because its words say so. */
export const STAGINGS: Readonly<Record<string, Staging>> = {
  // Short, so that the one that hangs is not waited for long.
  "expert-failures": { experts: { hanging: 1, failing: 2 }, limits: { expertGraceSeconds: 1 } },
  "no-answer": { silent: [0, 2, 4, 7] },
  "block-again": { garbled: [2] },
  "long-talk": { limits: { conciergeThreadTokens: 300 } },
};

/** The stage as a scenario needs it; `turn` tells which one is played, from 0. */
export function stageFor(
  stage: Stage,
  { staging = {}, turn }: { readonly staging?: Staging | undefined; readonly turn: () => number },
): Stage {
  const { experts: faults, silent = [], garbled = [], limits } = staging;
  const concierge = stage.models.concierge ?? stage.models.reply;
  const experts = stage.experts ?? expertsOf(stage.models.expert ?? concierge);
  const withFaults =
    silent.length === 0
      ? garblingFirst(concierge, { turn, turns: garbled })
      : sometimesFailing(concierge, () => silent.includes(turn()));
  return {
    ...stage,
    ...(faults === undefined
      ? {}
      : { experts: experts.map((expert, index) => faulty(expert, { index, faults })) }),
    ...(silent.length + garbled.length === 0
      ? {}
      : {
          experts,
          models: {
            ...stage.models,
            mapper: stage.models.mapper ?? concierge,
            concierge: withFaults,
          },
        }),
    ...(limits === undefined ? {} : { limits: { ...stage.limits, ...limits } }),
  };
}

function expertsOf(model: LanguageModel): readonly Expert[] {
  return DEFAULT_LENSES.map(({ id, lens }) => ({ id, lens, model }));
}

function faulty(
  expert: Expert,
  { index, faults }: { readonly index: number; readonly faults: NonNullable<Staging["experts"]> },
): Expert {
  if (index === faults.hanging) return { ...expert, model: hanging(expert.model.name) };
  if (index !== faults.failing) return expert;
  return { ...expert, model: sometimesFailing(expert.model, () => true) };
}

/** Never answers, not even when it is told to stop. */
function hanging(name: string): LanguageModel {
  return { name, complete: () => new Promise(() => undefined) };
}

function sometimesFailing(model: LanguageModel, fails: () => boolean): LanguageModel {
  return {
    ...namesOf(model),
    complete: (request: ModelRequest) =>
      fails() ? Promise.reject(serverError(model.name)) : model.complete(request),
  };
}

/** Leaves the PROMPT out of the first block of a turn, as a model does that forgets it. */
function garblingFirst(
  model: LanguageModel,
  { turn, turns }: { readonly turn: () => number; readonly turns: readonly number[] },
): LanguageModel {
  const done = new Set<number>();
  return {
    ...namesOf(model),
    complete: async (request: ModelRequest) => {
      const now = turn();
      if (!turns.includes(now) || done.has(now)) return model.complete(request);
      const answer = await model.complete({ ...request, onText: null });
      const text = answer.text.replace(/^PROMPT:[\s\S]*?(?=^<<<END>>>)/m, "");
      if (text !== answer.text) done.add(now);
      request.onText?.(text);
      return { ...answer, text };
    },
  };
}

function namesOf({ name, enumerateIds }: LanguageModel): Omit<LanguageModel, "complete"> {
  return enumerateIds === undefined ? { name } : { name, enumerateIds };
}

function serverError(name: string): ModelError {
  return new ModelError(
    "model_failed",
    `Cannot get an answer of "${name}": the endpoint answered with status 500; try again later`,
  );
}
