import { ModelError, type LanguageModel, type ModelRequest } from "../../state/model.ts";
import type { Limits } from "../../state/limits.ts";
import type { Expert } from "../../nodes/node.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import type { Stage } from "./conversation.ts";

/** What a scenario's words presuppose of models and limits. */
export interface Staging {
  /** Places of experts, from 0: one that never answers, one whose endpoint answers 500. */
  readonly experts?: { readonly hanging: number; readonly failing: number };
  /** Turns, from 0, in which the concierge's model gives no answer. */
  readonly silent?: readonly number[];
  readonly limits?: Partial<Limits>;
}

/** What goes wrong, or is made narrow, in a scenario because its words say so. */
export const STAGINGS: Readonly<Record<string, Staging>> = {
  // Short, so that the one that hangs is not waited for long.
  "expert-failures": { experts: { hanging: 1, failing: 2 }, limits: { expertGraceSeconds: 1 } },
  "no-answer": { silent: [0, 2, 4, 7] },
  "long-talk": { limits: { conciergeThreadTokens: 300 } },
};

/** The stage as a scenario needs it; `turn` tells which one is played, from 0. */
export function stageFor(
  stage: Stage,
  { staging = {}, turn }: { readonly staging?: Staging | undefined; readonly turn: () => number },
): Stage {
  const { experts: faults, silent = [], limits } = staging;
  const concierge = stage.models.concierge ?? stage.models.reply;
  const experts = stage.experts ?? expertsOf(stage.models.expert ?? concierge);
  const isSilent = (): boolean => silent.includes(turn());
  return {
    ...stage,
    ...(faults === undefined
      ? {}
      : { experts: experts.map((expert, index) => faulty(expert, { index, faults })) }),
    ...(silent.length === 0
      ? {}
      : {
          experts,
          models: {
            ...stage.models,
            mapper: stage.models.mapper ?? concierge,
            concierge: sometimesFailing(concierge, isSilent),
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
    name: model.name,
    ...(model.enumerateIds === undefined ? {} : { enumerateIds: model.enumerateIds }),
    complete: (request: ModelRequest) =>
      fails() ? Promise.reject(serverError(model.name)) : model.complete(request),
  };
}

function serverError(name: string): ModelError {
  return new ModelError(
    "model_failed",
    `Cannot get an answer of "${name}": the endpoint answered with status 500; try again later`,
  );
}
