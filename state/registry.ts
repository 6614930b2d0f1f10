import { z } from "zod";
import { idSchema } from "./ids.ts";
import { DetailSchema, EntityRowSchema } from "./entity.ts";
import { JsonObjectSchema } from "./json.ts";

/** The last thing that happened to an entity. `linked`: another row pointed at it. `mentioned`: the person named it. */
export const EntityActionSchema = z.enum([
  "read",
  "created",
  "updated",
  "deleted",
  "generated",
  "linked",
  "mentioned",
]);

/** One entity of the thread under its ref. */
export const RegistryEntrySchema = z.object({
  /** `recipe_3`; `gen_recipe_1` for what began as a draft. Never changes its entity. */
  ref: z.string(),
  /** Entity type. */
  type: z.string(),
  /** Database id; null for a draft that is not saved. Never shown to a model or a person. */
  id: z.string().nullable(),
  /** Of what began as a draft: the id under which it was saved last, kept where that is undone. */
  savedAs: z.string().optional(),
  label: z.string(),
  /** One line of what matters for choosing. */
  facts: z.string(),
  action: EntityActionSchema,
  /** The last action was the person's own, outside the conversation. */
  byUser: z.boolean(),
  detail: DetailSchema,
  createdTurn: z.number().int(),
  /** Last turn in which it was referenced (naming it in order to exclude it does not count). */
  referencedTurn: z.number().int(),
  /** Last turn in which it was read from the database; null if never. */
  readTurn: z.number().int().nullable(),
  /** Why it is kept active beyond the window; null where it is not. */
  retention: z.string().nullable(),
  /** Set while it is taken out of the viable set. */
  demotion: z.object({ turn: z.number().int(), reason: z.string() }).nullable(),
  /** Turn in which a demotion was last undone; null if never. */
  restoredTurn: z.number().int().nullable(),
  /** The row's or draft's content with refs in place of foreign ids; null where it is not held. */
  row: JsonObjectSchema.nullable(),
  rowVersion: z.number().int().nullable(),
});
export type RegistryEntry = z.infer<typeof RegistryEntrySchema>;

/**
 * Entities of one type that the person chooses from. It stays open over side topics; exclusions are
 * kept with the entities, so that no other choice offers what was left out.
 */
export const ChoiceSchema = z.object({
  /** `choice_3`; never used again. */
  id: z.string(),
  /** Entity type. A choice never mixes types. */
  type: z.string(),
  /** A few words: "dinners this week". */
  title: z.string(),
  /** All of them, what was left out since included, in the order in which they were judged or listed. */
  refs: z.array(z.string()),
  /** Number of entities it was opened from: "4 left of 9". */
  of: z.number().int(),
  basis: z.enum(["analysis", "list"]),
  /** The result of the analysis; empty for a list. */
  conclusion: z.string(),
  openedTurn: z.number().int(),
  touchedTurn: z.number().int(),
});
export type Choice = z.infer<typeof ChoiceSchema>;

/** The thread's entities in order of appearance. Plain data; `registry/` has the functions over it. */
export const RegistrySchema = z.object({
  entries: z.array(RegistryEntrySchema),
  /** Last number given out, per ref prefix (`recipe`, `gen_recipe`); never goes back. */
  counters: z.array(z.object({ prefix: z.string(), last: z.number().int() })),
  /** The list last shown to the person, in order, so that "the first one" can be resolved; empty for a place that names nothing known. */
  listed: z.array(z.string()),
  /** The open choices, the one touched last at the end: it is in focus. */
  choices: z.array(ChoiceSchema),
  /** The place in the journal up to which changes made outside are known; null before the first look. */
  journalSeen: z.string().nullable(),
  /** Rows that looks have passed over for want of room, and the place from which each is still to be checked. */
  unchecked: z.array(z.object({ ref: z.string(), since: z.string() })).optional(),
});
export type Registry = z.infer<typeof RegistrySchema>;

/** One line of the table in which prompts name the thread's entities. */
export const TableLineSchema = z.object({
  ref: z.string(),
  /** As it was first shown: it stays until the table is cut, and what has changed since is said after the table. */
  text: z.string(),
  /** The turn in which it was first shown. */
  turn: z.number().int(),
});
export type TableLine = z.infer<typeof TableLineSchema>;

const CuratedRefSchema = z.object({
  ref: idSchema("ref").describe("a listed ref"),
  reason: z.string().describe("why, in few words"),
});

/** Understand's decisions about refs. */
export const CurationSchema = z.object({
  retain: z.array(CuratedRefSchema).describe("what must stay in view for longer; [] for none"),
  demote: z.array(CuratedRefSchema).describe("all that the person does not want now; [] for none"),
  restore: z.array(CuratedRefSchema).describe("what is welcome again; [] for none"),
  /** Refs to forget with their content. */
  drop: z.array(idSchema("ref")).describe("what the person asks to forget; [] for none"),
  /** Forget everything but the counters. */
  clearAll: z
    .boolean()
    .describe("true only when the person asks to forget everything")
    .meta({ absent: false }),
  /** One line on what was decided; null where nothing was. */
  summary: z
    .string()
    .nullable()
    .describe('one line such as "Demoted thing_2 (too expensive)"; null where nothing is decided'),
});
export type Curation = z.infer<typeof CurationSchema>;

/** The curation of a message that decides nothing. */
export const NO_CURATION: Curation = {
  retain: [],
  demote: [],
  restore: [],
  drop: [],
  clearAll: false,
  summary: null,
};

/**
 * One thing that happened to the registry within a turn. The registry is the fold of its events:
 * the same events in the same order allot the same refs.
 */
export const RegistryEventSchema = z.discriminatedUnion("kind", [
  /** Rows came from the database (or were found unchanged: `rows` empty, `ids` full). In reading order. */
  z.object({
    kind: z.literal("read"),
    turn: z.number().int(),
    type: z.string(),
    ids: z.array(z.string()),
    rows: z.array(EntityRowSchema),
    detail: DetailSchema,
  }),
  /** Rows that foreign keys point at; known ones are left as they are, except a fresher label. */
  z.object({
    kind: z.literal("linked"),
    turn: z.number().int(),
    type: z.string(),
    rows: z.array(EntityRowSchema),
  }),
  /**
   * A row was written. `draft` names the draft it saves; that ref stays and gets the id. Of a row that is
   * deleted it names the draft that it is again: its saving was undone.
   */
  z.object({
    kind: z.literal("written"),
    turn: z.number().int(),
    type: z.string(),
    action: z.enum(["created", "updated", "deleted"]),
    row: EntityRowSchema,
    draft: z.string().nullable(),
    byUser: z.boolean(),
  }),
  /** A draft was generated (`ref` null) or changed in place. `content` is whole. */
  z.object({
    kind: z.literal("drafted"),
    turn: z.number().int(),
    type: z.string(),
    ref: z.string().nullable(),
    content: JsonObjectSchema,
  }),
  /** Understand's decisions, already checked against the refs that exist. */
  z.object({ kind: z.literal("curated"), turn: z.number().int(), curation: CurationSchema }),
  /** Refs that were named or worked with. */
  z.object({ kind: z.literal("referenced"), turn: z.number().int(), refs: z.array(z.string()) }),
  /** The list shown to the person, in order. */
  z.object({
    kind: z.literal("listed"),
    turn: z.number().int(),
    /** Empty for a numbered line that names nothing known. */
    refs: z.array(z.string()),
    /** True where the reply numbers them: they are a list whatever their types. */
    isNumbered: z.boolean().optional(),
    /** Named beside the numbered ones. */
    beside: z.array(z.string()).optional(),
  }),
  /** An analysis judged entities of a type: these remain, in this order. */
  z.object({
    kind: z.literal("judged"),
    turn: z.number().int(),
    type: z.string(),
    refs: z.array(z.string()),
    /** Number of entities that were judged; null where the analysis found its own. */
    of: z.number().int().nullable(),
    title: z.string(),
    conclusion: z.string(),
    /** The open choice that the message is about, "new" for one of its own; null where it does not say. */
    topic: z.string().nullable(),
  }),
  /** The message is about an open choice. */
  z.object({ kind: z.literal("focused"), turn: z.number().int(), choice: z.string() }),
  /** The journal was looked through up to this place. */
  z.object({
    kind: z.literal("looked"),
    turn: z.number().int(),
    seen: z.string(),
    /** The rows that are still to be checked; none where it is left out. */
    unchecked: z.array(z.object({ ref: z.string(), since: z.string() })).optional(),
  }),
  /** Something outside the conversation has changed a known row. */
  z.object({
    kind: z.literal("outside"),
    turn: z.number().int(),
    type: z.string(),
    id: z.string(),
    /** The row as it is; null where it is gone. */
    row: EntityRowSchema.nullable(),
    who: z.enum(["conversation", "unknown"]),
    /** Its label before. */
    before: z.string(),
    /** True for a row that was gone and is there again. */
    isBack: z.boolean().optional(),
  }),
  /** An entry that had left the registry comes back from the table of older refs. */
  z.object({ kind: z.literal("recalled"), turn: z.number().int(), entry: RegistryEntrySchema }),
]);
export type RegistryEvent = z.infer<typeof RegistryEventSchema>;
