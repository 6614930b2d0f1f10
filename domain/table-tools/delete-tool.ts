import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { ToolRun } from "../tool-run.ts";
import { orderSql } from "./order.ts";
import { resolveSavedRef, type SavedRow } from "./refs.ts";
import { fetchRows, idSql } from "./rows.ts";
import { tableName } from "./sql.ts";
import { runParsed, type TableTool } from "./table-tool.ts";
import { DELETE_TOOL } from "./tool-names.ts";

/** Makes the tool that deletes rows of the types given. */
export function createDeleteTool(entityTypes: readonly [EntityType, ...EntityType[]]): TableTool {
  const parameters = createDeleteSchema(entityTypes);
  return {
    action: "delete",
    type: null,
    name: DELETE_TOOL,
    description: "Delete rows by refs, or all of a type.",
    parameters,
    effect: "write",
    writes: entityTypes.map(({ type }) => type),
    selectTable: (args) => findTable(entityTypes, parameters.safeParse(args).data),
    run: runParsed({
      name: DELETE_TOOL,
      parameters,
      run: async (args, tool) => {
        assertOneWay(args);
        const rows =
          args.all === null
            ? resolveDeletable(entityTypes, args.refs, tool)
            : await findAll(entityTypes, args.all, tool);
        for (const { entityType, row } of rows) {
          await tool.attempt(row, () => tool.removeRow(entityType, row));
        }
        return null;
      },
    }),
  };
}

/** Returns the arguments of a deletion; `all` takes the types given. */
export function createDeleteSchema(entityTypes: readonly [EntityType, ...EntityType[]]) {
  const [first, ...others] = entityTypes;
  return z.strictObject({
    refs: z.array(z.string()).describe("rows to delete; [] with all"),
    all: z
      .enum([first.type, ...others.map(({ type }) => type)])
      .nullable()
      .describe("every row of the type, else null"),
  });
}

interface GivenDeletion {
  readonly refs: readonly string[];
  readonly all: string | null;
}

/** A row that is to be deleted, with its type. */
interface DoomedRow {
  readonly entityType: EntityType;
  readonly row: SavedRow;
}

function assertOneWay({ refs, all }: GivenDeletion): void {
  if (refs.length > 0 !== (all !== null)) return;
  throw new ToolInputError(
    `Cannot delete: ${all === null ? "nothing" : "more than one way"} is named; give refs or all`,
  );
}

function resolveDeletable(
  entityTypes: readonly EntityType[],
  refs: readonly string[],
  tool: ToolRun,
): DoomedRow[] {
  return [...new Set(refs)].map((ref) => {
    const named = tool.refs.find(ref)?.type;
    const entityType = entityTypes.find(({ type }) => type === named);
    if (entityType === undefined && named !== undefined) {
      throw new ToolInputError(
        `Cannot delete ${ref}: rows of type ${named} may not be deleted; leave it out`,
      );
    }
    // A ref that is not known at all is refused by its own message.
    const type = entityType ?? entityTypes[0];
    if (type === undefined) throw new RangeError("Cannot delete: no type may be deleted");
    return {
      entityType: type,
      row: resolveSavedRef(tool.refs, ref, { type: type.type, place: "refs" }),
    };
  });
}

async function findAll(
  entityTypes: readonly EntityType[],
  name: string,
  { tx, refs }: ToolRun,
): Promise<DoomedRow[]> {
  const entityType = entityTypes.find(({ type }) => type === name);
  if (entityType === undefined) throw new RangeError(`Cannot delete: no type is called "${name}"`);
  const found = await tx.query(
    `select ${idSql(entityType)} as id from ${tableName(entityType.table)} t
      order by ${orderSql(entityType, null)}`,
  );
  const ids = found.rows.map((row) => String(row["id"]));
  const rows = await fetchRows(tx, entityType, { ids, detail: "full" });
  return rows.map(({ id, values }) => ({
    entityType,
    row: {
      id,
      ref: refs.refFor(entityType.type, id),
      label: entityType.label(values) || entityType.words.one,
    },
  }));
}

/** The table of the rows, by the type that is named or the first ref's prefix. */
function findTable(entityTypes: readonly EntityType[], given: GivenDeletion | undefined): string {
  const prefix = given?.refs[0]?.replace(/_\d+$/, "");
  const found = entityTypes.find(
    ({ type, refPrefix = type }) => type === given?.all || refPrefix === prefix,
  );
  return found?.table ?? "";
}
