import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { Answer, AnswerCall } from "../answer.ts";
import { namePart } from "../language/lexicon.ts";
import { COMPARE, createClause, createTarget, describeClause } from "../language/request.ts";
import { JUDGE, SEARCH } from "../plan/build-steps.ts";
import { describeClauses, hideRefs } from "../plan/sentences.ts";
import { belongsTo, readRefs } from "../prompt/read-entities.ts";
import type { ShownRow } from "../prompt/read-rows.ts";
import { joinNames, joinQuoted, LACKING, lowerFirst } from "../phrase.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import { describeReason, findShown, holdsName, isWholeLabel } from "../understand/match-things.ts";
import { askUser, cannotDo, completeStep, createFailStepCall, needYes } from "./calls.ts";
import { type Job, readJob } from "./job.ts";
import { listOptions } from "./list-options.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Carries out one step from what its prompt shows: the next calls, or its end. */
export function act(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  const { sentBack } = prompt;
  const job = readJob(prompt, words);
  const calls = chooseCalls(job);
  if (sentBack === "") return { kind: "calls", calls };
  // What was found may have been excluded since: the refs that are named in the reason go.
  const wrong = readRefs(sentBack);
  const end = calls.find(({ name }) => name === "complete_step");
  const { refs } = end?.args ?? {};
  if (end === undefined || wrong.length === 0 || !Array.isArray(refs))
    return { kind: "calls", calls: [createFailStepCall(cannotDo(job))] };
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

/** Ends the summary of an analysis that did not see all that is there. Reply reads it. */
export const UNCHECKED = "remain, not checked against what is there";

/** Judges what the prompt shows; nothing is looked up. */
function analyze(job: Job): AnswerCall {
  if (job.description.startsWith(COMPARE)) return compare(job);
  if (job.description.includes(SEARCH)) return askForRemoval(job);
  const { description, candidates, subdomain, words, rows, unwanted, found, isCut } = job;
  const { stock } = words.roles;
  const what = subdomain.replaceAll("_", " ");
  const options = rows.filter(({ ref }) => belongsTo(ref, subdomain));
  const out = new Map(
    options.flatMap((row): [string, string][] => {
      const texts = [...Object.values(row.cells), ...Object.values(row.lists).flat()];
      const parts = texts.flatMap((text) => text.split(", "));
      const [shown] = unwanted.flatMap((name) => findShown(parts, name, words) ?? []);
      return shown === undefined ? [] : [[row.ref, describeReason(row.label, shown)]];
    }),
  );
  const end = (summary: string, judged: readonly string[]): AnswerCall => {
    const reasons = judged.flatMap((ref) => out.get(ref) ?? []);
    const leftOut = reasons.length === 0 ? "" : `; left out: ${reasons.join(", ")}`;
    const left = judged.filter((ref) => !out.has(ref));
    return completeStep(`${left.length} ${what} ${summary}${leftOut}`, left);
  };
  const isJudged = stock !== null && description.startsWith(JUDGE);
  if (isJudged && !isCut) {
    const there = rows.filter(({ ref }) => belongsTo(ref, stock)).map(({ label }) => label);
    const possible = options.filter((row) => isPossible(row, there));
    const proposal = proposeMeals(
      job,
      possible.filter(({ ref }) => !out.has(ref)),
    );
    if (proposal !== null) return proposal;
    return end(
      `fit the ${stock.replaceAll("_", " ")}`,
      possible.map(({ ref }) => ref),
    );
  }
  // Where not all rows are in view, nothing can be said of what is there: then all that was found counts.
  const all = [...found, ...options.map(({ ref }) => ref)];
  const judged = [...new Set(isJudged ? all : (candidates ?? all))];
  return end(
    isJudged ? UNCHECKED : "remain",
    judged.filter((ref) => belongsTo(ref, subdomain)),
  );
}

/** Asks for a yes to one of the possible choices for each day for which one is wanted. */
function proposeMeals({ clauses, words }: Job, possible: readonly ShownRow[]): AnswerCall | null {
  const names = clauses
    .filter(({ kind }) => kind === "suggest")
    .flatMap(({ day, slot }, index) => {
      const row = possible[index % possible.length];
      const on = { known: true, ref: row?.ref ?? null, day, slot: slot ?? "dinner" };
      return row === undefined ? [] : [createTarget(row.label, on)];
    });
  if (names.length === 0) return null;
  const command = describeClause(createClause("plan", { names }), words);
  return needYes(`Shall I ${hideRefs(lowerFirst(command))}?`, command);
}

/** Says of each named choice which of the things that it is made with are not there; amounts are not compared. */
function compare({ description, subdomain, words, rows, isCut }: Job): AnswerCall {
  const there = rows
    .filter(({ ref }) => belongsTo(ref, words.roles.stock))
    .map(({ label }) => label);
  const named = [...description.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
  const options = rows.filter(
    (row) => belongsTo(row.ref, subdomain) && named.some((name) => holdsName(row.label, name)),
  );
  // Only whole rows show all that they are made with.
  const found = options.flatMap((row) => {
    const items = Object.values(row.lists).flat();
    const needed = items.map((item) => item.replace(/ [\d.]+(?: .*)?$/, ""));
    const missing = listMissing(needed, there);
    if (items.length === 0) return [];
    return missing.length === 0
      ? `Everything for ${row.label} is there`
      : `${LACKING} for ${row.label}: ${missing.join(", ")}`;
  });
  if (found.length === 0)
    return createFailStepCall(`I know of no ${joinQuoted(named)} in the ${subdomain}.`);
  const unseen = isCut ? ["I do not see all that is in stock here, so it may be there"] : [];
  return completeStep([...found, ...unseen].join("; "));
}

/** Asks for a yes to the removal of what was found, or which is meant where a name is in several places. */
function askForRemoval({ description, rows, isCut, words }: Job): AnswerCall {
  const [command = "", places = ""] = description.split(SEARCH);
  const parts = places.split(", ");
  const nameWhole = (subdomain: string): string => namePart({ subdomain, value: null }, words);
  const names = [...command.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
  const placed = rows.flatMap((row) => {
    const part = parts.find((each) => belongsTo(row.ref, each));
    return part === undefined ? [] : [{ row, part, label: row.label }];
  });
  const where = joinNames(
    parts.map((part) => `the ${nameWhole(part)}`),
    "or",
  );
  if (isCut)
    return createFailStepCall(
      `There is too much in ${where} to name it all. Please say where it is.`,
    );
  const found = names.map((name) => {
    const partly = placed.filter(({ label }) => holdsName(label, name));
    const whole = partly.filter(({ label }) => isWholeLabel(name, label));
    // A row that is beyond doubt is called as the person called it.
    if (whole.length === 1) return whole.map(({ row, part }) => ({ row, part, label: name }));
    return whole.length > 0 ? whole : partly;
  });
  const missing = names.filter((_, at) => found[at]?.length === 0);
  if (missing.length > 0)
    return createFailStepCall(
      `I found no ${joinQuoted(missing)} in ${where}, so nothing was changed.`,
    );
  const several = found.find(({ length }) => length > 1);
  if (several !== undefined) {
    const isOnePlace = new Set(several.map(({ part }) => part)).size === 1;
    const options = several.map(({ row, part }) => ({ row, place: `in the ${nameWhole(part)}` }));
    const { found: list, question } = listOptions(
      options,
      `Which one do you mean? Please ${isOnePlace ? "name it whole" : "say where it is"}.`,
    );
    return askUser(list, question);
  }
  const clauses = [...Map.groupBy(found.flat(), ({ part }) => part)].map(([subdomain, own]) =>
    createClause("remove", {
      names: own.map(({ row, label }) => createTarget(label, { known: true, ref: row.ref })),
      part: { subdomain, value: null },
    }),
  );
  const tried = clauses.map((clause) => describeClause(clause, words)).join("; ");
  return needYes(`Shall I ${hideRefs(describeClauses(clauses, words))}?`, tried);
}

function listMissing(needed: readonly string[], there: readonly string[]): string[] {
  return needed.filter((name) => !there.some((item) => holdsName(item, name)));
}

function isPossible({ cells, lists }: ShownRow, there: readonly string[]): boolean {
  const listed = (cells["ingredients"] ?? "").split(/, |\n/).filter((name) => name !== "");
  const needed = (listed.length > 0 ? listed : Object.values(lists).flat()).slice(0, MAIN);
  return needed.length > 0 && listMissing(needed, there).length === 0;
}
