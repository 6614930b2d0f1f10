import { z } from "zod";
import type { ConversationView } from "../../prompts/view.ts";
import { renderRows } from "../../registry/render-rows.ts";
import { sharesWord } from "../../registry/shared-words.ts";
import { findFocus, type WorkingItem } from "../../registry/working-set.ts";
import type { Json } from "../../state/json.ts";
import type { TurnState } from "../../state/turn.ts";
import { oneLine } from "../../text/fence.ts";
import type { NodeServices } from "../node.ts";

/**
 * Refs whose rows the reply is about: the results of the steps, else what the message names, else
 * what is left of a choice that this turn has touched, the list shown last where nothing was done.
 */
export function listRefsToShow(state: TurnState, { workingSet }: ConversationView): string[] {
  const steps = state.plan?.steps ?? [];
  const refsIn = (type: string): string[] =>
    state.stepResults
      .filter(({ step }) => steps[step]?.stepType === type)
      .flatMap(({ refs }) => refs);
  const judged = refsIn("analyze");
  const drafts = state.stepResults.flatMap(({ artifacts }) => artifacts);
  const focus = findFocus(workingSet);
  // After an exclusion without an analysis of its own, what remains is what there is to say.
  const remaining =
    judged.length === 0 && focus?.touchedTurn === state.turn
      ? focus.left.map(({ ref }) => ref)
      : [];
  const refs = [
    ...drafts,
    ...refsIn("write"),
    ...judged,
    ...remaining,
    ...workingSet.named.map(({ ref }) => ref),
    // After an analysis only its result is shown, not every row that it read.
    ...(judged.length === 0 ? refsIn("read") : []),
    ...(steps.length === 0 ? workingSet.listed.map(({ ref }) => ref) : []),
  ];
  // What was left out earlier is shown to one who asks about it: a read by its ref alone may be a slip.
  const before = ({ excluded }: WorkingItem): boolean => excluded?.turn !== state.turn;
  const readByRef = new Set(listRefsToRead(state));
  const message = state.input?.text ?? "";
  const isInMessage = (label: string): boolean => sharesWord(label, message);
  const out = [
    ...workingSet.choices.flatMap((choice) => choice.excluded),
    ...workingSet.excludedElsewhere,
  ];
  const asked = new Set(
    [
      ...workingSet.named,
      ...out.filter(({ ref, label }) => readByRef.has(ref) && isInMessage(label)),
    ]
      .filter(before)
      .map(({ ref }) => ref),
  );
  const excluded = new Set(out.map(({ ref }) => ref).filter((ref) => !asked.has(ref)));
  return [...new Set(refs)].filter((ref) => !excluded.has(ref));
}

/** Refs that the reads of the turn name one by one: a look-up of the person, or a read of the plan. */
function listRefsToRead({ plan, stepResults }: TurnState): string[] {
  const isRead = (step: number): boolean => plan?.steps[step]?.stepType === "read";
  return [
    ...(plan?.steps ?? []).filter((_, step) => isRead(step)).flatMap(({ refs }) => refs),
    ...(plan?.calls ?? []).filter((call) => call.do === "read").flatMap(({ refs }) => refs),
    ...stepResults
      .filter(({ step }) => isRead(step))
      .flatMap(({ calls }) => calls.flatMap(({ args }) => listRefArguments(args))),
  ];
}

function listRefArguments(args: Json): readonly string[] {
  const { data } = ReadArgumentsSchema.safeParse(args);
  return data?.refs ?? [];
}

const ReadArgumentsSchema = z.object({ refs: z.array(z.string()) });

interface RowsToShowOptions {
  readonly named: readonly string[];
  readonly view: ConversationView;
  readonly services: NodeServices;
}

/** Renders rows, and which of them the person has left out. */
export function renderRowsToShow(
  refs: readonly string[],
  { named, view, services }: RowsToShowOptions,
): string {
  if (refs.length === 0) return "";
  const { countTokens, limits, domain } = services;
  const notes = listLeftOut(refs, view);
  const rows = renderRows(view.registry, {
    refs,
    named,
    types: domain.entityTypes,
    budget: limits.rowsTokens - countTokens(notes),
    countTokens,
  }).text;
  return [rows, notes].filter((part) => part !== "").join("\n");
}

/** Says which of the rows the person has left out, and why. */
function listLeftOut(refs: readonly string[], { registry }: ConversationView): string {
  return refs
    .flatMap((ref) => {
      const entry = registry.entries.find((candidate) => candidate.ref === ref);
      return entry?.demotion ? [`${ref} was left out: ${oneLine(entry.demotion.reason)}`] : [];
    })
    .slice(0, LEFT_OUT_NAMED)
    .join("\n");
}

/** Most rows whose exclusion is told beside them. */
const LEFT_OUT_NAMED = 12;
