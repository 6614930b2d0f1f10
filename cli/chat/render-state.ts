import { viewPlan } from "../../state/view-plan.ts";
import { computeWorkingSet } from "../../registry/working-set.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import type { ThreadState } from "../thread-state.ts";
import { PHASE_WORDS, shortenToWidth } from "../../view/words.ts";
import { renderChecklist } from "./render-checklist.ts";
import { renderHistory } from "../../summaries/history.ts";

const SHOWN = 20;

/** Renders the memory of a conversation in short lines, without database ids. */
export function renderState(state: ThreadState, columns: number): string {
  const { registry, constraints, pending, history, journeyPlan } = state;
  const entries = registry.entries.toSorted((a, b) => b.referencedTurn - a.referencedTurn);
  const hidden = entries.length - SHOWN;
  const { choices } = computeWorkingSet({
    registry,
    events: [],
    turn: state.turn,
    understanding: null,
  });
  const sections = [
    section(`Turns: ${state.turn}; things remembered: ${entries.length}`, [
      ...entries.slice(0, SHOWN).map(entryLine),
      ...(hidden > 0 ? [`and ${hidden} more`] : []),
    ]),
    section(
      "Still to choose from",
      choices.map(({ title, left, of, conclusion }) =>
        [
          `${title}: ${left.length} left of ${of}`,
          left.map(({ label }) => label).join(", "),
          conclusion,
        ]
          .filter((part) => part !== "")
          .join(" — "),
      ),
    ),
    section(
      "Wishes and rules",
      constraints.map(
        ({ text, kind, until, scope }) =>
          `${text} (${kind}${until === null ? "" : `, until ${until}`}${scope === "person" ? ", in every conversation" : ""})`,
      ),
    ),
    section(
      "Waiting for an answer",
      pending === null ? [] : [`${pending.kind}: ${shortenToWidth(pending.text, 200)}`],
    ),
    section("The question", journeyLines(state)),
    journeyPlan === null ? "" : renderChecklist(viewPlan(journeyPlan), columns),
    section(
      "Earlier",
      renderHistory(history)
        .split("\n")
        .filter((line) => line !== ""),
    ),
  ];
  return sections.filter((text) => text !== "").join("\n");
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0 && !title.startsWith("Turns")) return "";
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function journeyLines({ opening, concierge }: ThreadState): string[] {
  if (opening === null) return [];
  const { currentPhase, turnInPhase } = concierge;
  return [
    shortenToWidth(opening.question, 200),
    `now: ${PHASE_WORDS[currentPhase]} (${currentPhase}, answers so far: ${turnInPhase})`,
  ];
}

function entryLine({ ref, label, action, demotion }: RegistryEntry): string {
  const state = demotion === null ? action : `left out: ${demotion.reason}`;
  return `${ref} ${shortenToWidth(label, 60)} (${state})`;
}
