import { z } from "zod";
import { nameTableTool } from "../../domain/table-tools/tool-names.ts";
import type { ReadScope } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import { ConditionSchema } from "../../state/filter.ts";
import type { CallResult } from "../../state/step.ts";

/** The arguments of a generated read. */
const ReadArgsSchema = z.object({
  refs: z.array(z.string()).default([]),
  where: z.array(ConditionSchema).default([]),
  anyOf: z.array(z.unknown()).default([]),
  whole: z.boolean().nullish(),
  after: z.string().nullish(),
});

/** Returns what a call read of a table. Of a tool of the domain's own it is not known. Pure. */
export function describeReadScope(
  { tool, args }: Pick<CallResult, "tool" | "args">,
  type: EntityType | undefined,
  { isWhole }: { /** True where every row that it found is shown. */ readonly isWhole: boolean },
): ReadScope {
  const isGenerated = type !== undefined && tool === nameTableTool("read", type);
  const parsed = ReadArgsSchema.safeParse(args);
  if (!isGenerated || !parsed.success) {
    return { refs: [], where: [], all: false, isComplete: false };
  }
  const { refs, where, anyOf, whole, after } = parsed.data;
  const isBounded = anyOf.length > 0 || (after ?? null) !== null;
  return { refs, where, all: whole === true, isComplete: isWhole && !isBounded };
}
