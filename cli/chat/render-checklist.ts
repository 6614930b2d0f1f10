import type { PlanDecision } from "../../state/journey-plan.ts";
import type { PlanView, PlanViewStep } from "../../state/view-plan.ts";
import { hangRows, wrapRows } from "../wrap.ts";

/** Longer rows are hard to follow. */
const WIDEST = 100;

/**
 * Renders a plan as a checklist: the steps under their headings, each with its time, open ones with how to
 * know that they are done and what to avoid, then the decisions.
 */
export function renderChecklist(plan: PlanView, columns: number): string {
  const width = Math.min(columns, WIDEST);
  const { goal, steps, decisions } = plan;
  const done = steps.filter(({ status }) => status === "complete").length;
  return [
    ...wrapRows(`The plan: ${goal} (${done} of ${steps.length} done)`, width),
    ...steps.flatMap((step, index) =>
      phaseRows(step.phase, { before: steps[index - 1]?.phase ?? "", columns: width }).concat(
        stepRows(step, {
          number: `${index + 1}.`.padStart(`${steps.length}.`.length),
          columns: width,
        }),
      ),
    ),
    ...decisions.flatMap((decision) => decisionRows(decision, width)),
  ].join("\n");
}

interface PhasePlace {
  /** The heading of the step before. */
  readonly before: string;
  readonly columns: number;
}

function phaseRows(phase: string, { before, columns }: PhasePlace): string[] {
  return phase === before || phase === "" ? [] : hangRows(phase, { prefix: "  ", columns });
}

const BOXES = { complete: "[x]", skipped: "[-]", active: "[>]", pending: "[ ]" } as const;

interface StepPlace {
  /** Its position, by which people name it: "2.". */
  readonly number: string;
  readonly columns: number;
}

function stepRows(
  { title, doneWhen, pitfall, notes, status, time }: PlanViewStep,
  { number, columns }: StepPlace,
): string[] {
  const prefix = `  ${number} ${BOXES[status]} `;
  const head = hangRows(time === "" ? title : `${title} (${time})`, {
    prefix,
    columns,
  });
  const isOpen = status === "active" || status === "pending";
  const fields = [
    ...(isOpen ? [`done when: ${doneWhen}`, `avoid: ${pitfall}`] : []),
    ...notes.map(({ text }) => `noted: ${text}`),
  ].filter((text) => !/^[a-z ]+: *$/u.test(text));
  return [
    ...head,
    ...fields.flatMap((text) => hangRows(text, { prefix: " ".repeat(prefix.length), columns })),
  ];
}

function decisionRows({ question, recommendation, chosen }: PlanDecision, columns: number) {
  const choice =
    chosen ?? (recommendation === "" ? "open" : `open; recommended: ${recommendation}`);
  const text = question === "" ? choice : `${question} ${choice}`;
  return hangRows(`decision: ${text}`, { prefix: "  ", columns });
}
