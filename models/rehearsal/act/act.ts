import type { Answer, AnswerCall } from "../answer.ts";
import { readRefs } from "../prompt/read-entities.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import type { World } from "../world/world.ts";
import { analyze } from "./analyze.ts";
import { fail } from "./ends.ts";
import { generate } from "./generate.ts";
import { type Job, readJob } from "./job.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Carries out one step from what its prompt shows: the next calls, or its end. */
export function act(
  prompt: ParsedPrompt,
  options: { readonly world: World; readonly tools: ReadonlySet<string> },
): Answer {
  const calls = nextCalls(readJob(prompt, options));
  return { kind: "calls", calls: prompt.sentBack === "" ? calls : mended(calls, prompt) };
}

function nextCalls(job: Job): readonly AnswerCall[] {
  switch (job.stepType) {
    case "read":
      return [read(job)];
    case "analyze":
      return [analyze(job)];
    case "generate":
      return [generate(job)];
    case "write":
      return write(job);
    case null:
      return [fail("The prompt names no step")];
    default:
      return job.stepType satisfies never;
  }
}

/** What code has sent back is put right where its reason says how; else the step ends with the reason. */
function mended(calls: readonly AnswerCall[], prompt: ParsedPrompt): readonly AnswerCall[] {
  const { sentBack, refused } = prompt;
  const better = calls.map((call) => withoutWrongRefs(call, sentBack));
  const isRefused = (call: AnswerCall): boolean =>
    refused.some(
      ({ name, args }) => name === call.name && JSON.stringify(args) === JSON.stringify(call.args),
    );
  return better.some(isRefused) ? [fail(sentBack)] : better;
}

/** Refs that the reason names do not belong into the result. */
function withoutWrongRefs(call: AnswerCall, reason: string): AnswerCall {
  const { refs } = call.args;
  if (call.name !== "complete_step" || !Array.isArray(refs)) return call;
  const wrong = new Set(readRefs(reason));
  return { ...call, args: { ...call.args, refs: refs.filter((ref) => !wrong.has(String(ref))) } };
}
