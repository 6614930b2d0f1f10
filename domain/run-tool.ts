import { z } from "zod";
import type { Tool } from "../state/domain.ts";
import type { EntityRow, EntityType } from "../state/entity.ts";
import { JsonObjectSchema } from "../state/json.ts";
import type { Queryable } from "../state/store.ts";
import { ToolReadSchema, type ToolOutcome, type ToolRead, type ToolWrite } from "../state/tool.ts";
import { fetchLists, type ListedRows } from "./table-tools/entity-lists.ts";
import { fetchLinked } from "./table-tools/links.ts";
import { readArguments } from "./tool-arguments.ts";
import { openToolRun, type ToolRun, type ToolRunParts } from "./tool-run.ts";

const HandlerResultSchema = z.object({
  reads: z.array(ToolReadSchema),
  text: z.string().nullable(),
});
/** Result of a handler: its reads and its words. The journal says what it wrote. */
export type HandlerResult = Readonly<z.infer<typeof HandlerResultSchema>>;

/**
 * Runs a tool's handler with arguments as a model sent them. What it returns is strict JSON of its declared shape.
 *
 * @throws ToolInputError or UnknownRefError for what the model can put right; everything else is a fault.
 */
export async function runHandler(
  tool: Tool,
  rawArgs: unknown,
  run: ToolRun,
): Promise<HandlerResult> {
  run.signal?.throwIfAborted();
  const args = JsonObjectSchema.parse(readArguments(tool.parameters, rawArgs, tool.name));
  const result = await tool.run(args, run);
  if (result === null || typeof result === "string") return { reads: [], text: result };
  return HandlerResultSchema.parse(result);
}

/** Runs a tool that changes nothing. @throws as `runHandler`. */
export async function runReadTool(
  tool: Tool,
  rawArgs: unknown,
  parts: ToolRunParts,
): Promise<ToolOutcome> {
  const run = openToolRun(parts);
  const result = await runHandler(tool, rawArgs, run);
  return completeOutcome(parts.tx, { ...result, writes: [], failures: run.failures }, parts);
}

/** Adds the rows that lists of an outcome's rows show, and those that foreign keys point at. */
export async function completeOutcome(
  tx: Queryable,
  outcome: HandlerResult & {
    readonly writes: readonly ToolWrite[];
    readonly failures: ToolOutcome["failures"];
    /** Default: none. */
    readonly undescribed?: number;
    /** Default: none. */
    readonly warnings?: ToolOutcome["warnings"];
  },
  { entityTypes }: { readonly entityTypes: readonly EntityType[] },
): Promise<ToolOutcome> {
  const rows = new Map<string, EntityRow[]>();
  const add = (type: string, added: readonly EntityRow[]) =>
    rows.set(type, [...(rows.get(type) ?? []), ...added]);
  const reads: ToolRead[] = [];
  const listed: ListedRows[] = [];
  for (const read of outcome.reads) {
    const withLists = await fetchLists(tx, entityTypes, read);
    reads.push({ ...read, rows: withLists.rows });
    listed.push(...withLists.listed);
  }
  for (const read of [...reads, ...listed]) add(read.type, read.rows);
  for (const { action, type, row } of outcome.writes) if (action !== "deleted") add(type, [row]);
  const sources = entityTypes.flatMap((entityType) => {
    const own = rows.get(entityType.type);
    return own === undefined ? [] : [{ entityType, rows: own }];
  });
  const linked = await fetchLinked(tx, entityTypes, sources);
  return {
    undescribed: 0,
    warnings: [],
    ...outcome,
    reads,
    writes: [...outcome.writes],
    listed: listed.filter(({ isWhole }) => isWhole).map(showRows),
    linked: [...linked, ...listed.filter(({ isWhole }) => !isWhole).map(showRows)],
  };
}

function showRows({ type, rows }: ListedRows): ToolOutcome["listed"][number] {
  return { type, rows };
}
