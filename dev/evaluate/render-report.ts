import { formatMoney } from "../../state/budget.ts";
import type { Comparison } from "./compare-reports.ts";
import type { Estimate } from "./rehearse.ts";
import {
  JudgedNodeSchema,
  type Item,
  type ItemFailure,
  type Report,
  type VerdictTally,
} from "./report.ts";
import { computeWilson, findPercentile } from "./statistics.ts";

/** Renders what an evaluation will take. */
export function renderRunEstimate({ calls, tokens, micros, seconds }: Estimate): string {
  const money =
    micros === null ? "money unknown: no price is known for the model" : formatMoney(micros);
  return `Estimate: ${group(calls)} calls, ${group(tokens)} tokens without thinking, ${money}, ${renderTime(seconds)}`;
}

/** Renders the figures of a run: those of each set, its failures, and the prompts it was asked with. */
export function renderEvaluation({ items, prompts }: Pick<Report, "items" | "prompts">): string {
  const sets = [...Map.groupBy(items, ({ set }) => set)];
  const hashes = Object.entries(prompts).map(([role, hash]) => `${role} ${hash}`);
  return [
    ...sets.flatMap(([set, own]) => [renderSet(set, own), renderFailures(own)]),
    `Constant parts of the prompts: ${hashes.join(", ")}`,
  ].join("\n");
}

function renderSet(set: string, items: readonly Item[]): string {
  const conversations = new Set(items.map(({ id }) => id.split(".")[0])).size;
  const nodes = JudgedNodeSchema.options.flatMap((node) => {
    const verdicts = items.flatMap(({ nodes: { [node]: verdict } }) => verdict ?? []);
    return verdicts.length === 0 ? [] : [renderShare(node, verdicts)];
  });
  return [
    `${set}: ${items.length} turns of ${conversations} conversations`,
    renderShare(
      "whole turn",
      items.map(({ right }) => right),
    ),
    ...nodes,
    `  effects: ${renderTally(items.map(({ effects }) => effects))}`,
    `  refs: ${renderTally(items.map(({ refs }) => refs))}`,
    `  excluded things named: ${total(items, ({ excludedNamed }) => excludedNamed)}`,
    `  questions asked needlessly: ${total(items, ({ needlessQuestions }) => needlessQuestions)}`,
    `  invalid first answers: ${total(items, ({ invalidFirst }) => invalidFirst)}, repairs: ${total(items, ({ repairs }) => repairs)}, fallbacks: ${total(items, ({ fallbacks }) => fallbacks)}`,
    `  degraded turns: ${count(items, "degraded")}, failed turns: ${count(items, "failed")}`,
    renderLoad(items),
  ].join("\n");
}

function renderShare(name: string, verdicts: readonly boolean[]): string {
  const share = computeWilson(verdicts.filter(Boolean).length, verdicts.length);
  const figures = `${percent(share.right / share.total)} (${percent(share.low)} to ${percent(share.high)})`;
  return `  ${name.padEnd(12)} ${`${share.right} of ${share.total} right`.padEnd(20)} ${figures}`;
}

function renderTally(tallies: readonly VerdictTally[]): string {
  const wanted = total(tallies, (one) => one.wanted);
  const right = total(tallies, (one) => one.right);
  const wrong = total(tallies, (one) => one.wrong);
  return `${right} of ${wanted} right, ${wrong} wrong`;
}

/** Tokens, time and money. Times are those of the models' calls, so that the same answers give the same figures. */
function renderLoad(items: readonly Item[]): string {
  const calls = items.flatMap((item) => item.calls);
  const input = total(calls, ({ usage }) => usage.input);
  const cached = total(calls, ({ usage }) => usage.cached);
  const output = total(calls, ({ usage }) => usage.output);
  const seconds = items.map((item) => total(item.calls, readMs) / 1_000);
  const at = (share: number): string => (findPercentile(seconds, share) ?? 0).toFixed(1);
  const costs = calls.map(({ answer }) =>
    answer.kind === "answer" ? (answer.call?.costMicros ?? null) : 0,
  );
  const money = costs.every((cost) => cost !== null)
    ? formatMoney(total(costs, (cost) => cost))
    : "unknown";
  return [
    `  calls: ${group(calls.length)}, tokens: ${group(input)} in (${percent(input === 0 ? 0 : cached / input)} cached), ${group(output)} out`,
    `  seconds of a turn: ${at(0.5)} (p50), ${at(0.95)} (p95); money: ${money}`,
  ].join("\n");
}

function readMs({ answer }: Item["calls"][number]): number {
  return answer.kind === "answer" ? (answer.call?.ms ?? 0) : 0;
}

/** Kinds of failures that are printed, at the most. */
const FAILURES_SHOWN = 10;

function renderFailures(items: readonly Item[]): string {
  const all = items.flatMap((item) => item.failures.map((failure) => ({ item, failure })));
  const kinds = [...Map.groupBy(all, ({ failure: { node, promise } }) => `${node}, ${promise}`)];
  if (kinds.length === 0) return "No failures.";
  const lines = kinds
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, FAILURES_SHOWN)
    .flatMap(([kind, own]) => {
      const [first] = own;
      return first === undefined ? [] : [`  ${own.length} × ${kind}`, renderExample(first)];
    });
  return ["Most frequent failures, each with its first example:", ...lines].join("\n");
}

interface Example {
  readonly item: Item;
  readonly failure: ItemFailure;
}

function renderExample({ item: { id, intent, message }, failure: { expected, found } }: Example) {
  return [
    `      ${id} (${intent}): ${JSON.stringify(message)}`,
    `      expected: ${toLine(expected)}`,
    `      found:    ${toLine(found)}`,
  ].join("\n");
}

/** Renders what has become better or worse, and the verdict. */
export function renderComparison({ pairs, better, worse, chance, isWorse }: Comparison): string {
  const verdict = isWorse
    ? "significantly worse"
    : better.length > worse.length && chance < 0.05
      ? "significantly better"
      : "no more than chance";
  return [
    `Against the earlier run: ${pairs} turns in both, ${better.length} better, ${worse.length} worse; McNemar p = ${chance.toFixed(4)}: ${verdict}`,
    ...better.map((item) => `  better ${renderItem(item)}`),
    ...worse.map((item) => `  worse  ${renderItem(item)}`),
  ].join("\n");
}

function renderItem({ set, id, intent, message, failures: [first] }: Item): string {
  const why = first === undefined ? "" : `; ${first.node}, ${first.promise}`;
  return `${set} ${id} (${intent}): ${JSON.stringify(message)}${why}`;
}

function total<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0);
}

function count(items: readonly Item[], outcome: Item["outcome"]): number {
  return items.filter((item) => item.outcome === outcome).length;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function group(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}

function toLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

function renderTime(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`;
}
