import type { z } from "zod";
import type { Change, Check } from "./change.ts";
import { hasRight, type ConfirmRule, type EntityRow, type EntityType } from "./entity.ts";
import type { Filter, RowCondition } from "./filter.ts";
import type { JsonObject } from "./json.ts";
import type { SimulatedWords } from "./simulated-words.ts";
import type { StepType } from "./plan.ts";
import type { Queryable } from "./store.ts";
import type { RefBook, ToolRead } from "./tool.ts";

/** A row that a tool works on: by its ref, or by type and id where the tool has found it itself. */
export type RowTarget = string | { readonly type: string; readonly id: string };

/** Further facts about a row that a tool creates. */
export interface CreateOptions {
  /** The draft that the row saves: it keeps its ref. */
  readonly draft?: string;
}

/** The transaction of a tool call, its person and conversation. */
export interface ToolFacts {
  /**
   * One transaction with row-level security in force for `userId`. Read-only for tools with `effect: "read"`.
   * A text is one statement, and none that begins or ends a transaction or sets a role or a setting of
   * the connection (`set local` and savepoints are the handler's own): such a call fails, and nothing is stored.
   */
  readonly tx: Queryable;
  readonly userId: string;
  readonly threadId: string | null;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly refs: RefBook;
  /** Aborts when the turn is stopped, and for a `call` when its time is up. */
  readonly signal: AbortSignal | null;
  /** The same for a call and its repetition after a crash; null where nothing is repeated. */
  readonly effectKey: string | null;
}

/** The work on rows that a tool handler can have done. */
export interface ToolActions {
  /** Finds the rows of a type that a filter matches, whole, in the type's order; at most 200. */
  find(type: string, filter: Filter): Promise<readonly EntityRow[]>;
  /** Locks a row and returns it whole. @throws ToolInputError where it no longer exists. */
  lock(row: RowTarget): Promise<EntityRow>;
  /**
   * Creates a row and its inline lists; columns that generic tools may not set are allowed. A column that
   * `references` a type takes the ref of a row, or type and id of one that the tool has found itself.
   */
  create(type: string, values: JsonObject, options?: CreateOptions): Promise<EntityRow>;
  /** Changes a row. @throws ToolInputError where it no longer exists or the database does not allow it. */
  update(row: RowTarget, values: JsonObject): Promise<EntityRow>;
  /** Deletes a row. @throws ToolInputError where it no longer exists or the database does not allow it. */
  remove(row: RowTarget): Promise<void>;
  /** Does work on one row in a savepoint of its own. A refusal takes back that work alone, is reported under the label, and gives null. */
  attempt<T>(
    row: { readonly label: string; readonly ref: string | null },
    work: () => Promise<T>,
  ): Promise<T | null>;
  /** Ends the call: nothing is stored, and the reason goes back to the model. */
  refuse(reason: string): never;
}

/**
 * The context of a tool handler. Its methods work in `tx`, and so may the handler's own SQL: what it
 * really changed is read from the journal.
 */
export interface ToolContext extends ToolFacts, ToolActions {}

/** An effect that is taken back. */
export interface UndoneEffect {
  /** The changes that it made; lists of a row have the items that are there now. */
  readonly changes: readonly Change[];
}

/**
 * Takes an effect of a tool back in place of the journal, from the rows as they are by now. What it
 * changes is checked as any undo is, and can be undone; `tool.refuse` refuses the undo. The tool's
 * `writes` hold for it as well.
 */
export type UndoHandler = (effect: UndoneEffect, tool: ToolContext) => Promise<void>;

/**
 * The reason for which an effect cannot be taken back, or the function that takes it back. With a
 * reason the person is asked first where several rows are known and the message does not say which.
 */
export type UndoRule = { readonly never: string } | UndoHandler;

/** Returns why a tool's effect cannot be taken back; null where it can. */
export function explainNever({ undo }: Pick<Tool, "undo">): string | null {
  return typeof undo === "object" ? undo.never : null;
}

/** Rows that a tool found, with words for the model. */
export interface ToolReads {
  readonly reads: readonly ToolRead[];
  /** May name refs, never ids. */
  readonly text: string | null;
}

/**
 * A tool that steps may call: generated from an entity type, or the domain's own.
 *
 * `parameters` must render to OpenAI's strict subset: every key required, `nullable` instead of
 * optional, no records, no discriminated unions, and each key with its `.describe()`. Refs stand wherever a row is meant; the handler
 * turns them into ids with `context.refs.resolve`.
 */
export interface Tool {
  readonly name: string;
  /** For the model: when to use it and what comes back. Short. */
  readonly description: string;
  readonly parameters: z.ZodObject;
  /**
   * `call`: asks a service outside the database, with no transaction open, within `callSeconds`. One
   * that changes something there says `confirm: "always"`: the person is asked first, and the reply
   * gives the service's answer.
   */
  readonly effect: "read" | "write" | "call";
  /** True for a service that does a repeated call with the same key once: `tool.effectKey`. Default false. */
  readonly takesKey?: boolean;
  /** The entity types that it may change: the program's login gets every right on their tables. Default: none. */
  readonly writes?: readonly string[];
  /** When the person is asked first. Default: as the types say. */
  readonly confirm?: ConfirmRule;
  /** Why its effect cannot be taken back, or how. Default: the journal takes it back. */
  readonly undo?: UndoRule;
  /** The table it is about, for events and statistics, from its parsed arguments. Default: that of the first type it writes. */
  readonly selectTable?: (args: JsonObject) => string;
  /**
   * Does the work and returns words for the model or the rows it found. What it wrote is not asked: the journal says so.
   *
   * @throws ToolInputError, UnknownRefError for what the model can put right; their messages go back to it.
   */
  readonly run: (args: JsonObject, context: ToolContext) => Promise<string | ToolReads | null>;
}

/** A tool of the domain, for the steps of one of its parts. */
export interface DomainTool extends Tool {
  /** The part of the domain whose steps may call it. */
  readonly subdomain: string;
  /** The types of those steps. Default: read, generate and write for a tool that changes nothing, else write. */
  readonly steps?: readonly StepType[];
}

/** A part of the domain that one look-up or one step is about. */
export interface Subdomain {
  readonly name: string;
  /** The entity type that its steps change. */
  readonly type: string;
  /** Further entity types that its steps may read. Default: none. */
  readonly reads?: readonly string[];
  /** One line on what it holds. */
  readonly about: string;
  /** Guidance for each type of step. */
  readonly guidance?: Readonly<Partial<Record<StepType, string>>>;
}

/** Facts about the person: as text for prompts and as data for checks. */
export interface Profile {
  readonly text: string;
  /** The part of it that experts may know. Their models may be other companies'. Default: nothing. */
  readonly forExperts?: string;
  readonly facts: JsonObject;
}

/** Rows of a look-up, ready to be worded: their texts are on one line each. */
export interface QuickResult {
  readonly subdomain: string;
  /** The look-up in words, with its conditions. */
  readonly intent: string;
  readonly message: string;
  readonly reads: readonly QuickRead[];
}

/** Rows of one table, and what was read of it. */
export interface QuickRead extends ToolRead {
  readonly table: string;
  /** Without it nobody can say what is not there: rows that were not found may stand where it did not look. */
  readonly scope: ReadScope;
}

/** The rows that a read covered. */
export interface ReadScope {
  /** The refs of the rows that it named; empty for none. */
  readonly refs: readonly string[];
  /** Its conditions, which all hold for its rows. The whole table was read where there is none and no ref. */
  readonly where: readonly RowCondition[];
  /** True where it read all columns. */
  readonly all: boolean;
  /** True where its rows are all that these bounds let through: no other bound, no page, none left out. */
  readonly isComplete: boolean;
}

/** A demo user's data, made on first start and on request. */
export interface DemoData {
  readonly userId: string;
  /** Deletes the user's rows and makes them anew. Runs in one transaction as that user. */
  readonly seed: (tx: Queryable, options: { userId: string; today: string }) => Promise<void>;
}

/** A call of a tool in an example. */
export interface ExampleCall {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * An example of a node's work, which its prompt shows. A model may copy what it holds: use refs that
 * no conversation has (`thing_1`) and labels that no person's data has.
 */
export interface Example {
  /** Lines that the prompt of such a turn would show: `Message: "not the glass one"`. */
  readonly shown: readonly string[];
  /** Complete and valid: the object that Understand or Think answers, the calls of Act, the text of Reply. */
  readonly answer: string | JsonObject | readonly ExampleCall[];
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
  /** Own tools beside the table tools; `[]` where there are none. */
  readonly tools: readonly DomainTool[];
  readonly checks: readonly Check[];
  /** Loads the facts about the person. Here and in the snapshot each statement is a separate query that changes and locks nothing (`UserData.reader`); a start tries both for a person without rows. */
  readonly loadProfile: (db: Queryable, userId: string) => Promise<Profile>;
  /** Loads the current situation (counts, what is due) as a few lines at most. */
  readonly loadSnapshot: (
    db: Queryable,
    user: { userId: string; today: string },
  ) => Promise<string>;
  /** Words a look-up of a known form without a model; null where it does not know the form. */
  readonly formatQuick: (result: QuickResult) => string | null;
  /** Returns the message for a read of a whole table that has no rows; it gets the name that the type gives its table. */
  readonly emptyText: (table: string) => string;
  /** Folder of numbered SQL files for its tables, as an absolute path. Each is applied once and in order; one that was edited after it ran, or is gone, is refused. */
  readonly migrations: string;
  /** Default: nobody has data at first. */
  readonly demo?: readonly DemoData[];
  /** Examples in place of those that the prompts of these nodes have, at most 200 tokens each. */
  readonly examples?: Partial<Record<"understand" | "think" | "act" | "reply", Example>>;
  /** Words by which the simulated model knows it; without them it knows tables and labels. */
  readonly simulated?: Omit<SimulatedWords, "labels">;
}

/** Changes that the steps of a subdomain can make to rows of a type. */
export interface ChangeableType {
  readonly type: string;
  /** True where a tool of the domain may make changes beside these actions. */
  readonly isToolWritten: boolean;
  /** Actions that the type's rights allow. */
  readonly actions: readonly ("create" | "update" | "delete")[];
}

const ACTIONS = ["create", "update", "delete"] as const;

/**
 * Lists what the write steps of a subdomain can change: rows of its own type as far as the type's
 * rights go, and rows of every type that one of its tools writes. Pure.
 */
export function listChangeableTypes(
  { name, type: own }: Subdomain,
  { entityTypes, tools }: Pick<Domain, "entityTypes" | "tools">,
): readonly ChangeableType[] {
  const written = new Set(
    tools.flatMap(({ subdomain, writes = [] }) => (subdomain === name ? writes : [])),
  );
  return entityTypes.flatMap((entityType) => {
    const { type } = entityType;
    const actions = ACTIONS.filter((action) => type === own && hasRight(entityType, action));
    const isToolWritten = written.has(type) && actions.length < ACTIONS.length;
    return actions.length === 0 && !isToolWritten ? [] : [{ type, actions, isToolWritten }];
  });
}

/** Describes what can be changed for a model: `order (update, by a tool)`; the type alone where everything can. */
export function describeChangeable({ type, actions, isToolWritten }: ChangeableType): string {
  if (actions.length === ACTIONS.length) return type;
  return `${type} (${[...actions, ...(isToolWritten ? ["by a tool"] : [])].join(", ")})`;
}
