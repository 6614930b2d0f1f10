import type { z } from "zod";
import type { Constraint } from "./constraint.ts";
import type { EntityType } from "./entity.ts";
import type { JsonObject } from "./json.ts";
import type { SimulatedWords } from "./simulated-words.ts";
import type { StepType } from "./plan.ts";
import type { Queryable } from "./store.ts";
import type { RefBook, ToolOutcome, ToolRead } from "./tool.ts";

/** The context of a tool handler. */
export interface ToolContext {
  /** One transaction with row-level security in force for `userId`. Read-only for tools with `effect: "read"`. */
  readonly tx: Queryable;
  readonly userId: string;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly refs: RefBook;
  readonly signal: AbortSignal | null;
}

/**
 * A tool of the domain.
 *
 * `parameters` must render to OpenAI's strict subset: every key required, `nullable` instead of
 * optional, no records, no discriminated unions. Refs stand wherever a row is meant; the handler
 * turns them into ids with `context.refs.resolve`.
 */
export interface DomainTool {
  readonly name: string;
  /** For the model: when to use it and what comes back. Short. */
  readonly description: string;
  readonly parameters: z.ZodObject;
  readonly effect: "read" | "write";
  /** The table it is about, for events and statistics, from its parsed arguments. */
  readonly selectTable: (args: JsonObject) => string;
  /** Lists the contents a write would create or change, for the domain's checks; absent when there is nothing to check. */
  readonly listContents?: (args: JsonObject, refs: RefBook) => readonly CheckedContent[];
  /**
   * @throws ToolInputError, UnknownRefError for what the model can put right; their messages go back to it.
   */
  readonly run: (args: JsonObject, context: ToolContext) => Promise<ToolOutcome>;
}

/** A part of the domain that one quick look or one step is about. */
export interface Subdomain {
  readonly name: string;
  readonly tables: readonly string[];
  /** One line on what it holds. */
  readonly about: string;
  /** Guidance for each type of step; empty when the domain adds none. */
  readonly guidance: Readonly<Partial<Record<StepType, string>>>;
}

/** A constraint that a plan, a draft or a write would break. */
export interface Breach {
  /** The wish or rule, in the person's words where there are any. */
  readonly constraint: string;
  /** The reason for the breach, naming things by label or ref. */
  readonly reason: string;
}

/** The facts available to checks. */
export interface CheckFacts {
  readonly constraints: readonly Constraint[];
  readonly profile: JsonObject;
  readonly today: string;
  /** The current turn: numbers that were asked for in an earlier one ("8 meals") are not held against it. */
  readonly turn?: number;
}

/** One draft or payload under check: its type and its content (children under their names, refs as refs). */
export interface CheckedContent {
  readonly type: string;
  readonly ref: string | null;
  readonly values: JsonObject;
}

/** Pure checks of what is about to happen; an empty list means nothing is wrong. */
export interface DomainChecks {
  /** Checks the drafts that a generate step made, all of them together (counts, dates, allergies). */
  readonly drafts: (drafts: readonly CheckedContent[], facts: CheckFacts) => readonly Breach[];
  /** Checks the rows that a write would create or change. */
  readonly write: (rows: readonly CheckedContent[], facts: CheckFacts) => readonly Breach[];
}

/** Facts about the person: as text for prompts and as data for checks. */
export interface Profile {
  readonly text: string;
  readonly facts: JsonObject;
}

/** Rows of a quick look, ready to be said. */
export interface QuickResult {
  readonly subdomain: string;
  /** The person's request, from Understand. */
  readonly intent: string;
  readonly message: string;
  readonly reads: readonly (ToolRead & { readonly table: string })[];
}

/** A demo user's data, made on first start and on request. */
export interface DemoData {
  readonly userId: string;
  /** Deletes the user's rows and makes them anew. Runs in one transaction as that user. */
  readonly seed: (tx: Queryable, options: { userId: string; today: string }) => Promise<void>;
}

/** Everything a domain brings. Nothing outside its folder knows what it is about. */
export interface Domain {
  /** Stable, lowercase: `meals`. */
  readonly name: string;
  /** The assistant's role and subject, in a few words: completes "You are …". */
  readonly persona: string;
  /** The activity in two words, for "Turn 3 of …": `meal planning`. */
  readonly activity: string;
  /** Rules of the house that every node keeps. Short. */
  readonly rules: readonly string[];
  readonly entityTypes: readonly EntityType[];
  readonly subdomains: readonly Subdomain[];
  /** Own tools beside the table tools. */
  readonly tools: readonly DomainTool[];
  readonly checks: DomainChecks;
  /** Loads the facts about the person. Here and in the snapshot each statement is a separate query that changes and locks nothing (`UserData.reader`). */
  readonly loadProfile: (db: Queryable, userId: string) => Promise<Profile>;
  /** Loads the current situation (counts, what is due) as a few lines at most. */
  readonly loadSnapshot: (
    db: Queryable,
    user: { userId: string; today: string },
  ) => Promise<string>;
  /** Says a quick result of a known form without a model; null where it does not know the form. */
  readonly formatQuick: (result: QuickResult) => string | null;
  /** Returns the message for a read that found nothing in a table. */
  readonly emptyText: (table: string) => string;
  /** Folder of numbered SQL files for its tables, as an absolute path. */
  readonly migrations: string;
  readonly demo: readonly DemoData[];
  /** Words by which the simulated model knows it; without them it knows tables and labels. */
  readonly simulated?: SimulatedWords;
}
