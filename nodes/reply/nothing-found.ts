import { nameTableTool } from "../../domain/table-tools/tool-names.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { isJsonObject } from "../../state/json.ts";
import type { CallResult } from "../../state/step.ts";
import { renderSentence } from "../../text/sentences.ts";

type Read = Pick<CallResult, "tool" | "table" | "args">;

/** Words that reads have found nothing: the domain's own where a whole table is empty, else that nothing fits. */
export function describeNothingFound(
  reads: readonly Read[],
  { entityTypes, emptyText }: Pick<Domain, "entityTypes" | "emptyText">,
): string {
  const findType = ({ table }: Read): EntityType | undefined =>
    entityTypes.find((type) => type.table === table);
  const whole = reads.find((read) => readsWholeTable(read, findType(read)));
  if (whole !== undefined) return emptyText(whole.table);
  const [type] = reads.flatMap((read) => findType(read) ?? []);
  return type === undefined
    ? renderSentence("nothingFits")
    : renderSentence("noRowFits", { rows: type.words.many });
}

/** A generated read that names no row and has no condition. */
function readsWholeTable({ tool, args }: Read, type: EntityType | undefined): boolean {
  if (type === undefined || tool !== nameTableTool("read", type) || !isJsonObject(args))
    return false;
  const { refs = [], where = [], anyOf = [], after = null } = args;
  return (
    [refs, where, anyOf].every((list) => Array.isArray(list) && list.length === 0) && after === null
  );
}
