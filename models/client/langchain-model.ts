import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { isNarrow, limitsWith, type Limits } from "../../state/limits.ts";
import type { CountTokens, LanguageModel, ModelTraits } from "../../state/model.ts";
import type { SettingNames } from "../failures/diagnose.ts";
import type { Price } from "../prices.ts";
import type { ReasoningLevel } from "../profile/known-models.ts";
import { ProfileKeeper } from "../profile/profile-keeper.ts";
import { startProfile } from "../profile/profile.ts";
import { EndpointQueue } from "../queue/endpoint-queue.ts";
import { AnswerHistory } from "./answer-history.ts";
import { reserveTokens } from "./answer-room.ts";
import { Completion, type CompletionSetup } from "./completion.ts";

/** Options for adapting a LangChain chat model to this project. */
export interface LangChainModelOptions {
  readonly chat: BaseChatModel;
  /** The name it is configured under. */
  readonly name: string;
  /** Origin and path of its endpoint; null for a model inside the process. */
  readonly endpoint: string | null;
  /** Knows what the model can do, and learns. Default: assumed, and forgotten with the process. */
  readonly profile?: ProfileKeeper;
  /** Shared by all models of an endpoint. Default: one of its own. */
  readonly queue?: EndpointQueue;
  /** Default: the program's. */
  readonly limits?: EndpointLimits;
  /** Thinking that was set; null or left out for the role's own level. */
  readonly reasoning?: ReasoningLevel | null;
  /** Counts a prompt against the window; left out, the window is not watched. */
  readonly countTokens?: CountTokens;
  /** Null or left out where it is not known. */
  readonly price?: Price | null;
  /** The settings that decide how it is asked, for advice. Default: those of the roles. */
  readonly settings?: SettingNames;
  /** Texts that errors must not show. Default: none. */
  readonly secrets?: readonly string[];
  /** True when a stream without a finish reason counts as cut off. Default: false. */
  readonly namesFinish?: boolean;
}

/** The limits of calls to an endpoint. */
export type EndpointLimits = Pick<
  Limits,
  "endpointCalls" | "retriesPerCall" | "queueSeconds" | "modelSeconds" | "modelSilenceSeconds"
>;

/** Calls at once that an endpoint can grow to. */
export const MOST_CALLS = 32;

/**
 * Makes a model of any LangChain chat model.
 *
 * Contract: one `complete` is one answer. It may take more calls where the endpoint shows that it
 * has to be asked in another way; what is learned holds for the calls after it. Every failure is a
 * `ModelError`.
 *
 * Source: models.md §1.
 */
export function createLangChainModel(options: LangChainModelOptions): LanguageModel {
  const limits = options.limits ?? limitsWith({});
  const setup: CompletionSetup = {
    ...options,
    limits,
    history: new AnswerHistory(),
    learned: [],
    profile: options.profile ?? assumeProfile(options),
    queue:
      options.queue ??
      new EndpointQueue({
        limits: { ...limits, mostCalls: Math.max(MOST_CALLS, limits.endpointCalls) },
      }),
    errors: {
      model: options.name,
      endpoint: options.endpoint === null ? null : new URL(options.endpoint).host,
      secrets: options.secrets ?? [],
      ...(options.settings === undefined ? {} : { settings: options.settings }),
    },
  };
  return {
    name: options.name,
    traits: () => readTraits(setup),
    complete: (request) => new Completion(request, setup).run(),
  };
}

/** Makes a profile that ends with the process. */
function assumeProfile({ name, endpoint }: LangChainModelOptions): ProfileKeeper {
  const start = startProfile(
    { endpoint: endpoint ?? "", model: name, dialect: endpoint === null ? "simulated" : "chat" },
    new Date(0).toISOString(),
  );
  return new ProfileKeeper({
    start,
    settings: {},
    store: null,
    now: () => Date.now(),
    onError: () => undefined,
  });
}

function readTraits({ profile, queue, limits, endpoint }: CompletionSetup): ModelTraits {
  const { tier, contextWindow, evidence } = profile.current;
  return {
    tier: evidence.tier === undefined && isNarrow(contextWindow) ? "small" : tier,
    endpoint,
    window: contextWindow,
    promptTokens: (answerTokens) =>
      contextWindow === null ? null : contextWindow - reserveTokens(answerTokens, profile.current),
    slots: queue.slots,
    callMs: queue.callMs,
    modelSeconds: limits.modelSeconds,
  };
}
