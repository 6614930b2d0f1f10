import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { Answer, AnswerCall } from "../answer.ts";
import { JUDGE } from "../plan/build-steps.ts";
import { belongsTo, readLabel, type ShownRow } from "../prompt/read-entities.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { holdsName, showsName } from "../understand/match-things.ts";
import { completeStep, failStep } from "./calls.ts";
import { type Job, readJob } from "./job.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Carries out one step from what its prompt shows: the next calls, or its end. */
export function act(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  return { kind: "calls", calls: chooseCalls(readJob(prompt, words), prompt.sentBack) };
}

function chooseCalls(job: Job, sentBack: string): readonly AnswerCall[] {
  if (sentBack !== "") return [failStep(sentBack)];
  switch (job.stepType) {
    case "read":
      return [read(job)];
    case "analyze":
      return [analyze(job)];
    case "write":
      return write(job);
    default:
      return [failStep("I cannot make anything up without a language model.")];
  }
}

/** Main ingredients stand first; what stands after them (spices, salt) is not looked for. */
const MAIN = 5;

/** Judges what the prompt shows; nothing is looked up. */
function analyze({ description, candidates, subdomain, words, rows, unwanted }: Job): AnswerCall {
  const what = subdomain.replaceAll("_", " ");
  const options = rows.filter(({ ref }) => belongsTo(ref, subdomain));
  const isUnwanted = ({ cells, lists }: ShownRow): boolean => {
    const texts = [
      ...Object.values(cells).flatMap((cell) => cell.split(", ")),
      ...Object.values(lists).flat(),
    ];
    return unwanted.some((name) => showsName(texts, name, words));
  };
  const out = new Set(options.filter(isUnwanted).map(({ ref }) => ref));
  const { stock } = words.roles;
  if (stock !== null && description.startsWith(JUDGE)) {
    const there = rows.filter(({ ref }) => belongsTo(ref, stock)).map(readLabel);
    const possible = options.filter((row) => !out.has(row.ref) && isPossible(row, there));
    const refs = possible.map(({ ref }) => ref);
    return completeStep(`${refs.length} ${what} fit the ${stock.replaceAll("_", " ")}`, refs);
  }
  const before =
    candidates?.filter((ref) => belongsTo(ref, subdomain)) ?? options.map(({ ref }) => ref);
  const left = before.filter((ref) => !out.has(ref));
  return completeStep(`${left.length} ${what} remain`, left);
}

function isPossible({ cells, lists }: ShownRow, there: readonly string[]): boolean {
  const listed = (cells["ingredients"] ?? "").split(/, |\n/).filter((name) => name !== "");
  const needed = (listed.length > 0 ? listed : Object.values(lists).flat()).slice(0, MAIN);
  return needed.length > 0 && needed.every((name) => there.some((item) => holdsName(item, name)));
}
