import { HEADINGS } from "../../prompts/headings.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import { readToday } from "../language/dates.ts";
import { createLexicon } from "../language/lexicon.ts";
import { readClauses } from "../language/read-message.ts";
import type { Clause } from "../language/request.ts";
import { readRefs } from "../prompt/read-entities.ts";
import { countLeftOut, readRows, type ShownRow } from "../prompt/read-rows.ts";
import {
  type ParsedPrompt,
  type PastCall,
  readFenced,
  readUnwanted,
} from "../prompt/read-prompt.ts";
import { readTables, type ShownTable } from "../prompt/read-tables.ts";

/** Everything that Act's prompt says about its step. */
export interface Job {
  readonly stepType: string;
  readonly subdomain: string;
  readonly description: string;
  /** The description read as a command; empty where it is none. */
  readonly clauses: readonly Clause[];
  readonly refs: readonly string[];
  readonly tables: readonly ShownTable[];
  readonly rows: readonly ShownRow[];
  /** Some rows were left out for want of room. */
  readonly isCut: boolean;
  /** Refs that the steps before found. */
  readonly found: readonly string[];
  /** Refs that can still be chosen, as Prior Context says; null where it does not. */
  readonly candidates: readonly string[] | null;
  /** Names that a wish leaves out. */
  readonly unwanted: readonly string[];
  readonly household: number | null;
  readonly today: string;
  readonly calls: readonly PastCall[];
  readonly words: SimulatedWords;
}

/** Takes Act's prompt apart. */
export function readJob({ section, calls, tools }: ParsedPrompt, words: SimulatedWords): Job {
  const step = section(HEADINGS.step);
  const [, stepType = "", subdomain = "", description = ""] =
    /^Step \d+ of \d+ \((\w+), ([a-z]\w*)\): (.*)$/m.exec(step) ?? [];
  const rows = readFenced("data", section(HEADINGS.rows));
  const tables = readTables(tools, subdomain, words);
  const prior = section(HEADINGS.priorContext);
  const [, remaining] = /^- Remaining candidates: (.+)$/m.exec(prior) ?? [];
  const parts = [...new Set([subdomain, ...tables.map(({ part }) => part)])];
  const today = readToday(section(HEADINGS.calendar));
  const lexicon = createLexicon({ words, parts, labels: [], today, takesRefs: true });
  // A judgement says for which days something is to be proposed.
  const clauses = readClauses(description.replace(/^Judge [^;]*; /, ""), lexicon);
  const before = step.split("\n").filter((line) => /^Step \d+: /.test(line));
  return {
    stepType,
    subdomain,
    description,
    clauses,
    refs: readRefs(/^Refs: (.+)$/m.exec(step)?.[1] ?? ""),
    tables,
    rows: readRows(rows, tables),
    isCut: countLeftOut(rows) > 0,
    found: readRefs(before.join("\n")),
    candidates: remaining === undefined ? null : readRefs(remaining),
    unwanted: readUnwanted(section(HEADINGS.wishes)),
    today,
    household: readHousehold(section(HEADINGS.profile)),
    calls,
    words,
  };
}

/** The number of people at home, as the profile says; null where it does not. */
export function readHousehold(profile: string): number | null {
  const [, household] = /\bHousehold of (\d+)/.exec(profile) ?? [];
  return household === undefined ? null : Number(household);
}
