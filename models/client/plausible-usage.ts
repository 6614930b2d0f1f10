import { pickSentParts, type ModelRequest } from "../../state/model.ts";
import type { EndpointAnswer } from "./ask-endpoint.ts";

/** Tokens that an endpoint may add to a prompt on its own: a template, a text before it. */
const MOST_ADDED = 50_000;
/** Tokens that a model may have thought unseen. */
const MOST_UNSEEN = 200_000;

/**
 * Leaves out what an endpoint counts and nobody can have read or written: a token has a byte at least.
 * Numbers that are left out are 0, as where an endpoint counts none.
 */
export function dropImplausible(answer: EndpointAnswer, request: ModelRequest): EndpointAnswer {
  const { schema, tools, messages } = request;
  const forms = [...tools, ...(schema === null ? [] : [schema])].map(pickSentParts);
  const calls = answer.toolCalls.map(({ name, rawArgs }) => name + rawArgs);
  const written = [answer.raw, answer.thoughts, ...calls].join("");
  const most = {
    input: Buffer.byteLength(JSON.stringify([messages, forms])) + MOST_ADDED,
    output: Buffer.byteLength(written) + MOST_UNSEEN,
  };
  const { input, cached, output } = answer.usage;
  const usage = {
    input: input > most.input ? 0 : input,
    cached: input > most.input ? 0 : Math.min(cached, input),
    output: output > most.output ? 0 : output,
  };
  return { ...answer, usage, reasoningTokens: Math.min(answer.reasoningTokens, usage.output) };
}
