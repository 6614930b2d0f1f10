import { randomUUID } from "node:crypto";
import type { Domain, Json } from "../../packaging/domain.ts";
import { mapRoles, type ModelRequest, type ModelRole } from "../../state/model.ts";
import type { TurnState } from "../../state/turn.ts";
import { openConversation, type SentMessage } from "../../test/support/conversation.ts";
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptEntry,
} from "../../test/support/scripted-model.ts";
import { complete } from "../../test/support/step-script.ts";
import {
  makeStep,
  NARRATIVE_ANSWER,
  thinkAnswer,
  understandAnswer,
} from "../../test/support/turn-state.ts";
import type { RetailDatabase, StoredData } from "./stored-data.ts";

/** One answer of Act, from what its prompt shows. */
export type ActAnswer = (request: ModelRequest) => ScriptedAnswer;

/** A step that changes or deletes rows of its part of the domain. */
export interface PlannedWork {
  readonly subdomain: string;
  readonly action: "update" | "delete";
  /** The answers of Act, round by round; then it ends the step. */
  readonly act: readonly ActAnswer[];
}

/** A message, and how the models take it: as work of Act, as a "yes", or as a wish to undo. */
export interface CustomerTurn {
  readonly text: string;
  readonly plan: "yes" | "undo" | PlannedWork;
}

/** The result of a turn. */
export interface CustomerAnswer {
  readonly reply: string;
  /** Refusals of its calls that would have changed something. */
  readonly refusals: readonly string[];
  /** Number of changes that it stored, or took back. */
  readonly stored: number;
  /** The question that it ends with; null for none. */
  readonly question: string | null;
}

/** A customer's conversation with models that follow its turns, over the whole graph. */
export interface PlayedCustomer {
  play(turn: CustomerTurn): Promise<CustomerAnswer>;
}

/** Database and domain of a conversation. */
export interface RetailStage {
  readonly database: RetailDatabase;
  readonly stored: StoredData;
  readonly domain: Domain;
}

/** Opens a new conversation of a customer. */
export function openCustomer(stage: RetailStage, userId: string): PlayedCustomer {
  const { database, domain } = stage;
  let turn: CustomerTurn = { text: "", plan: "yes" };
  let rounds = 0;
  const answers: Partial<Record<ModelRole, ScriptEntry>> = {
    understand: () => ({ json: understandTurn(turn) }),
    think: () => ({ json: planTurn(turn, domain) }),
    act: (request) => actAs(turn, rounds++)(request),
    reply: "Here is where it stands.",
    summarize: { json: NARRATIVE_ANSWER },
  };
  const models = mapRoles((role) => ({
    name: "played",
    complete: (request: ModelRequest) => scriptedModel(answers[role] ?? []).complete(request),
  }));
  const conversation = openConversation(
    { database, domain, models },
    { userId, threadId: randomUUID() },
  );
  return {
    async play(played) {
      turn = played;
      rounds = 0;
      const sent = await conversation.send(played.text);
      if (sent.failure !== null) throw sent.failure;
      return readResult(sent, await conversation.state());
    },
  };
}

function readResult(sent: SentMessage, { stepResults }: TurnState): CustomerAnswer {
  const refused = stepResults.flatMap(({ calls }) =>
    calls.filter(({ ok, effect }) => !ok && effect !== "read"),
  );
  const question = sent.events.findLast((event) => event.type === "confirmation");
  return {
    reply: sent.reply,
    refusals: refused.map(({ text }) => text),
    stored: sent.record?.effects.length ?? 0,
    question: question?.wording ?? null,
  };
}

function understandTurn({ plan }: CustomerTurn): Json {
  if (plan === "yes") return understandAnswer({ answersPending: "accept" });
  return understandAnswer(plan === "undo" ? { undo: { effects: [] } } : { needs: "change" });
}

function planTurn({ text, plan }: CustomerTurn, { subdomains }: Domain): Json {
  if (typeof plan === "string") throw new Error(`Cannot plan "${text}": it needs no plan`);
  const { subdomain, action } = plan;
  const { type = "" } = subdomains.find(({ name }) => name === subdomain) ?? {};
  const writes = [{ action, type, refs: [] }];
  const step = makeStep({ description: text, stepType: "write", subdomain, writes });
  return thinkAnswer({ steps: [step] });
}

function actAs({ plan }: CustomerTurn, round: number): ActAnswer {
  const act = typeof plan === "object" ? plan.act : [];
  return act[round] ?? (() => complete("That is where it stands"));
}
