import type { PlanStep } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import { oneLine } from "../../text/fence.ts";
import { renderSentence } from "../../text/sentences.ts";

interface ProposedPlan {
  /** The proposal in the model's words. */
  readonly proposal: string;
  /** The steps that run when the person agrees. */
  readonly steps: readonly PlanStep[];
}

/**
 * Words a proposal so that a "yes" hides no change: after the model's words stands a line for each
 * step that changes data, with the rows that it names. A single step whose rows the words name
 * already needs none. Pure.
 */
export function renderProposal({ proposal, steps }: ProposedPlan, registry: Registry): string {
  const writes = steps.filter(({ stepType }) => stepType === "write");
  const lines = writes.map(({ description, refs }, index) => {
    const labels = listLabels(refs, registry);
    const step = { number: index + 1, description: withoutRefs(oneLine(description), registry) };
    return labels.length === 0
      ? renderSentence("proposedStep", step)
      : renderSentence("proposedStepOnRows", { ...step, rows: labels.join(", ") });
  });
  const unnamed = writes
    .flatMap(({ refs }) => listLabels(refs, registry))
    .filter((label) => !proposal.toLowerCase().includes(label.toLowerCase()));
  if (writes.length <= 1 && unnamed.length === 0) return proposal;
  return [proposal, ...lines].join("\n");
}

/** A model's words with labels in place of refs, which mean nothing to a person. */
function withoutRefs(text: string, { entries }: Registry): string {
  return text.replace(
    /(\s*\()?\b([a-z_]+_[1-9]\d*)\b\)?/gu,
    (whole, opening: unknown, ref: string) => {
      const entry = entries.find((candidate) => candidate.ref === ref);
      if (entry === undefined) return whole;
      return opening === undefined ? entry.label : "";
    },
  );
}

function listLabels(refs: readonly string[], { entries }: Registry): string[] {
  return refs.flatMap((ref) => entries.find((entry) => entry.ref === ref)?.label ?? []);
}
