import type { EntityType } from "../state/entity.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import { renderSentence } from "../text/sentences.ts";
import type { CountTokens } from "../state/model.ts";
import type { Registry } from "../state/registry.ts";
import type { ToolFailure, ToolOutcome, ToolRead, ToolWrite } from "../state/tool.ts";
import { findEntry } from "./entries.ts";
import { joinLines } from "./fit-lines.ts";
import { blotIds, createIdHider, type HideIds } from "./hide-ids.ts";
import { findOutcomeRefs } from "./outcome-events.ts";
import { describeRefs } from "./refs.ts";
import type { FindReader } from "./render-more.ts";
import { renderRows } from "./render-rows.ts";
import { clip } from "./shorten.ts";
import { countInWords, typeNamed } from "./types.ts";

interface OutcomeOptions {
  /** With the outcome's own events applied. */
  readonly registry: Registry;
  readonly types: readonly EntityType[];
  /** Refs that have room before all others. Default: none. */
  readonly named?: readonly string[];
  /** Default: the reader of the text has no tools. */
  readonly findReader?: FindReader;
  /** Tokens for the rows of all its reads together. */
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/** Written rows are named one by one up to this many, beyond it they are counted. */
const NAMED_WRITES = 8;
const REASON_CHARACTERS = 200;
const WRITTEN = {
  created: "created",
  updated: "updated",
  deleted: "deleted",
} as const satisfies Record<ToolWrite["action"], string>;

/**
 * Renders the outcome of a tool call for a model: the rows found, the writes that succeeded and
 * failed, row by row, and the tool's own text.
 *
 * A read that was served from memory gives its age; excluded rows are counted but not shown,
 * unless nothing else was found.
 *
 * Contract: no database id is in it, whatever the tool's texts hold, but keys whose column people see.
 */
export function renderOutcome(outcome: ToolOutcome, options: OutcomeOptions): string {
  const { registry, types } = options;
  const hideKnown = createIdHider(registry, types);
  const hideIds = (text: string): string => neutralise(blotIds(hideKnown(text)));
  const reads = outcome.reads.map((read) => ({ read, ...visibleRefs(registry, read) }));
  const rows = renderRows(registry, {
    ...options,
    refs: reads.flatMap((read) => read.visible),
    unread: countUnread(outcome.reads),
  });
  return joinLines([
    ...reads.map((read) => readLine(read, { registry, types })),
    ...writeLines(outcome.writes, { registry, types, hideIds }),
    ...describeUndescribed(outcome),
    ...outcome.failures.map((failure) => failureLine(failure, hideIds)),
    ...outcome.warnings.map((warning) =>
      renderSentence("warning", { warning: oneLine(hideIds(warning)) }),
    ),
    hideIds(outcome.text ?? ""),
    rows.text,
  ]);
}

/** Counts the rows that were found and not read, by type. */
function countUnread(reads: readonly ToolRead[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type, total, ids } of reads) {
    counts.set(type, (counts.get(type) ?? 0) + total - ids.length);
  }
  return counts;
}

/** Summarises a tool call on one line, for the turn summary: "Found 9 recipes", "Created 2 recipes; 1 not done: Pesto (no name)". */
export function summariseOutcome(outcome: ToolOutcome, types: readonly EntityType[]): string {
  const found = outcome.reads.map((read) => foundText(read, typeNamed(types, read.type)));
  const written = groupWrites(outcome.writes).map(({ action, type, writes }) =>
    renderSentence(WRITTEN[action], {
      rows: countInWords(typeNamed(types, type), writes.length),
    }),
  );
  const undescribed = describeUndescribed(outcome);
  const all = [...found, ...written, ...undescribed, ...summariseFailures(outcome.failures)].join(
    "; ",
  );
  return clip(oneLine(blotIds(all === "" ? (outcome.text ?? "") : all)), 2 * REASON_CHARACTERS);
}

function describeUndescribed({ undescribed: count }: ToolOutcome): string[] {
  return count === 0 ? [] : [renderSentence("undescribedChanged", { count })];
}

/** Summarises rows that were not written by their labels, "1 not done: Pesto (no name)"; empty where there are none. */
export function summariseFailures(failures: readonly ToolFailure[]): string[] {
  if (failures.length === 0) return [];
  const rows = failures.map(({ label, reason }) => `${label} (${clip(reason, REASON_CHARACTERS)})`);
  return [renderSentence("countNotDone", { count: failures.length, rows: rows.join(", ") })];
}

function visibleRefs(
  registry: Registry,
  read: ToolRead,
): { readonly visible: string[]; readonly excluded: number } {
  const refs = findOutcomeRefs(registry, read.type, read.ids);
  const visible = refs.filter((ref) => findEntry(registry, ref)?.demotion === null);
  return visible.length === 0
    ? { visible: refs, excluded: 0 }
    : { visible, excluded: refs.length - visible.length };
}

interface FoundRows {
  readonly read: ToolRead;
  readonly visible: readonly string[];
  readonly excluded: number;
}

interface ReadLineOptions {
  readonly registry: Registry;
  readonly types: readonly EntityType[];
}

function readLine(found: FoundRows, options: ReadLineOptions): string {
  const { read, visible, excluded } = found;
  const notes = [
    ...(read.suppressed ? [memoryNote(options.registry, visible)] : []),
    ...(excluded > 0 ? [`${excluded} excluded earlier, not shown`] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  const refs = visible.length === 0 ? "" : `: ${describeRefs(visible)}`;
  return `${foundText(read, typeNamed(options.types, read.type))}${note}${refs}`;
}

function foundText(read: ToolRead, type: EntityType): string {
  if (read.ids.length === 0) return renderSentence("foundNone", { rows: type.words.many });
  const rows = countInWords(type, read.ids.length);
  return read.total > read.ids.length
    ? renderSentence("foundSome", { rows, total: read.total })
    : renderSentence("found", { rows });
}

function memoryNote(registry: Registry, refs: readonly string[]): string {
  const turns = refs.flatMap((ref) => findEntry(registry, ref)?.readTurn ?? []);
  const since = turns.length === 0 ? "" : ` since turn ${Math.min(...turns)}`;
  return `unchanged${since}, from memory`;
}

interface WriteLinesOptions {
  readonly registry: Registry;
  readonly types: readonly EntityType[];
  readonly hideIds: HideIds;
}

function writeLines(writes: readonly ToolWrite[], options: WriteLinesOptions): string[] {
  const { registry, types, hideIds } = options;
  const findWriteRefs = (write: ToolWrite): string[] =>
    findOutcomeRefs(registry, write.type, [write.row.id]);
  return groupWrites(writes).flatMap(({ action, type, writes: group }) => {
    if (group.length > NAMED_WRITES) {
      const refs = describeRefs(group.flatMap(findWriteRefs));
      const rows = countInWords(typeNamed(types, type), group.length);
      return [`${renderSentence(WRITTEN[action], { rows })}: ${refs}`];
    }
    return group.flatMap(findWriteRefs).map((ref) => {
      const entry = findEntry(registry, ref);
      const facts = entry === undefined || entry.facts === "" ? "" : `: ${entry.facts}`;
      const rows = `${ref} ${oneLine(hideIds(`${entry?.label ?? ""}${facts}`))}`;
      return renderSentence(WRITTEN[action], { rows });
    });
  });
}

function failureLine(failure: ToolFailure, hideIds: HideIds): string {
  return `Not done: ${oneLine(hideIds(failureText(failure)))}`;
}

function failureText({ ref, label, reason }: ToolFailure): string {
  const name = [ref, label === ref ? null : label].filter((part) => part !== null).join(" ");
  return `${name} (${clip(reason, REASON_CHARACTERS)})`;
}

/** Neighbouring writes of one kind. */
function groupWrites(
  writes: readonly ToolWrite[],
): { action: ToolWrite["action"]; type: string; writes: ToolWrite[] }[] {
  const groups: { action: ToolWrite["action"]; type: string; writes: ToolWrite[] }[] = [];
  for (const write of writes) {
    const last = groups.at(-1);
    if (last?.action === write.action && last.type === write.type) last.writes.push(write);
    else groups.push({ action: write.action, type: write.type, writes: [write] });
  }
  return groups;
}
