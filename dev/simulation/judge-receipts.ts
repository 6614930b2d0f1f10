import type { WorkingSet } from "../../registry/working-set.ts";
import type { Receipt } from "../../state/receipt.ts";
import { UNDO_TOOL } from "../../domain/define-domain.ts";
import { collectOutputNames } from "../../nodes/reply/output-names.ts";
import { createTextCleaner } from "../../output-filter/output-gate.ts";
import { renderPlannedWrites } from "../../nodes/reply/render-proposal.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import type { CallResult, Effect, StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { addFullStop, renderSentence, type SentenceId } from "../../text/sentences.ts";
import { writeMoments } from "./expected-words.ts";
import { clipTo, joinShown } from "./expected-sections.ts";
import { compare, type Violation } from "./violation.ts";

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
  /** The words for what has changed of each updated row, by its ref. */
  readonly updates: ReadonlyMap<string, string>;
  /** The columns of each new row with values that the message does not have, by its ref. Default: none. */
  readonly unnamed?: ReadonlyMap<string, readonly string[]>;
}

/**
 * 4: the receipts name every row that was changed and no other, as it is now; what was asked for and
 * not done is named; a turn that was to change something and did not says so, or asks; and what they
 * say stands above the reply.
 */
export function judgeReceipts(
  { state, registry, workingSet, updates, unnamed = new Map() }: ReceiptTurn,
  types: readonly EntityType[],
): Violation[] {
  const receipts = state.replies.flatMap((reply) => reply.receipts);
  const undo = isUndo(state);
  const stored = netEffects(state.effects).map((effect) => {
    const facts = expectFacts(effect, state.effects, updates);
    return describeEffect({ ...effect, facts }, undo);
  });
  const named = receipts
    .filter(({ ref, effect }) => effect !== null && ref !== null)
    .map(describeReceipt);
  const outside = receipts
    .filter(({ kind }) => kind === "outside")
    .map(({ ref, label }) => `${ref} ${label}`);
  const wishes = receipts.filter(({ kind }) => kind === "noted" || kind === "withdrawn");
  const timeZone = state.run?.timeZone ?? "UTC";
  const entries = registry.entries.map((entry) => wordRow(entry, timeZone));
  const warnings = new Set(state.stepResults.flatMap((result) => result.warnings));
  const shown = receipts.filter(({ kind }) => kind === "warning").map(({ reason }) => reason);
  return [
    ...compare("4 receipts", stored.toSorted().join("\n"), named.toSorted().join("\n")),
    ...receipts
      .filter(({ kind }) => kind === "created")
      .flatMap(({ ref, label, facts }) => {
        const missing = (unnamed.get(ref ?? "") ?? []).filter((name) => !facts.includes(name));
        return compare(
          "4 values that nobody named",
          "",
          missing.length === 0 ? "" : `${label}: ${missing.join()}`,
        );
      }),
    ...judgeCalls({ state, registry, workingSet, updates, types }),
    ...judgeNothing(state, receipts),
    ...compare("4 outside", expectOutside(workingSet, registry).join("\n"), outside.join("\n")),
    ...compare(
      "4 wishes",
      (state.understanding?.undoneWishes === undefined ? state.wishChanges : [])
        .map(({ wish, isWithdrawn }) => `${isWithdrawn} ${wish.text}`)
        .join(),
      wishes.map(({ kind, label }) => `${kind === "withdrawn"} ${label}`).join(),
    ),
    ...compare(
      "4 wishes taken back",
      expectUndoneWishes(state).join("\n"),
      receipts
        .filter(({ kind, ref, effect }) => kind === "undone" && ref === null && effect === null)
        .map(({ label, facts }) => `${label}: ${facts}`)
        .join("\n"),
    ),
    ...compare(
      "4 plan",
      expectPlanNews(state),
      receipts.flatMap(({ kind, reason }) => (kind === "plan" ? [reason] : [])).join("\n"),
    ),
    ...compare(
      "4 drafts",
      expectDrafts(state, registry).join(),
      receipts.flatMap(({ kind, ref }) => (kind === "drafted" ? [ref] : [])).join(),
    ),
    ...compare(
      "4 curated",
      state.notices
        .filter(({ code }) => code === "curation-not-done")
        .map(({ text }) => text)
        .join("\n"),
      receipts.flatMap(({ kind, reason }) => (kind === "curated" ? [reason] : [])).join("\n"),
    ),
    ...compare(
      "4 warnings",
      [...warnings].map((warning) => renderSentence("warning", { warning })).join("\n"),
      shown.join("\n"),
    ),
    ...compare(
      "4 not read",
      expectUnread(state).join("\n"),
      receipts.flatMap(({ kind, reason }) => (kind === "notRead" ? [reason] : [])).join("\n"),
    ),
    ...state.replies.flatMap(({ text, body, receipts: own }) =>
      compare(
        "4 text",
        [writeReceipts(wordReceipts(own, timeZone), entries), body].filter(isText).join("\n\n"),
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

/**
 * Words of a receipt about a row: of an updated one what has changed, where one call changed it; of a new one
 * its facts, and the words about its values.
 */
function expectFacts(
  { action, ref, facts: given }: Effect,
  effects: readonly Effect[],
  updates: ReadonlyMap<string, string>,
): string {
  const facts = clipTo(given, given.length);
  if (action === "deleted") return facts;
  const own = effects.filter((effect) => effect.ref === ref);
  const words = [...new Set(own.flatMap(({ change }) => change ?? []))].join(", ");
  if (action === "created") return [clipTo(facts, 120), words].filter(isText).join("; ");
  return own.length === 1 ? (updates.get(ref) ?? "") : words || facts;
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

/** Tables that no type describes, answers of services, and what was to be written and was not; an undo says itself why. */
function judgeCalls(turn: ReceiptTurn & CallContext): Violation[] {
  const { state, registry } = turn;
  const { plan, stepResults, pendingCalls, confirmed, notices } = state;
  const write = ({ step }: StepResult): boolean => plan?.steps[step]?.stepType === "write";
  const calls = stepResults.flatMap((result) => result.calls);
  const others = calls.flatMap(({ tool, undescribed }) => {
    if (undescribed === null) return [];
    const { rows: count, effectId } = undescribed;
    if (tool === UNDO_TOOL)
      return [`undone | ${renderSentence("undescribedUndone", { count })} | null | e${effectId}`];
    const label = renderSentence("undescribedByTool", { count, tool: toWords(tool) });
    return [`updated | ${label} | null | e${effectId}`];
  });
  const answers = stepResults.filter(write).flatMap((result) =>
    result.calls.flatMap(({ tool, outside }) => {
      const words = toWords(tool);
      const label = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
      return outside?.answer == null ? [] : [`answered | ${label} | ${outside.answer} | null`];
    }),
  );
  const isOpen = plan?.decision === "plan" && !isUndo(state);
  const open = isOpen ? stepResults.filter(write).flatMap((one) => expectOpen(one, turn)) : [];
  const asked = confirmed?.calls.filter(({ changes }) => changes.length === 0) ?? [];
  const stopped = pendingCalls
    .filter(({ tool }) => asked.some((call) => call.tool === tool))
    .map(({ tool }) => `unknown | ${toWords(tool)} | ${renderSentence("callStopped")} | null`);
  const dropped = notices
    .filter(({ code }) => code === "confirmation-dropped" || code === "uncalled-yes")
    .map(({ text }) => `dropped |  | ${text} | null`);
  const found = state.replies
    .flatMap((reply) => reply.receipts)
    .filter(({ kind, ref, effect }) => OF_CALLS.has(kind) || (effect !== null && ref === null))
    .map(({ kind, label, reason, effect }) =>
      [kind, label, String(reason), String(effect)].join(" | "),
    );
  const expected = [...others, ...answers, ...open, ...stopped, ...dropped];
  const known = new Set(registry.entries.map(({ ref }) => ref));
  const leaked = state.replies.flatMap(({ text }) =>
    text.split(/[^\p{L}\p{N}_]+/u).filter((word) => known.has(word)),
  );
  return [
    ...compare("4 calls", expected.join("\n"), found.join("\n")),
    ...compare("7 receipts", "", leaked.join()),
  ];
}

interface CallContext {
  readonly types: readonly EntityType[];
}

const OF_CALLS: ReadonlySet<Receipt["kind"]> = new Set([
  "answered",
  "notDone",
  "unknown",
  "dropped",
]);

function toWords(tool: string): string {
  return tool.split("_").join(" ");
}

/** Returns true for a turn that took changes back. */
export function isUndo({ plan, stepResults }: TurnState): boolean {
  const isTool = stepResults.some(({ calls }) => calls.some(({ tool }) => tool === UNDO_TOOL));
  return plan?.origin === "undo" || (plan?.origin === "confirmation" && isTool);
}

/** Returns true for a call of a service that may have done something. */
function isLost({ outside, effect }: CallResult): boolean {
  return effect === "write" && outside !== null && outside.answer === null;
}

/** Rows that a step could not write, each with its last reason; or the step, where it ended without. */
function expectOpen(
  { step, status, calls, notStarted, outcome }: StepResult,
  { state: { plan, run, stepResults }, registry, types }: ReceiptTurn & CallContext,
): string[] {
  const rows = [true, false].flatMap((lost) => {
    const own = calls.filter((call) => isLost(call) === lost).flatMap(({ failures }) => failures);
    const last = new Map(
      own.map(({ label, ref, reason }) => [`${ref} ${label}`, { label, reason }]),
    );
    return [...last.values()].map(
      ({ label, reason }) => `${lost ? "unknown" : "notDone"} | ${label} | ${reason} | null`,
    );
  });
  const late = notStarted.map(
    (label) => `notDone | ${label} | ${renderSentence("limitOfCalls")} | null`,
  );
  const all = [...rows, ...late];
  const planned = plan?.steps[step];
  const isOpen = status === "failed" || status === "blocked" || status === "skipped";
  if (all.length > 0 || !isOpen || planned === undefined) return all;
  const words = { registry, entityTypes: types, timeZone: run?.timeZone ?? "UTC" };
  const clean = createTextCleaner(collectOutputNames({ registry, domain: { entityTypes: types } }));
  const label = renderPlannedWrites(planned.writes, words) || clean(planned.description);
  const misfits = plan?.misfits.filter((misfit) => misfit.step === step) ?? [];
  const questions = stepResults.filter((result) => result.status === "asked");
  const waits = status === "skipped" && questions.length > 0;
  const isKept = questions.some(({ unconfirmed }) => unconfirmed.length > 0);
  const why = [
    ...new Set(misfits.map((misfit) => misfit.reason)),
    ...(waits ? [renderSentence(isKept ? "stepBehindConfirmation" : "stepAfterQuestion")] : []),
  ].join(", ");
  const reason = plan?.origin === "confirmation" ? clean(outcome) : why || "null";
  return [`notDone | ${label} | ${reason} | null`];
}

/** A turn in which a change was asked for and none was made says so, or not yet where it asks something. */
function judgeNothing(state: TurnState, receipts: readonly Receipt[]): Violation[] {
  const { plan, understanding, stepResults, notices, planNews, journeyNews } = state;
  const says = receipts.filter(({ kind }) => kind === "nothing").map(({ reason }) => reason ?? "");
  const kinds = new Set(receipts.map(({ kind }) => kind));
  const hasChanged = [...kinds].some((kind) => CHANGES.has(kind));
  const isUnconfirmed = stepResults.some(({ unconfirmed }) => unconfirmed.length > 0);
  const writes = plan?.steps.some(({ stepType }) => stepType === "write") ?? false;
  const isAsked = understanding?.needs === "change" && understanding.route !== "concierge";
  const isReplanned = notices.some(({ code }) => code === "write-replanned");
  const isFailed =
    (plan?.failure ?? null) !== null || notices.some(({ code }) => code === "no-answer");
  const hasNews = planNews?.isChanged === true || journeyNews?.isReply === false;
  const isOther = hasNews || hasChanged || isUnconfirmed;
  const isWanted = writes || isAsked || isReplanned || isFailed || isUndo(state);
  if (isOther || !isWanted) {
    // That nothing else was changed is held against the message.
    const others = says.filter((reason) => reason !== renderSentence("nothingElseChanged"));
    return compare("4 nothing", "", others.join("\n"));
  }
  if (isUndo(state) && !isFailed) {
    const refused = stepResults.flatMap(({ calls }) => calls.filter(({ ok }) => !ok));
    const why = refused[0]?.summary ?? renderSentence("nothingToUndo");
    return compare(
      "4 nothing",
      renderSentence("notUndone", { reason: addFullStop(why) }),
      says.join(),
    );
  }
  const asks =
    !isFailed &&
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

/** Wishes that are as they were: those that were noted are gone, those that were taken away are back. */
function expectUndoneWishes({ understanding }: TurnState): readonly string[] {
  const { before = [], after = [] } = understanding?.undoneWishes ?? {};
  const old = new Set(before.map(({ text }) => text));
  const noted = new Set(after.map(({ text }) => text));
  const changed = [...noted].map(
    (text) => `${text}: ${renderSentence(old.has(text) ? "undoneUpdated" : "undoneNoted")}`,
  );
  const back = [...old].filter((text) => !noted.has(text));
  return [...changed, ...back.map((text) => `${text}: ${renderSentence("undoneCreated")}`)];
}

/** The changes of the plan, where the concierge does not say it itself. */
function expectPlanNews({ planNews, passedOnReply, lanesServed }: TurnState): string {
  const isReported = passedOnReply !== null || lanesServed.includes("concierge");
  return isReported ? "" : (planNews?.report ?? "");
}

/** The parts of the message that were not read. */
function expectUnread({ understanding, plan, notices }: TurnState): readonly string[] {
  const isUnread = understanding?.degraded === true && (plan?.failure ?? null) === null;
  return [
    ...(isUnread ? [renderSentence("wishesNotRead")] : []),
    ...notices
      .filter(({ code }) => code === "wish-unclear" || code === "message-shortened")
      .map(({ text }) => text),
  ];
}

/** Drafts that are not saved. */
function expectDrafts({ stepResults }: TurnState, { entries }: Registry): string[] {
  const made = new Set(stepResults.flatMap((result) => result.artifacts));
  return entries.flatMap(({ ref, id, action }) =>
    made.has(ref) && id === null && action !== "deleted" ? [ref] : [],
  );
}

/** Changes from outside of things in the choice in focus. */
function expectOutside({ changes }: WorkingSet, { choices }: Registry): string[] {
  const isOffered = (one: string): boolean => choices.some(({ refs }) => refs.includes(one));
  return changes.filter(({ ref }) => isOffered(ref)).map(({ ref, text }) => `${ref} ${text}`);
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
  ["drafted", "receiptDrafted"],
] as const satisfies readonly (readonly [Receipt["kind"], SentenceId])[];

function wordReceipts(receipts: readonly Receipt[], timeZone: string): readonly Receipt[] {
  return receipts.map((receipt) => ({
    ...wordRow(receipt, timeZone),
    reason: receipt.reason === null ? null : writeMoments(receipt.reason, timeZone),
  }));
}

/** A row with the moments of its name and of its facts as they are where the person is. */
function wordRow<T extends Pick<Receipt, "label" | "facts">>(row: T, timeZone: string): T {
  const [label = "", facts = ""] = [row.label, row.facts].map((text) =>
    writeMoments(text, timeZone),
  );
  return { ...row, label, facts };
}

/** Writes receipts as they have to stand above a reply. */
function writeReceipts(receipts: readonly Receipt[], entries: readonly RegistryEntry[]): string {
  const rows = ROWS.map(([kind, id]) => {
    const own = receipts.filter((receipt) => receipt.kind === kind);
    if (own.length === 0) return "";
    const shown = own.slice(0, 50);
    const reasons = [...new Set(shown.map(({ reason }) => reason))];
    const groups = reasons.map((reason) => {
      const names = shown
        .filter((one) => one.reason === reason)
        .map((one) => writeName(one, receipts, entries))
        .join(", ");
      return reason === null ? names : `${names} (${clipTo(showLabels(reason, entries), 600)})`;
    });
    const labels = groups.join("; ");
    const count = own.length - shown.length;
    const named = count === 0 ? labels : renderSentence("labelsAndMore", { labels, count });
    return renderSentence(id, { rows: named });
  });
  const answers = receipts
    .filter(({ kind }) => kind === "answered")
    .map(({ label, reason }) => `${label}: ${showLabels(reason ?? "", entries)}`);
  const sentences = (
    ["nothing", "plan", "curated", "warning", "notRead", "dropped"] as const
  ).flatMap((kind) =>
    receipts.filter((receipt) => receipt.kind === kind).map(({ reason }) => reason ?? ""),
  );
  return joinShown([...rows, ...answers, ...sentences]);
}

/** A text on one line, with labels in place of refs, and without the id that nobody knows. */
function showLabels(text: string, entries: readonly RegistryEntry[]): string {
  const words = text.split(/([^\p{L}\p{N}_]+)/u);
  const shown = words.map((word) => entries.find(({ ref }) => ref === word)?.label ?? word);
  return shown.join("").split(/\s+/u).join(" ").replaceAll(UNKNOWN, "[id]");
}

const UNKNOWN = "5eed0000-0000-4000-9000-999999999999";

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
  // What has changed of a row does not tell which of two it is.
  const ownFacts = entries.find((one) => one.ref === ref && one.action !== "deleted")?.facts ?? "";
  const own = kind === "updated" && hasTwin && ownFacts !== facts ? ownFacts : "";
  const shown = [word, own, kind === "deleted" && !hasTwin ? "" : facts]
    .filter(isText)
    .map((part) => showLabels(part, entries))
    .join("; ");
  const named = clipTo(label, 120);
  return shown === "" ? named : `${named} (${clipTo(shown, kind === "created" ? 480 : 120)})`;
}

function isText(text: string): boolean {
  return text !== "";
}
