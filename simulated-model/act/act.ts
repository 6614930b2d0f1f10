import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { Answer, AnswerCall } from "../answer.ts";
import { JUDGE } from "../plan/build-steps.ts";
import { belongsTo, readLabel, readRefs, type ShownRow } from "../prompt/read-entities.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { holdsName, showsName } from "../understand/match-things.ts";
import { completeStep, createFailStepCall } from "./calls.ts";
import { type Job, readJob } from "./job.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Carries out one step from what its prompt shows: the next calls, or its end. */
export function act(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  const { sentBack } = prompt;
  const calls = chooseCalls(readJob(prompt, words));
  if (sentBack === "") return { kind: "calls", calls };
  // What was found may have been excluded since: the refs that are named in the reason go.
  const wrong = readRefs(sentBack);
  const end = calls.find(({ name }) => name === "complete_step");
  const { refs } = end?.args ?? {};
  if (end === undefined || wrong.length === 0 || !Array.isArray(refs))
    return { kind: "calls", calls: [createFailStepCall(sentBack)] };
  const left = refs.filter((ref) => !wrong.includes(String(ref)));
  return { kind: "calls", calls: [{ name: end.name, args: { ...end.args, refs: left } }] };
}

function chooseCalls(job: Job): readonly AnswerCall[] {
  if (job.stepType === "read") return [read(job)];
  if (job.stepType === "analyze") return [analyze(job)];
  if (job.stepType === "write") return write(job);
  return [createFailStepCall("I cannot make anything up without a language model.")];
}

/** Main ingredients stand first; what stands after them (spices, salt) is not looked for. */
const MAIN = 5;

/** Judges what the prompt shows; nothing is looked up. */
function analyze(job: Job): AnswerCall {
  const { description, candidates, subdomain, words, rows, unwanted, found, isCut } = job;
  const { stock } = words.roles;
  const what = subdomain.replaceAll("_", " ");
  const isUnwanted = ({ cells, lists }: ShownRow): boolean => {
    const texts = [...Object.values(cells), ...Object.values(lists).flat()];
    const parts = texts.flatMap((text) => text.split(", "));
    return unwanted.some((name) => showsName(parts, name, words));
  };
  const options = rows.filter(({ ref }) => belongsTo(ref, subdomain));
  const out = new Set(options.filter(isUnwanted).map(({ ref }) => ref));
  const isJudged = stock !== null && description.startsWith(JUDGE);
  if (isJudged && !isCut) {
    const there = rows.filter(({ ref }) => belongsTo(ref, stock)).map(readLabel);
    const possible = options.filter((row) => !out.has(row.ref) && isPossible(row, there));
    const fit = `${possible.length} ${what} fit the ${stock.replaceAll("_", " ")}`;
    return completeStep(
      fit,
      possible.map(({ ref }) => ref),
    );
  }
  // Where not all rows are in view, nothing can be said of what is there: then all that was found counts.
  const all = [...found, ...options.map(({ ref }) => ref)];
  const left = [...new Set(isJudged ? all : (candidates ?? all))].filter(
    (ref) => belongsTo(ref, subdomain) && !out.has(ref),
  );
  return completeStep(`${left.length} ${what} remain`, left);
}

function isPossible({ cells, lists }: ShownRow, there: readonly string[]): boolean {
  const listed = (cells["ingredients"] ?? "").split(/, |\n/).filter((name) => name !== "");
  const needed = (listed.length > 0 ? listed : Object.values(lists).flat()).slice(0, MAIN);
  return needed.length > 0 && needed.every((name) => there.some((item) => holdsName(item, name)));
}
