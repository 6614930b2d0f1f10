import {
  ModelRoleSchema,
  type CountTokens,
  type ModelRequest,
  type ModelRole,
} from "../../state/model.ts";
import { computeCost, type Price } from "../../models/prices.ts";
import type { MadeUpConversation } from "../simulation/intents.ts";
import { playConversation } from "../simulation/play.ts";
import { chooseWording } from "./play-intents.ts";
import { hashText } from "./recorded-model.ts";

/** Calls and tokens of one role. */
export interface RoleLoad {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** The requests of conversations to models that always answer well, in numbers. */
export interface Rehearsal {
  readonly loads: Readonly<Partial<Record<ModelRole, RoleLoad>>>;
  /** The hash of the constant part of each role's prompts: its system text, schema and tools. */
  readonly prompts: Readonly<Partial<Record<ModelRole, string>>>;
}

/** Tokens of an ordinary answer, without what a model thinks. */
const ANSWER_TOKENS: Readonly<Record<ModelRole, number>> = {
  understand: 200,
  think: 250,
  act: 120,
  reply: 150,
  summarize: 60,
  concierge: 400,
  expert: 900,
  mapper: 900,
};

/** Plays the conversations with models that need no endpoint, and counts what they are asked. */
export async function rehearse(
  conversations: readonly MadeUpConversation[],
  countTokens: CountTokens,
): Promise<Rehearsal> {
  const requests: ModelRequest[] = [];
  for (const [index, conversation] of conversations.entries()) {
    await playConversation(conversation, {
      reword: (message, turn) => chooseWording(index, message, turn),
      onTurn: (_, prompted) => requests.push(...prompted.map(({ request }) => request)),
    });
  }
  const roles = [...Map.groupBy(requests, ({ role }) => role)];
  return {
    loads: Object.fromEntries(
      roles.map(([role, own]) => [
        role,
        {
          calls: own.length,
          input: own.reduce((sum, request) => sum + countTokens(renderRequest(request)), 0),
          output: own.length * ANSWER_TOKENS[role],
        },
      ]),
    ),
    prompts: Object.fromEntries(
      roles.map(([role, own]) => [
        role,
        hashText([...new Set(own.map(renderConstantPart))].toSorted().join("\n")),
      ]),
    ),
  };
}

function renderRequest({ messages, ...request }: ModelRequest): string {
  return [renderSchemas(request), ...messages.map(({ text }) => text)].join("\n");
}

function renderConstantPart({ messages, ...request }: ModelRequest): string {
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  return [renderSchemas(request), ...system].join("\n");
}

function renderSchemas({ schema, tools }: Pick<ModelRequest, "schema" | "tools">): string {
  const all = schema === null ? tools : [schema, ...tools];
  return all
    .map(({ name, description, schema: sent }) =>
      [name, description, JSON.stringify(sent)].join(" "),
    )
    .join("\n");
}

/** The cost of an evaluation before it begins. */
export interface Estimate {
  readonly calls: number;
  readonly tokens: number;
  /** Millionths of a dollar; null where a price is not known. */
  readonly micros: number | null;
  readonly seconds: number;
}

interface EstimatedRun {
  /** The price of a role's model; null where it is not known. */
  readonly findPrice: (role: ModelRole) => Price | null;
  readonly atOnce: number;
}

/** Seconds of a call beside its output, and tokens of output a second: those of a middling endpoint. */
const CALL_SECONDS = 0.8;
const OUTPUT_PER_SECOND = 60;

/** Estimates tokens, money and time; nothing is taken as cached. */
export function estimate(
  { loads }: Pick<Rehearsal, "loads">,
  { findPrice, atOnce }: EstimatedRun,
): Estimate {
  const all = Object.entries(loads);
  const costs = all.map(([role, { input, output }]) => {
    const price = findPrice(ModelRoleSchema.parse(role));
    return price === null ? null : computeCost({ input, cached: 0, output }, price);
  });
  const calls = sum(all.map(([, load]) => load.calls));
  const output = sum(all.map(([, load]) => load.output));
  return {
    calls,
    tokens: sum(all.map(([, load]) => load.input)) + output,
    micros: costs.every((cost) => cost !== null) ? sum(costs) : null,
    seconds: (calls * CALL_SECONDS + output / OUTPUT_PER_SECOND) / atOnce,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
