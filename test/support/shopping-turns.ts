import { randomUUID } from "node:crypto";
import { createOpenAIModels, type ModelServices } from "../../models/client/openai.ts";
import type { OpenAIConfig } from "../../models/config.ts";
import { mealsDomain } from "../../meals/index.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Limits } from "../../state/limits.ts";
import { countRoughly } from "./arbitraries.ts";
import { openConversation, type Conversation } from "./conversation.ts";
import type { TestDatabase } from "./database.ts";
import { everyRole } from "./every-role.ts";
import { namesIn } from "./fresh-kitchen.ts";
import { openAIConfig } from "./model-requests.ts";
import type { ScriptedAnswer, WireRequest } from "./scripted-endpoint.ts";
import { makeStep, NARRATIVE_ANSWER, thinkAnswer, understandAnswer } from "./turn-state.ts";

/** Beginnings of the system texts by which an endpoint can tell who asks, in every mode. */
const ROLES = [
  ["understand", "You read the newest message"],
  ["think", "You plan the work"],
  ["act", "You carry out one step"],
  ["summarize", "You keep the minutes"],
  ["mapper", "You map what several answers"],
  ["expert", "You are an expert adviser"],
] as const;

/** Returns the role that asks; `reply` where it is none of the others. */
export function readRole({ messages }: WireRequest): string {
  const system = messages[0]?.content ?? "";
  return ROLES.find(([, beginning]) => system.startsWith(beginning))?.[0] ?? "reply";
}

/** Answers as a good model does to "add … to the shopping list", and to small talk. */
export function answerShopping(request: WireRequest, role: string): ScriptedAnswer {
  const item = readItem(request);
  switch (role) {
    case "understand":
      return answerJson(role, understandAnswer(item === null ? { needs: "talk" } : ADDING));
    case "think":
      return answerJson(role, fitToTier(planAdding(item ?? "it"), request));
    case "act":
      return { kind: "calls", calls: callAdding(item ?? "it") };
    case "summarize":
      return answerJson(role, NARRATIVE_ANSWER);
    default:
      return { kind: "text", text: replyTo(item) };
  }
}

const ADDING = { needs: "change" as const, expressed: "Wants something on the list" };

/** The words of a well-behaved model about an item; null for small talk. */
function replyTo(item: string | null): string {
  return item === null
    ? "You are welcome. Tell me whenever something is missing in your kitchen."
    : `There is room for ${item} on every shopping list, and now it is on yours.`;
}

function answerJson(name: string, value: unknown): ScriptedAnswer {
  return { kind: "json", name, value: JsonObjectSchema.parse(value) };
}

/** Reads what the newest message wants on the list; null where it wants nothing. */
function readItem({ messages }: WireRequest): string | null {
  const shown = messages.findLast(({ content }) => content?.includes("<message>") === true);
  const message = /.*<message>\n(.*?)\n<\/message>/su.exec(shown?.content ?? "")?.[1] ?? "";
  return /^add (.+) to the shopping list$/u.exec(message)?.[1] ?? null;
}

/** Leaves out the groups of steps where the request, schema or prompt, does not know them. */
function fitToTier(plan: ReturnType<typeof planAdding>, request: WireRequest): unknown {
  if (JSON.stringify(request).includes("group")) return plan;
  return { ...plan, steps: plan.steps.map(({ group: _group, ...step }) => step) };
}

function planAdding(item: string) {
  const writes = [{ action: "create" as const, type: "shopping", refs: [] }];
  const description = `Add ${item} to the shopping list`;
  return thinkAnswer({
    goal: null,
    steps: [makeStep({ description, stepType: "write", subdomain: "shopping", writes })],
  });
}

function callAdding(item: string) {
  const row = { name: item, quantity: 1, unit: null, category: null, purchased: null, sources: [] };
  return [
    { name: "create_shopping_list_lines", args: { rows: [row], drafts: [] } },
    {
      name: "complete_step",
      args: { resultSummary: `Put ${item} on the list`, noteForNextStep: null, refs: [] },
    },
  ];
}

/** A conversation about a shopping list with models of an endpoint. */
export interface ShoppingConversation extends Conversation {
  /** Returns what stands on the list, beside the demo's. */
  listed(): Promise<readonly string[]>;
}

/** The setting of a shopping conversation. */
export interface ShoppingOptions {
  readonly baseUrl: string;
  readonly model?: string;
  readonly config?: Partial<OpenAIConfig>;
  readonly services?: ModelServices;
  /** Of graph and endpoint alike. */
  readonly limits?: Partial<Limits>;
  /** One that goes on, in another process. */
  readonly continues?: Pick<Conversation, "userId" | "threadId">;
}

/** Opens a conversation with the real client. The kitchen is empty. */
export function openShopping(
  database: TestDatabase,
  { baseUrl, model = "scripted", config, services, limits = {}, continues }: ShoppingOptions,
): ShoppingConversation {
  const models = createOpenAIModels(
    openAIConfig(baseUrl, { models: everyRole(model), ...config }),
    { countTokens: countRoughly, limits, ...services },
  );
  const userId = continues?.userId ?? `user-${randomUUID()}`;
  const conversation = openConversation(
    { database, domain: mealsDomain, countTokens: countRoughly, models, limits },
    { userId, threadId: continues?.threadId ?? randomUUID() },
  );
  return {
    ...conversation,
    listed: () => namesIn(database, { table: "shopping_list", userId }),
  };
}
