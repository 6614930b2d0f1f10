import { createTextCleaner } from "../../output-filter/output-gate.ts";
import type { PlannedWrite, PlanStep } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import { oneLine } from "../../text/fence.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderSentence, type SentenceId } from "../../text/sentences.ts";
import { nameEntries, type EntryNames } from "./name-entries.ts";
import { collectOutputNames } from "./output-names.ts";

interface ProposedPlan {
  /** The sentence of the model that leads in the proposal. */
  readonly proposal: string;
  /** The steps that run when the person agrees. */
  readonly steps: readonly PlanStep[];
  /** Changes that their calls would make, in words of code, by the place of the step. */
  readonly listed: ReadonlyMap<number, string>;
}

/**
 * Words a proposal so that a "yes" hides no change: below the model's first line stands a line for
 * each step that changes data: rows and values as a question about them words them, where its calls
 * are known; else what the step may change and how its model describes it. It asks for a "yes" where
 * the first line does not. Pure.
 */
export function renderProposal(
  { proposal, steps, listed }: ProposedPlan,
  names: EntryNames,
): string {
  const [lead = ""] = proposal.trim().split("\n");
  const { registry, entityTypes } = names;
  const clean = createTextCleaner(collectOutputNames({ registry, domain: { entityTypes } }));
  const lines = [...steps.entries()]
    .filter(([, { stepType }]) => stepType === "write")
    .map(([place, { description, writes }], index) => {
      const number = index + 1;
      const changes = listed.get(place);
      if (changes !== undefined) return renderSentence("proposedChanges", { number, changes });
      return renderSentence(writes.length === 0 ? "proposedCall" : "proposedStep", {
        number,
        changes: renderPlannedWrites(writes, names),
        task: clean(oneLine(description)),
      });
    });
  const closing = lead.trim().endsWith("?") ? [] : [renderSentence("doIt")];
  return [lead.trim(), ...lines, ...closing].filter((part) => part !== "").join("\n");
}

/**
 * Returns the steps of a proposal as a "yes" agrees to them: a row that the registry has no name for
 * stands in no line of the proposal, and is asked about when it changes. Pure.
 */
export function keepNamedRows(
  steps: readonly PlanStep[],
  { entries }: Registry,
): readonly PlanStep[] {
  const known = new Set(entries.map(({ ref }) => ref));
  return steps.map((step) => ({
    ...step,
    writes: step.writes.map((write) => ({
      ...write,
      refs: write.refs.filter((ref) => known.has(ref)),
    })),
  }));
}

const WRITES = {
  create: "proposedCreate",
  update: "proposedUpdate",
  delete: "proposedDelete",
} as const satisfies Record<PlannedWrite["action"], SentenceId>;

/** Renders what a step may change: "Add planned meals; Delete Cod Tacos". Pure. */
export function renderPlannedWrites(writes: readonly PlannedWrite[], words: EntryNames): string {
  return writes.map((write) => renderWrite(write, words)).join("; ");
}

function renderWrite({ action, type, refs }: PlannedWrite, names: EntryNames): string {
  const labels = [...nameEntries(action === "create" ? [] : refs, names).values()];
  const words = names.entityTypes.find((candidate) => candidate.type === type)?.words.many ?? type;
  return renderSentence(WRITES[action], { rows: labels.length === 0 ? words : joinItems(labels) });
}
