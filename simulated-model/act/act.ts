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
  const wrong = readRefs(sentBack);
  if (sentBack === "") return { kind: "calls", calls };
  // What was found may have been excluded since: the refs that are named in the reason go.
  const [{ name, args } = createFailStepCall(sentBack)] = calls;
  const refs = Array.isArray(args["refs"])
    ? args["refs"].filter((ref) => !wrong.includes(String(ref)))
    : [];
  const mends = name === "complete_step" && wrong.length > 0;
  return {
    kind: "calls",
    calls: [mends ? { name, args: { ...args, refs } } : createFailStepCall(sentBack)],
  };
}

function chooseCalls(job: Job): readonly AnswerCall[] {
  switch (job.stepType) {
    case "read":
      return [read(job)];
    case "analyze":
      return [analyze(job)];
    case "write":
      return write(job);
    default:
      return [createFailStepCall("I cannot make anything up without a language model.")];
  }
}

/** Main ingredients stand first; what stands after them (spices, salt) is not looked for. */
const MAIN = 5;

/** Judges what the prompt shows; nothing is looked up. */
function analyze(job: Job): AnswerCall {
  const { description, candidates, subdomain, words, rows, unwanted, found, isCut } = job;
  const what = subdomain.replaceAll("_", " ");
  const options = rows.filter(({ ref }) => belongsTo(ref, subdomain));
  const isUnwanted = ({ cells, lists }: ShownRow): boolean => {
    const texts = [...Object.values(cells), ...Object.values(lists).flat()];
    return unwanted.some((name) =>
      showsName(
        texts.flatMap((text) => text.split(", ")),
        name,
        words,
      ),
    );
  };
  const out = new Set(options.filter(isUnwanted).map(({ ref }) => ref));
  const { stock } = words.roles;
  const isJudged = stock !== null && description.startsWith(JUDGE);
  if (isJudged && !isCut) {
    const there = rows.filter(({ ref }) => belongsTo(ref, stock)).map(readLabel);
    const possible = options.filter((row) => !out.has(row.ref) && isPossible(row, there));
    const refs = possible.map(({ ref }) => ref);
    return completeStep(`${refs.length} ${what} fit the ${stock.replaceAll("_", " ")}`, refs);
  }
  // Where not all rows are in view, nothing can be said of what is there: then all that was found counts.
  const seen =
    isJudged || candidates === null ? [...found, ...options.map(({ ref }) => ref)] : candidates;
  const left = [...new Set(seen)].filter((ref) => belongsTo(ref, subdomain) && !out.has(ref));
  return completeStep(`${left.length} ${what} remain`, left);
}

function isPossible({ cells, lists }: ShownRow, there: readonly string[]): boolean {
  const listed = (cells["ingredients"] ?? "").split(/, |\n/).filter((name) => name !== "");
  const needed = (listed.length > 0 ? listed : Object.values(lists).flat()).slice(0, MAIN);
  return needed.length > 0 && needed.every((name) => there.some((item) => holdsName(item, name)));
}
