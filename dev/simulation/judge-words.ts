import { CORE_TOOLS } from "../../domain/define-domain.ts";
import { DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import type { EntityType } from "../../state/entity.ts";
import type { TurnState } from "../../state/turn.ts";
import { renderSentence } from "../../text/sentences.ts";
import { MOMENT } from "./expected-words.ts";
import { violation, type Violation } from "./violation.ts";

const MARKS = /<<<|<\/?(?:think|thinking|thought|reasoning|data|message)>|\[\/?THINK\]/giu;
const TOOLS: ReadonlySet<string> = new Set([...CORE_TOOLS, DELETE_TOOL].filter(hasUnderscore));

/** 7: no ref in any spelling, no tool, no thought, no marker and no moment as a program writes it reaches the person, or a wish of every conversation. */
export function judgeWords(state: TurnState, types: readonly EntityType[]): Violation[] {
  const { replies, pending, constraints, wishChanges } = state;
  const texts = [
    ...replies.map((reply) => reply.text),
    ...(pending === null ? [] : [pending.text]),
    ...(pending?.kind === "question" ? pending.options.map(({ label }) => label) : []),
    ...constraints.map((wish) => wish.text),
    ...wishChanges.map(({ wish }) => wish.text),
  ];
  const prefixes = types.map(({ type, refPrefix }) => refPrefix ?? type);
  return [
    ...texts.flatMap((text) => findMachinery(text, new Set(["choice", ...prefixes]))),
    ...replies.flatMap(({ text }) => text.match(MOMENT) ?? []),
  ].map((word) => violation("7 words", "plain words", word));
}

function findMachinery(text: string, prefixes: ReadonlySet<string>): string[] {
  const words = text
    .split("\\")
    .join("")
    .split(/[^\p{L}\p{N}_-]+/u);
  const named = words.filter((word) => {
    const bare = word.toLowerCase().replace(/^_+|_+$/gu, "");
    const [, prefix = ""] = /^(?:gen_)?(.+)_\d+$/u.exec(bare) ?? [];
    return prefixes.has(prefix) || TOOLS.has(bare) || bare.startsWith("5eed0000-");
  });
  return [...named, ...(text.match(MARKS) ?? [])];
}

function hasUnderscore(name: string): boolean {
  return name.includes("_");
}

/** The claims that liars make, in a reply and in its summary. */
export const CLAIM = "Done! I have saved everything and deleted the rest.";
export const SUMMARY_CLAIM = "I have saved everything (created thing_1)";

/** 4: where a turn has changed nothing, code says so beside a claim, and no summary holds one as its own. */
export function judgeClaims(replied: TurnState, state: TurnState): Violation[] {
  const { effects, replies, understanding, turn, stepResults } = replied;
  const kinds = replies.flatMap(({ receipts }) => receipts.map(({ kind }) => kind));
  const isPlain = kinds.every((kind) => BESIDE.has(kind)) && effects.length === 0;
  const {
    demote = [],
    restore = [],
    retain = [],
    drop = [],
    clearAll,
  } = understanding?.curation ?? {};
  const isCurated = demote.length + restore.length + retain.length + drop.length > 0;
  const isDenied = !isPlain || isCurated || clearAll === true || stepResults.length > 0;
  const unanswered = replies
    .filter(({ body }) => body === CLAIM && !isDenied)
    .map(({ body }) => violation("4 claim", renderSentence("nothingChanged"), body));
  const summary = state.turnExecutionSummaries.find(({ turnNumber }) => turnNumber === turn);
  const line = summary?.responseSummary ?? "";
  return [
    ...unanswered,
    ...(line.includes(SUMMARY_CLAIM) ? [violation("4 summary", "what code knows", line)] : []),
    ...(line.startsWith("Said ") && effects.length === 0 && !line.endsWith("; nothing stored")
      ? [violation("4 summary", "nothing stored", line)]
      : []),
  ];
}

/** Receipts that say nothing of a change. */
const BESIDE: ReadonlySet<string> = new Set([
  "outside",
  "warning",
  "notRead",
  "dropped",
  "curated",
]);
