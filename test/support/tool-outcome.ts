import type { ToolOutcome } from "../../state/tool.ts";

/** An outcome of which only some parts are filled. */
export function toolOutcome(parts: Partial<ToolOutcome>): ToolOutcome {
  return {
    reads: [],
    writes: [],
    undescribed: 0,
    failures: [],
    warnings: [],
    listed: [],
    linked: [],
    text: null,
    ...parts,
  };
}
