import { wordMoments } from "../state/calendar.ts";
import { NAMED_ROWS, REASON_CHARACTERS } from "../state/change.ts";
import type { Receipt } from "../state/receipt.ts";
import type { Registry } from "../state/registry.ts";
import type { Effect } from "../state/step.ts";
import type { Reply } from "../state/turn.ts";
import { oneLine } from "../text/fence.ts";
import { nameInWords } from "../text/blot-machinery.ts";
import { joinItems } from "../text/join-list.ts";
import { addFullStop, renderSentence, type SentenceId } from "../text/sentences.ts";
import { blotIds, createIdHider } from "./hide-ids.ts";
import { replaceRefs } from "./replace-refs.ts";
import { clip } from "./shorten.ts";

type ReceiptKind = Receipt["kind"];

/** Longer labels and facts are clipped: a receipt is read at a glance. */
const LABEL_CHARACTERS = 120;

/** The facts of a new row have its values behind them, each cut by itself. */
const NEW_ROW_CHARACTERS = 4 * LABEL_CHARACTERS;

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

/**
 * Lists a receipt for each changed row, with what its changes come to: an updated row with its values
 * before and after, a new one with its facts and the values that nobody has named, a deleted one with its
 * facts. A row that was created and then changed is created, one that was created and deleted again is not
 * listed. In a turn that takes changes back, those that are back. Pure.
 */
export function listStored(
  effects: readonly Effect[],
  { isUndo }: { readonly isUndo: boolean },
): Receipt[] {
  const rows = Map.groupBy(effects, ({ type, ref }) => `${type} ${ref}`);
  return [...rows.values()].flatMap((changes) => {
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const action = netAction(first.action, last.action);
    if (action === null) return [];
    const { type, ref, label } = last;
    const facts = describeFacts(action, changes);
    return [
      createReceipt({
        kind: isUndo ? "undone" : action,
        type,
        ref,
        label,
        facts: isUndo ? renderSentence(UNDONE[action]) : facts,
        effect: `e${first.effectId}`,
      }),
    ];
  });
}

type Action = Effect["action"];

/** The facts of a row, what has become of its values, or both; an updated row's facts where nothing tells. */
function describeFacts(action: Action, changes: readonly Effect[]): string {
  const facts = oneLine(changes.at(-1)?.facts ?? "");
  const words = joinItems([...new Set(changes.flatMap(({ change }) => change ?? []))]);
  switch (action) {
    case "created":
      return [clip(facts, LABEL_CHARACTERS), words].filter((text) => text !== "").join("; ");
    case "updated":
      return words || facts;
    case "deleted":
      return facts;
    default:
      return action satisfies never;
  }
}

/** The action that a row's first and last change come to; null where they cancel out. */
function netAction(first: Action, last: Action): Action | null {
  if (first === "created") return last === "deleted" ? null : first;
  // A row that was deleted and is there again has changed.
  return last === "deleted" ? last : "updated";
}

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
  drafted: "receiptDrafted",
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
  "drafted",
] as const;

/** Parts that a person's texts are worded with. */
interface ReaderContext {
  readonly registry: Pick<Registry, "entries">;
  /** The person's, in which moments are worded. */
  readonly timeZone: string;
}

/**
 * Renders receipts as the lines that stand above a reply: one line a kind, at most six rows named,
 * no ref and no id, moments as they are where the person is. Empty where there is none. Pure.
 *
 * @example
 * const added = createReceipt({ kind: "created", label: "butter", facts: "4" });
 * renderReceipts([added], { registry: { entries: [] }, timeZone: "UTC" }); // "Added: butter (4)"
 */
export function renderReceipts(receipts: readonly Receipt[], reader: ReaderContext): string {
  const clean = createCleaner(reader);
  const name = createRowNamer(receipts, reader);
  const kinds = Map.groupBy(receipts, ({ kind }) => kind);
  const rows = ROW_KINDS.flatMap((kind) => {
    const own = kinds.get(kind) ?? [];
    const sentence = LINES[kind];
    return own.length === 0
      ? []
      : [renderSentence(sentence, { rows: nameRows(own, { clean, name }) })];
  });
  const answers = (kinds.get("answered") ?? []).map(({ label, reason }) =>
    renderSentence("outsideAnswer", { tool: clean(label), answer: clean(reason ?? "") }),
  );
  const sentences = SENTENCES.flatMap((kind) => kinds.get(kind) ?? []).map(({ kind, reason }) => {
    const sentence = clean(reason ?? "");
    // Every change of the plan is named: their number is limited.
    return kind === "plan" ? sentence : clip(sentence, REASON_CHARACTERS);
  });
  return [...rows, ...answers, ...sentences].join("\n");
}

/** The kinds that are a sentence of their own, in the order of the lines. */
const SENTENCES = ["nothing", "plan", "curated", "warning", "notRead", "dropped"] as const;

type NameRow = (receipt: Receipt) => string;

/**
 * Makes the function that names a row. A label is the person's own and stays as it is; facts show
 * labels in place of refs, and no id. Where something else that is known has the same label, the type
 * or the facts tell them apart; a deleted row is named with its facts only there.
 */
function createRowNamer(receipts: readonly Receipt[], reader: ReaderContext): NameRow {
  const { registry, timeZone } = reader;
  const clean = createCleaner(reader);
  const known = registry.entries.filter(({ action }) => action !== "deleted");
  return ({ kind, type, ref, label, facts }) => {
    // Nobody takes a new row for one that was there before.
    const others = kind === "created" ? receipts : [...receipts, ...known];
    const alike = others.filter((other) => other.label === label && other.ref !== ref);
    const isOneOfSeveral = alike.some((other) => other.type === type);
    const word = alike.some((other) => other.type !== type) ? (type ?? "") : "";
    // What has changed of a row does not tell which of several it is.
    const own =
      kind === "updated" && isOneOfSeveral
        ? (known.find((entry) => entry.ref === ref)?.facts ?? "")
        : "";
    const shown = [
      nameInWords(word),
      own === facts ? "" : clean(own),
      kind === "deleted" && !isOneOfSeveral ? "" : clean(facts),
    ].filter((part) => part !== "");
    const named = clip(oneLine(wordMoments(label, timeZone)), LABEL_CHARACTERS);
    const longest = kind === "created" ? NEW_ROW_CHARACTERS : LABEL_CHARACTERS;
    return shown.length === 0 ? named : `${named} (${clip(shown.join("; "), longest)})`;
  };
}

/** Makes the function that gives a text without refs and ids, on one line. */
function createCleaner({ registry, timeZone }: ReaderContext): (text: string) => string {
  const hideIds = createIdHider(registry, []);
  return (text) => oneLine(wordMoments(blotIds(replaceRefs(hideIds(text), registry)), timeZone));
}

/** Names the rows; those that share a reason stand before it once. */
function nameRows(receipts: readonly Receipt[], { clean, name }: Wording): string {
  const shown = receipts.slice(0, NAMED_ROWS);
  const byReason = Map.groupBy(shown, ({ reason }) => reason);
  const groups = [...byReason].map(([reason, rows]) => {
    const labels = joinItems(rows.map(name));
    return reason === null ? labels : `${labels} (${clip(clean(reason), REASON_CHARACTERS)})`;
  });
  const labels = groups.join("; ");
  const count = receipts.length - shown.length;
  return count > 0 ? renderSentence("labelsAndMore", { labels, count }) : labels;
}

interface Wording {
  readonly clean: (text: string) => string;
  readonly name: NameRow;
}

/** Says that nothing was stored, or not yet where a question waits. */
export function createNothing({ isWaiting }: { readonly isWaiting: boolean }): Receipt {
  const reason = renderSentence(isWaiting ? "nothingChangedYet" : "nothingChanged");
  return createReceipt({ kind: "nothing", reason });
}

/** Says that no more was stored than other receipts name. */
export function createNothingElse(): Receipt {
  return createReceipt({ kind: "nothing", reason: renderSentence("nothingElseChanged") });
}

/** Says that nothing was taken back, and why. */
export function createNothingUndone(reason: string): Receipt {
  return createReceipt({
    kind: "nothing",
    reason: renderSentence("notUndone", { reason: addFullStop(reason) }),
  });
}

/** The parts of a reply. */
export interface ReplyParts extends ReaderContext, Pick<Reply, "id" | "at" | "body" | "receipts"> {}

/** Puts a reply together: the receipts' lines stand first, as a paragraph of their own. Pure. */
export function composeReply({ registry, timeZone, ...reply }: ReplyParts): Reply {
  const lines = renderReceipts(reply.receipts, { registry, timeZone });
  const body = wordMoments(reply.body, timeZone);
  return { ...reply, body, text: [lines, body].filter((part) => part !== "").join("\n\n") };
}
