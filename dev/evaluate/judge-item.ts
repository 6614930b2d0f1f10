import type { Json, JsonObject } from "../../state/json.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Brief } from "../simulation/brief.ts";
import type { JudgedMoment, WatchedMoment } from "../simulation/play.ts";
import type { Item, ItemFailure, JudgedNode, ReportedCall, VerdictTally } from "./report.ts";

/** The rows at one moment: each row's values as text, by type and label. */
export type RowTexts = ReadonlyMap<string, string>;

/** The rows that are true, and those that are stored, before a turn. */
export interface RowsBefore {
  readonly wanted: RowTexts;
  readonly stored: RowTexts;
}

/** Everything of a turn that an item is made from. */
export interface EndedItem {
  readonly end: JudgedMoment;
  readonly before: RowsBefore;
  readonly calls: readonly ReportedCall[];
}

/** Reads the rows that are true, and those that are stored. */
export function readJudgedRows({
  truth,
  world,
}: Pick<WatchedMoment, "truth" | "world">): RowsBefore {
  const collect = (
    read: (type: (typeof truth.types)[number]) => Readonly<Record<string, JsonObject>>,
  ) =>
    new Map(
      truth.types.flatMap((type) =>
        Object.entries(read(type)).map(([label, values]): [string, string] => [
          `${type.type} ${label}`,
          toSortedText(values),
        ]),
      ),
    );
  return {
    wanted: collect((type) => truth.stored(type)),
    stored: collect((type) => world.tables.readTable(type)),
  };
}

function toSortedText(values: JsonObject): string {
  const entries = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries satisfies readonly [string, Json][]);
}

/**
 * Judges one turn: the promises that a model has to keep, its nodes, and the figures of models.md §3.
 * Promises that only code can break are put down to `program` and make no turn wrong.
 */
export function judgeItem({ end, before, calls }: EndedItem): Omit<Item, "set" | "id"> {
  const { intent, message, brief, state, violations } = end;
  const after = readJudgedRows(end);
  const effects = tallyEffects(before, after);
  const refs = tallyRefs(brief, state);
  const needless = findNeedlessQuestion(end);
  const excludedNamed = countExcludedNamed(end);
  const nodes = judgeNodes(
    { end, effects, refs, isNeedless: needless !== null, excludedNamed },
    calls,
  );
  const failures = [
    ...violations
      .filter(({ invariant }) => invariant !== ROWS)
      .map(({ invariant, expected, found }): ItemFailure => ({
        node: NODES[invariant] ?? "program",
        promise: invariant,
        expected: shorten(expected),
        found: shorten(found),
      })),
    ...(isDone(effects) ? [] : [describeWrongRows(before, after, blame(nodes))]),
    ...(needless === null ? [] : [needless]),
  ];
  const repairs = state.notices.filter(({ code }) => code === "repair");
  const failed = state.notices.filter(({ code }) => isFailure(code));
  return {
    intent: intent.kind,
    message,
    right: failures.every(({ promise }) => !isModels(promise)) && failed.length === 0,
    failures,
    nodes,
    effects,
    refs,
    excludedNamed,
    needlessQuestions: needless === null ? 0 : 1,
    repairs: repairs.length,
    invalidFirst: new Set(
      [...repairs, ...failed.filter(({ code }) => code === "invalid")].map(({ node }) => node),
    ).size,
    fallbacks: failed.length,
    outcome: state.turnExecutionSummaries.at(-1)?.failure?.outcome ?? "answered",
    calls: [...calls],
  };
}

const NEEDLESS = "needless question";

/** The rows of a turn are judged by their changes: whole tables say too much. */
const ROWS = "3 rows";

/** The nodes that a model has to get a promise right in; promises that are not here are code's. */
const NODES: Readonly<Record<string, JudgedNode>> = {
  "1 prompt": "program",
  "2 excluded": "understand",
  "2 answer": "reply",
  "4 proposal": "think",
  "5 planned": "think",
  "5 offered": "understand",
  "5 listed": "reply",
  [NEEDLESS]: "understand",
};

function isModels(promise: string): boolean {
  return promise === ROWS || promise in NODES;
}

function blame(nodes: Item["nodes"]): JudgedNode {
  const asked = (["understand", "think", "act"] as const).find((node) => nodes[node] === false);
  return asked ?? "program";
}

/** Long texts say little more than their beginning. */
function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

function isFailure(code: string): boolean {
  return code === "invalid" || code === "gate" || code === "turn-time" || code.startsWith("model_");
}

function listChanges(before: RowTexts, after: RowTexts): ReadonlySet<string> {
  const keys = new Set([...before.keys(), ...after.keys()]);
  const changed = [...keys].filter((key) => before.get(key) !== after.get(key));
  return new Set(changed.map((key) => `${key} ${after.get(key) ?? "gone"}`));
}

function tallyEffects(before: RowsBefore, after: RowsBefore): VerdictTally {
  const wanted = listChanges(before.wanted, after.wanted);
  return tally(wanted, listChanges(before.stored, after.stored));
}

function isDone({ wanted, right, wrong }: VerdictTally): boolean {
  return right === wanted && wrong === 0;
}

function describeWrongRows(before: RowsBefore, after: RowsBefore, node: JudgedNode): ItemFailure {
  const wanted = listChanges(before.wanted, after.wanted);
  const done = listChanges(before.stored, after.stored);
  return {
    node,
    promise: ROWS,
    expected: listMissing(wanted, done),
    found: listMissing(done, wanted),
  };
}

function listMissing(changes: ReadonlySet<string>, others: ReadonlySet<string>): string {
  const missing = [...changes].filter((change) => !others.has(change)).join(" / ");
  return shorten(missing) || "no other change";
}

function tally(wanted: ReadonlySet<string>, done: ReadonlySet<string>): VerdictTally {
  const right = [...wanted].filter((each) => done.has(each)).length;
  return { wanted: wanted.size, right, wrong: done.size - right };
}

/** Rows that the message is about, against those that Understand has named. Wrong ones count only where some are wanted. */
function tallyRefs(
  { references, exclude, restore }: Brief,
  { understanding, registry }: TurnState,
): VerdictTally {
  const wanted = new Set([...references, ...exclude, ...restore].map(({ label }) => label));
  if (wanted.size === 0) return { wanted: 0, right: 0, wrong: 0 };
  const named = [
    ...(understanding?.references ?? []),
    ...(understanding?.curation.demote ?? []),
    ...(understanding?.curation.restore ?? []),
  ];
  const labels = named.map(
    ({ ref }) => registry.entries.find((entry) => entry.ref === ref)?.label ?? ref,
  );
  return tally(wanted, new Set(labels));
}

/** A question or a request to confirm that the reference model does not wait for. */
function findNeedlessQuestion({ brief, state, truth, turn }: JudgedMoment): ItemFailure | null {
  const { pending } = state;
  if (pending === null || pending.turn !== turn || truth.isPending) return null;
  if (pending.kind === "budget") return null;
  const node = pending.kind === "question" && state.plan === null ? "understand" : "think";
  const found = pending.kind === "confirmation" ? "a request to confirm" : pending.text;
  return { node, promise: NEEDLESS, expected: brief.decision, found: shorten(found) };
}

/** Labels of what was left out before this message, in a list of what is left. */
function countExcludedNamed({ brief, state, truth, turn }: JudgedMoment): number {
  if (brief.reply.kind !== "left" && brief.reply.kind !== "rows") return 0;
  const text = state.replies.map((reply) => reply.text).join("\n");
  const out = truth.things.filter(
    ({ excluded, gone }) => !gone && excluded !== null && excluded.turn < turn,
  );
  return out.filter(({ label }) => new RegExp(`${label}(?!\\d)`, "u").test(text)).length;
}

interface NodeFacts {
  readonly end: JudgedMoment;
  readonly effects: VerdictTally;
  readonly refs: VerdictTally;
  readonly isNeedless: boolean;
  readonly excludedNamed: number;
}

/** Judges each node that was asked by what it had to do, whatever the others made of it. */
function judgeNodes(facts: NodeFacts, calls: readonly ReportedCall[]): Item["nodes"] {
  const { end, effects, refs, isNeedless, excludedNamed } = facts;
  const { brief, state, violations } = end;
  const broken = new Set(violations.map(({ invariant }) => invariant));
  const failed = new Set(
    state.notices.filter(({ code }) => isFailure(code)).map(({ node }) => node),
  );
  const verdicts: Readonly<Record<string, boolean>> = {
    understand:
      refs.right === refs.wanted &&
      refs.wrong === 0 &&
      !broken.has("2 excluded") &&
      (state.understanding?.answersPending ?? null) === brief.answers &&
      !(isNeedless && state.plan === null),
    think: plansRight(brief, state) && !(isNeedless && state.plan !== null),
    act: isDone(effects),
    reply: !broken.has("2 answer") && !broken.has("5 listed") && excludedNamed === 0,
    summarize: true,
  };
  const asked = [...new Set(calls.map(({ role }) => role))];
  return Object.fromEntries(
    asked.map((role) => [role, verdicts[role] === true && !failed.has(role)]),
  );
}

/** Compares the kinds of changes that are planned with those that are wanted. */
function plansRight({ decision, steps }: Brief, { plan, pending, turn }: TurnState): boolean {
  if (decision === "propose") return pending?.kind === "proposal" && pending.turn === turn;
  const wanted = new Set(steps.flatMap(({ work, type }) => WRITES[work.kind]?.(type.type) ?? []));
  const planned = new Set(
    (plan?.steps ?? []).flatMap(({ writes }) =>
      writes.map(({ action, type }) => `${action} ${type}`),
    ),
  );
  return wanted.size === planned.size && [...wanted].every((write) => planned.has(write));
}

const WRITES: Readonly<Record<string, (type: string) => string>> = {
  create: (type) => `create ${type}`,
  save: (type) => `create ${type}`,
  update: (type) => `update ${type}`,
  delete: (type) => `delete ${type}`,
};
