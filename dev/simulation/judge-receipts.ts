import type { WorkingSet } from "../../registry/working-set.ts";
import type { Receipt } from "../../state/receipt.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import type { Effect } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { addFullStop, renderSentence, type SentenceId } from "../../text/sentences.ts";
import { clipTo, joinShown } from "./expected-sections.ts";
import { compare, violation, type Violation } from "./violation.ts";

/** The effects of a turn as its rows show them in the end: one a row, none where they cancel out. */
export function netEffects(effects: readonly Effect[]): readonly Effect[] {
  const rows = Map.groupBy(effects, ({ type, ref }) => `${type} ${ref}`);
  return [...rows.values()].flatMap((changes): Effect[] => {
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isNew = first.action === "created";
    const isGone = last.action === "deleted";
    if (isNew && isGone) return [];
    const action = isNew ? "created" : isGone ? "deleted" : "updated";
    return [{ ...last, action, effectId: first.effectId }];
  });
}

/** A turn with its receipts. */
export interface ReceiptTurn {
  readonly state: TurnState;
  /** The registry when the reply was made. */
  readonly registry: Registry;
  readonly workingSet: WorkingSet;
}

/**
 * 4: the receipts name every row that was changed and no other, as it is now; what was asked for and
 * not done is named; a turn that was to change something and did not says so, or asks; and what they
 * say stands above the reply.
 */
export function judgeReceipts({ state, registry, workingSet }: ReceiptTurn): Violation[] {
  const receipts = state.replies.flatMap((reply) => reply.receipts);
  const undo = state.plan?.origin === "undo" || receipts.some(({ kind }) => kind === "undone");
  const stored = netEffects(state.effects).map((effect) => describeEffect(effect, undo));
  const named = receipts.filter(({ effect }) => effect !== null).map(describeReceipt);
  const outside = receipts.filter(({ kind }) => kind === "outside").map(({ label }) => label);
  const wishes = receipts.filter(({ kind }) => kind === "noted" || kind === "withdrawn");
  const warnings = new Set(state.stepResults.flatMap((result) => result.warnings));
  const shown = receipts.filter(({ kind }) => kind === "warning").map(({ reason }) => reason);
  return [
    ...compare("4 receipts", stored.toSorted().join("\n"), named.toSorted().join("\n")),
    ...judgeNotDone(state, receipts),
    ...judgeNothing(state, receipts),
    ...compare("4 outside", expectOutside(workingSet, registry).join("\n"), outside.join("\n")),
    ...compare(
      "4 wishes",
      state.wishChanges.map(({ wish, isWithdrawn }) => `${isWithdrawn} ${wish.text}`).join(),
      wishes.map(({ kind, label }) => `${kind === "withdrawn"} ${label}`).join(),
    ),
    ...compare(
      "4 warnings",
      [...warnings].map((warning) => renderSentence("warning", { warning })).join("\n"),
      shown.join("\n"),
    ),
    ...compare(
      "4 not read",
      String(state.understanding?.degraded === true && (state.plan?.failure ?? null) === null),
      String(receipts.some(({ kind }) => kind === "notRead")),
    ),
    ...state.replies.flatMap(({ text, body, receipts: own }) =>
      compare(
        "4 text",
        [writeReceipts(own, registry.entries), body].filter(isText).join("\n\n"),
        text,
      ),
    ),
  ];
}

function describeEffect(
  { action, type, ref, label, facts, effectId }: Effect,
  undo: boolean,
): string {
  const kind = undo ? "undone" : action;
  return [kind, type, ref, label, undo ? writeUndone(action) : facts, `e${effectId}`].join(" | ");
}

function describeReceipt({ kind, type, ref, label, facts, effect }: Receipt): string {
  return [kind, type, ref, label, facts, effect].join(" | ");
}

function writeUndone(action: Effect["action"]): string {
  switch (action) {
    case "created":
      return renderSentence("undoneCreated");
    case "updated":
      return renderSentence("undoneUpdated");
    case "deleted":
      return renderSentence("undoneDeleted");
  }
  return action satisfies never;
}

/** Rows that a step could not write, and steps that were to write and ended without; an undo says itself why. */
function judgeNotDone({ plan, stepResults }: TurnState, receipts: readonly Receipt[]): Violation[] {
  const found = receipts.filter(({ kind }) => kind === "notDone");
  if (plan?.decision !== "plan" || plan.origin === "undo")
    return compare("4 not done", "", found.map(({ label }) => label).join());
  const expected = stepResults.flatMap(({ step, status, calls, notStarted }) => {
    if (plan.steps[step]?.stepType !== "write") return [];
    const failed = calls.flatMap(({ failures }) => failures.map(({ label }) => label));
    const open = [...failed, ...notStarted];
    const isOpen = status === "failed" || status === "blocked" || status === "skipped";
    return open.length === 0 && isOpen ? ["a step"] : [];
  });
  return found.length >= expected.length
    ? []
    : [violation("4 not done", expected.join(", "), found.map(({ label }) => label).join())];
}

/** A turn in which a change was asked for and none was made says so, or not yet where it asks something. */
function judgeNothing(state: TurnState, receipts: readonly Receipt[]): Violation[] {
  const { plan, understanding, stepResults } = state;
  const says = receipts.filter(({ kind }) => kind === "nothing").map(({ reason }) => reason ?? "");
  const kinds = new Set(receipts.map(({ kind }) => kind));
  const hasChanged = [...kinds].some((kind) => CHANGES.has(kind));
  const isUnconfirmed = stepResults.some(({ unconfirmed }) => unconfirmed.length > 0);
  const writes = plan?.steps.some(({ stepType }) => stepType === "write") ?? false;
  const wants = writes || understanding?.asksForChange === true || (plan?.failure ?? null) !== null;
  if (hasChanged || isUnconfirmed) return compare("4 nothing", "", says.join("\n"));
  if (plan?.origin === "undo") {
    const refused = stepResults.flatMap(({ calls }) => calls.filter(({ ok }) => !ok));
    const why = refused[0]?.summary ?? renderSentence("nothingToUndo");
    return compare(
      "4 nothing",
      renderSentence("notUndone", { reason: addFullStop(why) }),
      says.join(),
    );
  }
  if (!wants) {
    const isReplanned = state.notices.some(({ code }) => code === "write-replanned");
    return isReplanned ? [] : compare("4 nothing", "", says.join("\n"));
  }
  const asks =
    (plan?.failure ?? null) === null &&
    (understanding?.route === "clarify" ||
      plan?.decision === "propose" ||
      plan?.decision === "clarify" ||
      stepResults.some(({ status }) => status === "asked"));
  const expected = renderSentence(asks ? "nothingChangedYet" : "nothingChanged");
  return compare("4 nothing", expected, says.join("\n"));
}

const CHANGES: ReadonlySet<Receipt["kind"]> = new Set([
  "created",
  "updated",
  "deleted",
  "undone",
  "answered",
  "unknown",
]);

/** Changes from outside of things in the choice in focus. */
function expectOutside({ choices, changes }: WorkingSet, { choices: open }: Registry): string[] {
  const refs = open.find(({ id }) => id === choices[0]?.id)?.refs ?? [];
  return changes.filter(({ ref }) => refs.includes(ref)).map(({ text }) => text);
}

const ROWS = [
  ["created", "receiptCreated"],
  ["deleted", "receiptDeleted"],
  ["updated", "receiptUpdated"],
  ["undone", "receiptUndone"],
  ["notDone", "receiptNotDone"],
  ["unknown", "receiptUnknown"],
  ["noted", "receiptNoted"],
  ["withdrawn", "receiptWithdrawn"],
  ["outside", "receiptOutside"],
] as const satisfies readonly (readonly [Receipt["kind"], SentenceId])[];

/** Writes receipts as they have to stand above a reply. */
function writeReceipts(receipts: readonly Receipt[], entries: readonly RegistryEntry[]): string {
  const rows = ROWS.map(([kind, id]) => {
    const own = receipts.filter((receipt) => receipt.kind === kind);
    if (own.length === 0) return "";
    const shown = own.slice(0, 6);
    const reasons = [...new Set(shown.map(({ reason }) => reason))];
    const groups = reasons.map((reason) => {
      const names = shown
        .filter((one) => one.reason === reason)
        .map((one) => writeName(one, receipts, entries))
        .join(", ");
      return reason === null ? names : `${names} (${reason})`;
    });
    const labels = groups.join("; ");
    const count = own.length - shown.length;
    const named = count === 0 ? labels : renderSentence("labelsAndMore", { labels, count });
    return renderSentence(id, { rows: named });
  });
  const sentences = (["nothing", "warning", "notRead", "dropped"] as const).flatMap((kind) =>
    receipts.filter((receipt) => receipt.kind === kind).map(({ reason }) => reason ?? ""),
  );
  return joinShown([...rows, ...sentences]);
}

/** A row by its label and facts; one that was deleted by its label, where nothing else has it. */
function writeName(
  { kind, type, ref, label, facts }: Receipt,
  receipts: readonly Receipt[],
  entries: readonly RegistryEntry[],
): string {
  const known = kind === "created" ? [] : entries.filter(({ action }) => action !== "deleted");
  const alike = [...receipts, ...known].filter((one) => one.label === label && one.ref !== ref);
  const hasTwin = alike.some((other) => other.type === type);
  const word = alike.some((other) => other.type !== type) ? (type ?? "") : "";
  const shown = [word, kind === "deleted" && !hasTwin ? "" : facts].filter(isText).join("; ");
  const named = clipTo(label, 120);
  return shown === "" ? named : `${named} (${clipTo(shown, 120)})`;
}

function isText(text: string): boolean {
  return text !== "";
}
