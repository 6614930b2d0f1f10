import { renderOutsideChanges } from "../registry/view-outside-changes.ts";
import { renderChoices, renderDrafts, renderListed } from "../registry/render-working-set.ts";
import type { WorkingSet } from "../registry/working-set.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import { HEADINGS } from "./headings.ts";
import { dataSection, volatilePart } from "./part.ts";
import type { PromptContext } from "./view.ts";

/** The parts of the working set that a node is shown. */
export interface ShownWorkingSet extends Pick<PromptContext, "limits" | "countTokens"> {
  /** False for the node that speaks. */
  readonly refs: boolean;
  /** True to show the facts of what is left to choose from. */
  readonly facts: boolean;
}

/** Renders choices, last list and drafts, each fact once: the same sections in every prompt. */
export function workingSetParts(set: WorkingSet, shown: ShownWorkingSet): EnvelopePart[] {
  return [
    choicesPart(set, shown),
    listedPart(set, shown),
    draftsPart(set, shown),
    outsidePart(set, shown),
  ];
}

/** Renders what something outside the conversation has changed. */
export function outsidePart(set: WorkingSet, shown: ShownWorkingSet): EnvelopePart {
  const text = renderOutsideChanges(set, {
    refs: shown.refs,
    shown: shown.limits.outsideChangesShown,
  });
  return volatilePart("outside", "journal", dataSection(HEADINGS.outside, text));
}

function listedPart(set: WorkingSet, shown: ShownWorkingSet): EnvelopePart {
  const text = renderListed(set, shown);
  return volatilePart("listed", "registry:listed", dataSection(HEADINGS.listedLast, text));
}

/** Renders the drafts that are not saved. */
export function draftsPart(set: WorkingSet, shown: ShownWorkingSet): EnvelopePart {
  const text = renderDrafts(set, shown);
  return volatilePart("drafts", "registry:drafts", dataSection(HEADINGS.drafts, text));
}

/** Renders the choices alone. */
export function choicesPart(set: WorkingSet, shown: ShownWorkingSet): EnvelopePart {
  const text = renderChoices(set, shown);
  return volatilePart("choices", "registry:choices", dataSection(HEADINGS.choices, text));
}
