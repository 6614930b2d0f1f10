import type { Receipt } from "../state/receipt.ts";
import type { Registry } from "../state/registry.ts";
import type { Effect } from "../state/step.ts";
import type { Reply } from "../state/turn.ts";
import { oneLine } from "../text/fence.ts";
import { addFullStop, renderSentence, type SentenceId } from "../text/sentences.ts";
import { blotIds, createIdHider } from "./hide-ids.ts";
import { replaceRefs } from "./replace-refs.ts";
import { clip } from "./shorten.ts";

type ReceiptKind = Receipt["kind"];

/** Longer labels and facts are clipped: a receipt is read at a glance. */
const LABEL_CHARACTERS = 120;

/** A receipt with what the kind leaves out empty. */
export function createReceipt(
  receipt: Pick<Receipt, "kind"> & Partial<Omit<Receipt, "kind">>,
): Receipt {
  return {
    type: null,
    ref: null,
    label: "",
    facts: "",
    reason: null,
    effect: null,
    ...receipt,
  };
}

const UNDONE = {
  created: "undoneCreated",
  updated: "undoneUpdated",
  deleted: "undoneDeleted",
} as const satisfies Record<Effect["action"], SentenceId>;

/** Lists a receipt for each changed row; in a turn that takes changes back, for each that is back. Pure. */
export function listStored(
  effects: readonly Effect[],
  { isUndo }: { readonly isUndo: boolean },
): Receipt[] {
  const last = new Map(effects.map((effect) => [`${effect.action} ${effect.ref}`, effect]));
  return [...last.values()].map(({ action, type, ref, label, facts, effectId }) =>
    createReceipt({
      kind: isUndo ? "undone" : action,
      type,
      ref,
      label,
      facts: isUndo ? renderSentence(UNDONE[action]) : facts,
      effect: `e${effectId}`,
    }),
  );
}

/** Rows that a line of one kind names; the rest are counted. */
const NAMED = 6;

/** The kinds whose rows share a line, in the order of the lines. */
const LINES = {
  created: "receiptCreated",
  updated: "receiptUpdated",
  deleted: "receiptDeleted",
  undone: "receiptUndone",
  notDone: "receiptNotDone",
  unknown: "receiptUnknown",
  noted: "receiptNoted",
  withdrawn: "receiptWithdrawn",
  outside: "receiptOutside",
} as const satisfies Partial<Record<ReceiptKind, SentenceId>>;
/** Changes that follow from a deletion stand after it. */
const ROW_KINDS = [
  "created",
  "deleted",
  "updated",
  "undone",
  "notDone",
  "unknown",
  "noted",
  "withdrawn",
  "outside",
] as const;

/**
 * Renders receipts as the lines that stand above a reply: one line a kind, at most six rows named,
 * no ref and no id. Empty where there is none. Pure.
 *
 * @example
 * const added = createReceipt({ kind: "created", label: "butter", facts: "4" });
 * renderReceipts([added], { entries: [] }); // "Added: butter (4)"
 */
export function renderReceipts(
  receipts: readonly Receipt[],
  registry: Pick<Registry, "entries">,
): string {
  const name = createNamer(registry);
  const kinds = Map.groupBy(receipts, ({ kind }) => kind);
  const rows = ROW_KINDS.flatMap((kind) => {
    const own = kinds.get(kind) ?? [];
    const sentence = LINES[kind];
    return own.length === 0 ? [] : [renderSentence(sentence, { rows: nameRows(own, name) })];
  });
  const answers = (kinds.get("answered") ?? []).map(({ label, reason }) =>
    renderSentence("outsideAnswer", { tool: name(label), answer: name(reason ?? "") }),
  );
  const sentences = SENTENCES.flatMap((kind) => kinds.get(kind) ?? []).map(({ reason }) =>
    name(reason ?? ""),
  );
  return [...rows, ...answers, ...sentences].join("\n");
}

/** The kinds that are a sentence of their own, in the order of the lines. */
const SENTENCES = ["nothing", "warning", "notRead", "dropped"] as const;

type NameText = (text: string) => string;

function createNamer(registry: Pick<Registry, "entries">): NameText {
  const hideIds = createIdHider(registry);
  return (text) => oneLine(blotIds(replaceRefs(hideIds(text), registry)));
}

/** Names the rows; those that share a reason stand before it once. */
function nameRows(receipts: readonly Receipt[], name: NameText): string {
  const shown = receipts.slice(0, NAMED);
  const byReason = Map.groupBy(shown, ({ reason }) => reason);
  const groups = [...byReason].map(([reason, rows]) => {
    const labels = rows.map((row) => nameRow(row, { name, rows })).join(", ");
    return reason === null ? labels : `${labels} (${name(reason)})`;
  });
  const labels = groups.join("; ");
  const count = receipts.length - shown.length;
  return count > 0 ? renderSentence("labelsAndMore", { labels, count }) : labels;
}

interface NameRowOptions {
  readonly name: NameText;
  readonly rows: readonly Receipt[];
}

/** A deleted row is named with its facts only where another row of its line has the same label. */
function nameRow({ kind, label, facts }: Receipt, { name, rows }: NameRowOptions): string {
  const isClear = rows.filter((row) => row.label === label).length === 1;
  const named = clip(name(label), LABEL_CHARACTERS);
  const shown = kind === "deleted" && isClear ? "" : name(facts);
  return shown === "" ? named : `${named} (${clip(shown, LABEL_CHARACTERS)})`;
}

/** Says that nothing was stored, or not yet where a question waits. */
export function createNothing({ isWaiting }: { readonly isWaiting: boolean }): Receipt {
  const reason = renderSentence(isWaiting ? "nothingChangedYet" : "nothingChanged");
  return createReceipt({ kind: "nothing", reason });
}

/** Says that nothing was taken back, and why. */
export function createNothingUndone(reason: string): Receipt {
  return createReceipt({
    kind: "nothing",
    reason: renderSentence("notUndone", { reason: addFullStop(reason) }),
  });
}

/** The parts of a reply. */
export interface ReplyParts extends Pick<Reply, "id" | "at" | "body" | "receipts"> {
  readonly registry: Pick<Registry, "entries">;
}

/** Puts a reply together: the receipts' lines stand first, as a paragraph of their own. Pure. */
export function composeReply({ registry, ...reply }: ReplyParts): Reply {
  const lines = renderReceipts(reply.receipts, registry);
  return { ...reply, text: [lines, reply.body].filter((part) => part !== "").join("\n\n") };
}
