import * as fc from "fast-check";
import type { Models } from "../../app/open-models.ts";
import { conversations } from "./intents.ts";
import { playConversation, type Failure } from "./play.ts";

interface JudgedModel {
  readonly models: Models;
  readonly runs: number;
  readonly turns: number;
  readonly seed: number;
}

/** The conversations that a model has held, and where the others broke. */
export interface ModelVerdict {
  readonly held: number;
  readonly broken: readonly { readonly number: number; readonly failure: Failure }[];
}

/** Plays conversations with a real model: the intents as plain text, judged by what comes of them. */
export async function judgeModel({
  models,
  runs,
  turns,
  seed,
}: JudgedModel): Promise<ModelVerdict> {
  const played = fc.sample(conversations(turns, { lies: false }), { numRuns: runs, seed });
  const broken: { number: number; failure: Failure }[] = [];
  for (const [index, conversation] of played.entries()) {
    const { failure } = await playConversation(conversation, { models });
    if (failure !== null) broken.push({ number: index + 1, failure });
  }
  return { held: played.length - broken.length, broken };
}

/** Renders how many conversations held, and where the others broke. */
export function renderModelVerdict({ held, broken }: ModelVerdict): string {
  const lines = broken.map(({ number, failure }) => {
    const { turn, intent, violations, state } = failure;
    const [first] = violations;
    const message = state.input?.text ?? state.messages.at(-1)?.text ?? "";
    return [
      `${number}. turn ${turn} (${intent.kind}): ${message.split("\n")[0] ?? ""}`,
      `  ${first?.invariant ?? ""}`,
      `  expected: ${first?.expected ?? ""}`,
      `  found:    ${first?.found.split("\n")[0] ?? ""}`,
    ].join("\n");
  });
  return [...lines, `${held} of ${held + broken.length} conversations hold`].join("\n");
}
