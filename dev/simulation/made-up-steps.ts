import {
  collectReceipts,
  CONCIERGE_SILENT,
  CONFIRMATION_DROPPED,
  CURATION_NOT_DONE,
  MESSAGE_SHORTENED,
  UNCALLED_YES,
  WISH_UNCLEAR,
  WRITE_REPLANNED,
} from "../../nodes/reply/collect-receipts.ts";
import { UNDO_TOOL } from "../../domain/define-domain.ts";
import { composeReply } from "../../registry/receipts.ts";
import type { Domain } from "../../state/domain.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import type { CallResult, Effect, StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { makeWord } from "./made-up-domain.ts";
import type { ReceiptTurn } from "./judge-receipts.ts";
import { Numbers } from "./numbers.ts";

/** Returns a turn with further steps and changes, such as a domain of tables alone never sees, and its receipts. */
export function addMadeUpSteps(
  turn: ReceiptTurn,
  domain: Pick<Domain, "entityTypes">,
): ReceiptTurn {
  const { state, workingSet } = turn;
  const numbers = new Numbers(state.turn * 77 + turn.registry.entries.length);
  const { plan } = state;
  if (plan === null) return turn;
  const twins = makeTwins(turn.registry.entries, domain);
  const registry = { ...turn.registry, entries: [...turn.registry.entries, ...twins] };
  // Where nothing else is changed, what was asked for and not done has a line of its own.
  const isQuiet = numbers.below(3) === 0;
  const effects = isQuiet ? [] : makeEffects(registry.entries.slice(-8), numbers);
  const updates = new Map([
    ...turn.updates,
    ...effects.map(({ ref, change, facts }) => [ref, change ?? facts] as const),
  ]);
  const made: TurnState = {
    ...state,
    ...makeSteps({ ...state, plan }, { registry, domain, numbers, isQuiet }),
    ...makeNews(numbers),
    effects: isQuiet ? [] : [...state.effects, ...effects],
    understanding: isQuiet ? state.understanding : makeUndone(state.understanding, numbers),
    wishChanges: [...state.wishChanges, ...makeWishChanges(numbers)],
    notices: [...state.notices, ...makeNotices(numbers)],
  };
  return composeTurn(made, { registry, workingSet, updates }, domain);
}

/** Returns a turn that was to take changes back and did not, for some reason or for none, and its receipts. */
export function refuseUndo(turn: ReceiptTurn, domain: Pick<Domain, "entityTypes">): ReceiptTurn {
  const { state, registry } = turn;
  const { plan, understanding } = state;
  if (plan === null || understanding === null) return turn;
  const numbers = new Numbers(state.turn * 13 + registry.entries.length);
  const { undoneWishes: _undone, ...understood } = understanding;
  const calls = Array.from({ length: numbers.below(4) }, (_, at) =>
    Object.assign(makeCall(numbers, null), { ok: at > 1 }),
  );
  const made: TurnState = {
    ...state,
    understanding: understood,
    plan: { ...plan, origin: "undo", failure: null },
    stepResults: [silence({ ...makeResult(0, numbers, null), calls, artifacts: [] })],
    effects: [],
    wishChanges: [],
    notices: [],
    pendingCalls: [],
    planNews: null,
    journeyNews: null,
  };
  return composeTurn(made, turn, domain);
}

function composeTurn(
  state: TurnState,
  { registry, workingSet, updates }: Omit<ReceiptTurn, "state">,
  domain: Pick<Domain, "entityTypes">,
): ReceiptTurn {
  // What is made up has nothing to do with the message.
  const receipts = collectReceipts({ ...state, input: null }, { registry, workingSet, domain });
  const timeZone = state.run?.timeZone ?? "UTC";
  const reply = composeReply({ id: "made", at: "", body: "Here.", receipts, registry, timeZone });
  return { state: { ...state, replies: [reply] }, registry, workingSet, updates };
}

/** Entries with the labels of others: of the same type and of another one, and a draft. */
function makeTwins(
  entries: readonly RegistryEntry[],
  { entityTypes }: Pick<Domain, "entityTypes">,
): readonly RegistryEntry[] {
  return entries.slice(-3).flatMap((entry, at): RegistryEntry[] => {
    const other = entityTypes.find(({ type }) => type !== entry.type)?.type ?? entry.type;
    return [
      {
        ...entry,
        ref: `twin_${at + 1}`,
        id: `twin-${at + 1}`,
        facts: `size ${at}`,
        action: "read",
      },
      { ...entry, ref: `other_${at + 1}`, id: `other-${at + 1}`, type: other },
      { ...entry, ref: `gen_twin_${at + 1}`, id: null, label: `Draft ${at}`, action: "generated" },
    ];
  });
}

/** Changes of rows, some of them more than once. */
function makeEffects(entries: readonly RegistryEntry[], numbers: Numbers): readonly Effect[] {
  return entries.flatMap(({ ref, type, label, facts, id }, at) => {
    if (id === null || numbers.below(2) === 0) return [];
    const actions = numbers.pick<readonly Effect["action"][]>([
      ["created"],
      ["updated"],
      ["deleted"],
      ["created", "updated"],
      ["updated", "updated"],
      ["created", "deleted"],
      ["updated", "deleted"],
      ["deleted", "created"],
    ]);
    return actions.map((action, place) => ({
      effectId: 200 + at * 2 + place,
      action,
      ref,
      type,
      table: "",
      label,
      facts: numbers.pick([facts, "", `see ${ref} of 5eed0000-0000-4000-9000-999999999999`]),
      change: action === "updated" && numbers.below(3) > 0 ? `size: ${place} → ${place + 1}` : null,
      step: 0,
    }));
  });
}

interface StepContext {
  readonly registry: Registry;
  readonly domain: Pick<Domain, "entityTypes">;
  readonly numbers: Numbers;
  /** True where no step changes anything. */
  readonly isQuiet: boolean;
}

/** Steps that ended in every way, and calls of services that were cut off. */
function makeSteps(
  { plan, stepResults }: Pick<TurnState, "stepResults"> & { readonly plan: Plan },
  { registry, domain, numbers, isQuiet }: StepContext,
): Pick<TurnState, "plan" | "stepResults" | "pendingCalls" | "confirmed"> {
  const first = plan.steps.length;
  const [type] = domain.entityTypes;
  const results = Array.from({ length: 1 + numbers.below(3) }, (_, index) =>
    makeResult(first + index, numbers, registry.entries.at(-1)?.ref ?? null),
  );
  const steps = results.map(({ step }) => ({
    subdomain: "",
    group: step,
    refs: [],
    description: makeWord(numbers),
    stepType: numbers.below(3) === 0 ? ("read" as const) : ("write" as const),
    writes:
      numbers.below(2) === 0
        ? []
        : [{ action: "create" as const, type: type?.type ?? "", refs: [] }],
  }));
  const tool = makeTool(numbers);
  const other = makeTool(numbers);
  const pending = { tool, step: 0, call: 1, callId: "", args: {}, argsError: null, effectKey: "" };
  const call = { tool, args: {}, step: { description: "", subdomain: "" } };
  const unconfirmed = { ...call, changesHash: "", changes: [], rules: [], wording: "" };
  const isStopped = !isQuiet && numbers.below(3) === 0;
  const misfits = [first, first, first + 1].flatMap((step) =>
    numbers.below(2) === 0 ? [] : [{ step, reason: numbers.pick(["no such row", "too big"]) }],
  );
  return {
    plan: {
      ...plan,
      decision: numbers.below(6) === 0 ? plan.decision : "plan",
      origin: numbers.pick([plan.origin, "think", "confirmation", "undo"]),
      steps: [...plan.steps, ...steps],
      misfits,
      failure: numbers.below(6) === 0 ? "no answer" : plan.failure,
    },
    stepResults: isQuiet ? results.map(silence) : [...stepResults, ...results],
    pendingCalls: [pending, { ...pending, tool: other }, { ...pending, tool: makeTool(numbers) }],
    // A call of the program's own, which nothing cuts off half-way, has a list of its changes.
    confirmed: isStopped
      ? { calls: [unconfirmed, { ...unconfirmed, tool: other, changes: [A_CHANGE] }] }
      : null,
  };
}

const A_CHANGE = {
  action: "create",
  type: "",
  ref: null,
  label: "Velmor",
  version: null,
  follows: false,
} as const;

/** News that the concierge's lane has left. */
function makeNews(
  numbers: Numbers,
): Pick<TurnState, "planNews" | "journeyNews" | "passedOnReply" | "lanesServed"> {
  const isOften = (): boolean => numbers.below(3) > 0;
  const report = numbers.pick(["", `The plan has ${makeWord(numbers)}.`]);
  return {
    planNews: isOften() ? null : { report, isChanged: numbers.below(2) === 0 },
    journeyNews: isOften() ? null : { text: "", isReply: numbers.below(3) > 0 },
    passedOnReply: isOften() ? null : { text: "Here." },
    lanesServed: isOften() ? ["task"] : ["task", "concierge"],
  };
}

/** The understanding of a turn that takes wishes back, among others. */
function makeUndone(
  understanding: TurnState["understanding"],
  numbers: Numbers,
): TurnState["understanding"] {
  if (understanding === null || numbers.below(4) > 0) return understanding;
  const draw = (): Constraint[] =>
    WISHES.filter(() => numbers.below(2) === 0).map((text) => makeConstraint(text));
  return { ...understanding, undoneWishes: { before: draw(), after: draw() } };
}

const WISHES = ["no cod", "fewer eggs", "3 dinners"] as const;

function makeConstraint(text: string): Constraint {
  return { text, kind: "soft", count: null, until: null, scope: "person", turn: 1 };
}

function makeWishChanges(numbers: Numbers): TurnState["wishChanges"] {
  return WISHES.filter(() => numbers.below(4) === 0).map((text) => ({
    wish: makeConstraint(text),
    isWithdrawn: numbers.below(2) === 0,
  }));
}

/** Notices of which each has a receipt, and one that has none. */
function makeNotices(numbers: Numbers): TurnState["notices"] {
  const codes = [
    CONFIRMATION_DROPPED,
    UNCALLED_YES,
    CURATION_NOT_DONE,
    WISH_UNCLEAR,
    MESSAGE_SHORTENED,
    WRITE_REPLANNED,
    CONCIERGE_SILENT,
    "other",
  ];
  return codes
    .filter(() => numbers.below(4) === 0)
    .map((code) => ({ node: "understand", code, text: `About ${makeWord(numbers)}.` }));
}

function makeTool(numbers: Numbers): string {
  return `call_${makeWord(numbers)}`;
}

function makeResult(step: number, numbers: Numbers, ref: string | null): StepResult {
  const calls = Array.from({ length: numbers.below(3) }, () => makeCall(numbers, ref));
  return {
    step,
    status: numbers.pick(["done", "partial", "failed", "blocked", "asked", "skipped"]),
    outcome: `Not ${makeWord(numbers)}`,
    note: null,
    refs: [],
    artifacts: numbers.below(2) === 0 ? [] : ["gen_twin_1", "twin_2", "gen_twin_3"],
    question: null,
    breaches: [],
    blocked: null,
    calls,
    unconfirmed: [],
    rounds: 1,
    notStarted: numbers.below(3) === 0 ? [makeWord(numbers), makeWord(numbers)] : [],
    warnings: Array.from({ length: numbers.below(3) }, () => numbers.pick(["low", "high"])),
    repairs: [],
  };
}

/** The result with calls that have changed nothing, as far as anybody knows. */
function silence(result: StepResult): StepResult {
  const calls = result.calls.map((call) =>
    Object.assign({}, call, { undescribed: null, outside: null }),
  );
  return { ...result, calls };
}

function makeCall(numbers: Numbers, ref: string | null): CallResult {
  const tool = numbers.below(9) === 0 ? UNDO_TOOL : makeTool(numbers);
  const isOk = numbers.below(2) === 0;
  const answer = numbers.pick([null, `done  for ${ref} (2026-03-04T10:00:00.000Z)`]);
  const failure = {
    label: makeWord(numbers),
    ref: null,
    reason: numbers.pick([
      "too late",
      `at ${ref} since 2026-03-04T10:00:00+00:00`,
      "far too late ".repeat(99),
    ]),
  };
  return {
    call: 1,
    callId: "",
    tool,
    table: "",
    args: {},
    effect: numbers.pick(["write", "read"]),
    ok: isOk,
    text: "",
    summary: `Refused ${makeWord(numbers)}`,
    refs: [],
    count: 0,
    suppressed: false,
    undescribed: numbers.below(3) === 0 ? { rows: 1 + numbers.below(3), effectId: 90 } : null,
    failures: isOk ? [] : [{ ...failure, reason: "full" }, failure],
    outside: numbers.below(2) === 0 ? { answer } : null,
    breaches: [],
  };
}
