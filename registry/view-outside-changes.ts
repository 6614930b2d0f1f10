import type { Registry, RegistryEvent } from "../state/registry.ts";
import { oneLine } from "../text/fence.ts";
import { renderSentence } from "../text/sentences.ts";
import { findEntryForRow } from "./entries.ts";
import { describeRefs } from "./refs.ts";
import { clip } from "./shorten.ts";

type Outside = Extract<RegistryEvent, { kind: "outside" }>;

/** A change of a known row that the conversation has not made. */
export interface OutsideChange {
  readonly ref: string;
  readonly action: "updated" | "deleted";
  readonly who: Outside["who"];
  /** A clause that names the row by its label: `Chickpea Curry is now "Chana Masala"`. */
  readonly text: string;
}

const LABEL_CHARACTERS = 80;

/** Lists the changes that a turn has found, in the order of its events. Pure. */
export function viewOutsideChanges(
  registry: Registry,
  events: readonly RegistryEvent[],
): OutsideChange[] {
  return events.flatMap((event, at) =>
    event.kind === "outside" ? viewChange(registry, event, events.slice(at + 1)) : [],
  );
}

function viewChange(
  registry: Registry,
  { type, id, row, who, before, isBack = false }: Outside,
  later: readonly RegistryEvent[],
): OutsideChange[] {
  const entry = findEntryForRow(registry, { type, id });
  if (entry === undefined) return [];
  // What the turn has written itself since then is not the other's.
  const isOwn = later.some(
    (event) => event.kind === "written" && event.type === type && event.row.id === id,
  );
  const { label, facts } = isOwn ? { label: before, facts: "" } : entry;
  const [from, to] = [oneLine(before), oneLine(label)];
  const names = {
    from: clip(from, LABEL_CHARACTERS),
    to: clip(to, LABEL_CHARACTERS),
    facts: clip(oneLine(facts), LABEL_CHARACTERS),
  };
  const isElsewhere = who === "conversation";
  const action = row === null ? "deleted" : "updated";
  const text =
    action === "deleted"
      ? wordDeleted(names, isElsewhere)
      : isBack
        ? wordRestored(names, isElsewhere)
        : wordUpdated(names, isElsewhere);
  return [{ ref: entry.ref, action, who, text }];
}

/** A row's label before and after, and its facts now. */
interface ChangedNames {
  readonly from: string;
  readonly to: string;
  readonly facts: string;
}

function wordDeleted({ from: label }: ChangedNames, isElsewhere: boolean): string {
  return renderSentence(isElsewhere ? "outsideDeletedElsewhere" : "outsideDeleted", { label });
}

function wordRestored({ to: label }: ChangedNames, isElsewhere: boolean): string {
  return renderSentence(isElsewhere ? "outsideRestoredElsewhere" : "outsideRestored", { label });
}

function wordUpdated({ from, to, facts }: ChangedNames, isElsewhere: boolean): string {
  if (from !== to) {
    const id = isElsewhere ? "outsideRenamedElsewhere" : "outsideRenamed";
    return renderSentence(id, { from, to });
  }
  const id = isElsewhere ? "outsideChangedElsewhere" : "outsideChanged";
  const change = renderSentence(id, { label: from });
  return facts === "" ? change : renderSentence("outsideFacts", { change, facts });
}

/** The refs of unchecked rows that a prompt names, in characters; the rest is counted. */
const UNCHECKED_CHARACTERS = 200;

interface RenderedChanges {
  readonly changes: readonly OutsideChange[];
  /** Refs of rows that were not checked. */
  readonly unchecked: readonly string[];
}

/** True for lines with refs, and the most lines. */
interface RenderedForm {
  readonly refs: boolean;
  readonly shown: number;
}

/** Renders the changes a line each, the first ones by name, the rest counted, and what was not checked. Pure. */
export function renderOutsideChanges(
  { changes, unchecked }: RenderedChanges,
  { refs, shown }: RenderedForm,
): string {
  const lines = changes
    .slice(0, shown)
    .map(({ ref, text }) => `- ${refs ? `${ref} ${text}` : text}`);
  const rest = changes.length - lines.length;
  const named = refs ? `: ${clip(describeRefs(unchecked), UNCHECKED_CHARACTERS)}` : "";
  return [
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(unchecked.length > 0 ? [`- ${unchecked.length} not checked${named}`] : []),
  ].join("\n");
}
