import { foldRegistry } from "../../registry/apply-event.ts";
import { computeWorkingSet, type WorkingSet } from "../../registry/working-set.ts";
import { viewEntities, type PromptContext } from "../../prompts/view.ts";
import type { Manifest } from "../../state/envelope.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import { renderSentence } from "../../text/sentences.ts";
import { toText } from "./made-up-domain.ts";
import { Shown } from "./shown.ts";
import { SMALL_TALK, type Brief, type MadeUpRow } from "./brief.ts";
import type { UsedFacts } from "./oracle.ts";
import type { RawRow, Table } from "./memory-tables.ts";
import type { Truth } from "./truth/truth.ts";
import { isLeft, type ChoiceTruth } from "./truth/truth-state.ts";
import { isUndo, netEffects, judgeReceipts } from "./judge-receipts.ts";
import { addMadeUpSteps, refuseUndo } from "./made-up-steps.ts";
import { expectUnnamed, expectUpdates, writeDay } from "./judge-updates.ts";
import { judgeEntries, judgeTurnEnd } from "./judge-registry.ts";
import { fitWishes } from "../../registry/fit-wishes.ts";
import { judgeMadeUp } from "./judge-made-up.ts";
import { expectMerge } from "./judge-wishes.ts";
import { writeMoments } from "./expected-words.ts";
import { judgeClaims, judgeWords } from "./judge-words.ts";
import { writeWish } from "./expected-sections.ts";
import { judgePrompts, type Prompted } from "./judge-prompts.ts";
import { compare, compareValues, violation, type Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** Everything of a turn that is judged. */
export interface PlayedTurn {
  readonly brief: Brief;
  readonly used: UsedFacts | null;
  readonly state: TurnState;
  /** The state after the reply, before the turn's end. */
  readonly replied: TurnState;
  /** The registry before the turn, and what has happened to it. */
  readonly before: Registry;
  readonly events: readonly RegistryEvent[];
  /** The requests to models, with the states that they were made from. */
  readonly prompted: readonly Prompted[];
  /** The parts of the prompts. */
  readonly manifests: readonly Manifest[];
  readonly context: PromptContext;
  /** The rows before the turn and after it. */
  readonly rows: readonly [before: ReadonlyMap<string, RawRow>, after: ReadonlyMap<string, RawRow>];
}

/**
 * The promises that are judged: all of them; those that do not depend on how a prompt looks; or those
 * that a real model must keep, which answers in words of its own.
 */
export type JudgedScope = "everything" | "needs" | "outcome";

interface Judgement {
  readonly world: World;
  /** Null where models lie: what holds whatever they say is judged then. */
  readonly truth: Truth | null;
  readonly scope: JudgedScope;
}

/** Returns the promises that a turn has broken. */
export function judgeTurn(turn: PlayedTurn, { world, truth, scope }: Judgement): Violation[] {
  const view = viewTurn(turn.state);
  const judged = { turn, view, world };
  return [
    ...(truth === null ? [] : judgeOutcome(truth, judged)),
    ...(truth === null || scope === "outcome" ? [] : judgeAgainst(truth, judged)),
    ...(truth !== null && scope === "outcome" ? judgeAnswer(truth, turn) : []),
    ...judgeEffects(turn),
    ...judgeStored(turn),
    ...judgeGuards(turn),
    ...judgeForgotten(turn),
    ...judgeShown(turn, view),
    ...(truth === null ? [] : judgePlan(turn)),
    ...(truth === null ? [] : judgeProposal(turn, truth)),
    ...(truth === null ? [] : judgeReads(turn)),
    ...(scope === "everything" ? judgePrompts(turn.prompted, turn.context) : []),
    ...judgeWords(turn.state, turn.context.domain.entityTypes),
    ...judgeClaims(turn.replied, turn.state),
    ...judgeManifests(turn.manifests),
    ...judgeRegistry(turn),
    ...judgeMerge(turn),
  ];
}

/** 9: every part of a prompt has a name of its own and says where it is from. */
function judgeManifests(manifests: readonly Manifest[]): Violation[] {
  return manifests.flatMap(({ node, sections }) => {
    const kinds = sections.map(({ role, kind }) => `${role} ${kind}`);
    const nameless = sections
      .filter(({ kind, source }) => kind === "" || source === "")
      .map(({ kind, source }) => `"${kind}" from "${source}"`);
    return [
      ...compare(`9 manifest of ${node}, kinds`, [...new Set(kinds)].join(), kinds.join()),
      ...compare(`9 manifest of ${node}, names`, "", nameless.join()),
    ];
  });
}

/** 4: the turn's receipts are right, and would be, had there been steps of other kinds as well. */
function judgeStored({ replied, rows, context: { domain } }: PlayedTurn): Violation[] {
  const view = viewEntities(replied, domain);
  const { entityTypes: types } = domain;
  const timeZone = replied.run?.timeZone ?? "UTC";
  // What was taken back stands there as it was: its receipt says no values.
  const updates = isUndo(replied)
    ? new Map(replied.effects.map(({ ref, facts }) => [ref, facts]))
    : expectUpdates(view.registry, { rows, types, timeZone });
  const unnamed = expectUnnamed(
    view.registry,
    { rows, types, timeZone },
    replied.input?.text ?? "",
  );
  const turn = { state: replied, ...view, updates, unnamed };
  return [
    ...judgeReceipts(turn, domain.entityTypes),
    ...judgeReceipts(addMadeUpSteps(turn, domain), domain.entityTypes),
    ...judgeReceipts(refuseUndo(turn, domain), domain.entityTypes),
  ];
}

/** Returns the working set at the end of a turn. */
export function viewTurn({ registry, turn, understanding }: TurnState): WorkingSet {
  return computeWorkingSet({ registry, events: [], turn, understanding });
}

/** 2, 3: the working set and the rows are the truth's, and so is what the reply has used. */
interface JudgedTurn {
  readonly turn: PlayedTurn;
  readonly view: WorkingSet;
  readonly world: World;
}

function judgeAgainst(truth: Truth, { turn, view }: JudgedTurn): Violation[] {
  const choices = truth.choices
    .toReversed()
    .map(({ type, things, opened, touched, ...rest }) =>
      describeChoice({ ...rest, type: type.type, left: things.filter(isLeft), opened, touched }),
    );
  const found = view.choices.map(({ openedTurn, touchedTurn, ...choice }) =>
    describeChoice({ ...choice, opened: openedTurn, touched: touchedTurn }),
  );
  return [
    ...compare("2 choices", choices.join(" / "), found.join(" / ")),
    ...compare(
      "2 listed",
      labels(truth.listed.filter(isLeft)),
      labels(view.listed.filter(({ excluded }) => excluded === null)),
    ),
    ...compare("2 drafts", labels(truth.drafts), labels(view.drafts)),
    ...judgeUsedFacts(truth, turn),
    ...judgeWishes(truth, turn),
    ...judgeOutside(turn),
    ...judgePhase(truth, turn),
  ];
}

/** 2, 3: what is left out and what is stored is what was asked for. */
function judgeOutcome(truth: Truth, { view, world }: JudgedTurn): Violation[] {
  const out = truth.things.filter(({ excluded, gone }) => excluded !== null && !gone);
  const seenOut = [...view.choices.flatMap(({ excluded }) => excluded), ...view.excludedElsewhere];
  return [
    ...compare(
      "2 excluded",
      sortedLabels(out),
      sortedLabels([...new Map(seenOut.map((item) => [item.ref, item])).values()]),
    ),
    ...truth.types.flatMap((type) =>
      compare("3 rows", showTable(truth.stored(type)), showTable(world.tables.readTable(type))),
    ),
  ];
}

/** 2: a reply in any words names what was asked for. */
function judgeAnswer(truth: Truth, { brief: { reply }, state }: PlayedTurn): Violation[] {
  const text = state.replies.map((one) => one.text).join("\n");
  const timeZone = state.run?.timeZone ?? "UTC";
  const missing = listAsked(truth, reply)
    .map((word) => writeMoments(word, timeZone))
    .filter((word) => word !== "" && !text.includes(word));
  return missing.length === 0 ? [] : [violation("2 answer", missing.join(", "), text)];
}

function listAsked(truth: Truth, reply: Brief["reply"]): readonly string[] {
  switch (reply.kind) {
    case "left":
      return truth.focus === undefined ? [] : listLabels(truth.left(truth.focus));
    case "rows":
      return listLabels(truth.rows(reply.type));
    case "values":
      return reply.things.map(({ values }) => toText(values[reply.column]));
    case "why":
      return [reply.thing.excluded?.reason ?? ""];
    case "out":
      return listLabels(reply.things);
    case "said":
      return [reply.words];
    case "drafts":
      return listLabels(reply.things);
    case "stored":
    case "talk":
      return [];
  }
  return reply satisfies never;
}

function judgeUsedFacts(truth: Truth, { used, brief, state }: PlayedTurn): Violation[] {
  const { reply } = brief;
  const text = state.replies.map((one) => one.text).join("\n");
  const focus = truth.focus === undefined ? [] : truth.left(truth.focus);
  if (used === null) {
    const isByCode = reply.kind === "rows" || reply.kind === "stored" || reply.kind === "talk";
    return isByCode ? [] : [violation("2 reply", `a reply about ${reply.kind}`, text)];
  }
  switch (reply.kind) {
    case "left":
      return [
        ...compare("2 left", labels(focus), used.labels.join(", ")),
        ...compare("2 count", String(focus.length), String(used.count)),
      ];
    case "rows":
      return compare("2 rows", labels(truth.rows(reply.type)), used.labels.join(", "));
    case "values": {
      const values = reply.things.map(({ values: own }) => toText(own[reply.column]));
      return compare("2 values", values.join(" / "), used.values.join(" / "));
    }
    case "why": {
      const { excluded } = reply.thing;
      return compare("2 why", `${excluded?.reason} (turn ${excluded?.turn})`, used.values.join());
    }
    case "out":
      return compare(
        "2 left out",
        sortedLabels(reply.things),
        [...used.labels].toSorted().join(", "),
      );
    case "said":
      return compare("2 said", reply.words, used.labels.join());
    case "drafts":
      return reply.things
        .filter(({ label }) => !used.labels.includes(label))
        .map(({ label }) => violation("2 draft", label, used.labels.join(", ")));
    case "stored":
    case "talk":
      return [];
  }
  return reply satisfies never;
}

/** 2: every prompt that plans, acts or speaks shows the wishes that hold, and no other. */
function judgeWishes({ wishes }: Truth, { prompted }: PlayedTurn): Violation[] {
  const expected = wishes.map(writeWish).toSorted().join("\n");
  return prompted
    .map(({ request }) => request)
    .filter(({ role }) => role === "think" || role === "act" || role === "reply")
    .flatMap((request) => {
      const shown = new Shown(request).section(HEADINGS.wishes).trim().split("\n");
      return compare(`2 wishes of ${request.role}`, expected, shown.toSorted().join("\n"));
    });
}

/** 2: what was changed outside the conversation is shown before anything is planned or said. */
function judgeOutside({ brief: { outside }, prompted }: PlayedTurn): Violation[] {
  if (outside === null) return [];
  return prompted
    .map(({ request }) => request)
    .filter(({ role }) => role === "understand" || role === "think" || role === "reply")
    .filter((request) => !new Shown(request).section(HEADINGS.outside).includes(outside))
    .map(({ role }) => violation(`2 outside in ${role}`, outside, "nothing of it"));
}

/** 11: the phase of the conversation follows from the turn, and small talk is not answered with options. */
function judgePhase(truth: Truth, { brief, state, prompted }: PlayedTurn): Violation[] {
  const previous = state.turnExecutionSummaries.at(-2);
  const found = state.turnExecutionSummaries.at(-1)?.conversationPhase ?? "";
  const isTalk =
    brief.reply.kind === "talk" && brief.answers === null && brief.decision === "answer";
  const flow = prompted.filter(({ request }) => isTalk && request.role === "reply");
  return [
    ...compare("11 phase", expectPhase(truth, { brief, state, previous }), found),
    ...flow
      .map(({ request }) => new Shown(request).section(HEADINGS.conversationFlow))
      .filter((text) => /options? to present/u.test(text))
      .map((text) => violation("11 small talk", "no options", text)),
  ];
}

interface PhaseFacts extends Pick<PlayedTurn, "brief" | "state"> {
  readonly previous: TurnExecutionSummary | undefined;
}

function expectPhase(truth: Truth, { brief, state, previous }: PhaseFacts): string {
  const works = brief.steps.map(({ work }) => work.kind);
  const does = (...kinds: readonly string[]): boolean => works.some((kind) => kinds.includes(kind));
  const chosen = new Set(truth.choices.flatMap(({ things }) => things));
  if (state.effects.length > 0) return "executing";
  if (state.pending?.turn === truth.turn) return "confirming";
  if (brief.undo || does("create", "save", "update", "delete")) return "executing";
  if (brief.answers !== null || does("draft", "redraft")) return "confirming";
  if (brief.references.some(({ saved, excluded }) => !saved && excluded === null))
    return "confirming";
  if (brief.exclude.length + brief.restore.length > 0 || does("judge")) return "narrowing";
  if (brief.topic !== null || brief.references.some((one) => chosen.has(one))) return "narrowing";
  const isTalk = brief.message === SMALL_TALK.message || brief.message.startsWith("by the way, ");
  return isTalk && (previous?.effects.length ?? 0) > 0 ? "reflecting" : "exploring";
}

/** 3, 8: what is reported as changed is what has changed, in the turn and in its summary. */
function judgeEffects({ state, replied, context, rows }: PlayedTurn): Violation[] {
  const changes = listChanges(rows);
  const { registry } = viewEntities(replied, context.domain);
  const ids = new Map(registry.entries.map(({ ref, id, savedAs }) => [ref, id ?? savedAs]));
  const net = netEffects(state.effects).map(({ action, type, ref, label }) => {
    const row = action === "deleted" ? "" : ` ${label}`;
    return `${action} ${type} ${ids.get(ref)}${row}`;
  });
  const effects = state.effects.map(describeEffect);
  const summary = state.turnExecutionSummaries.at(-1);
  const kept = summary?.effects.map(describeEffect) ?? [];
  return [
    ...compare("3 effects", changes.toSorted().join(", "), net.toSorted().join(", ")),
    ...compare("8 summary", effects.join(", "), kept.join(", ")),
  ];
}

function describeEffect({ action, type, label }: TurnState["effects"][number]): string {
  return `${action} ${type} ${label}`;
}

function listChanges([before, after]: PlayedTurn["rows"]): string[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was?.text === is?.text) return [];
    const action = was === undefined ? "created" : is === undefined ? "deleted" : "updated";
    return [`${action} ${(is ?? was)?.type} ${id}${is === undefined ? "" : ` ${is.label}`}`];
  });
}

/**
 * 3: what was deleted was named, agreed to or taken back by the person; what was changed was asked for
 * as the message was read; and what a "yes" to a proposal stored was listed in it, or seen as a draft.
 */
function judgeGuards(turn: PlayedTurn): Violation[] {
  const { state, brief } = turn;
  const origin = state.plan?.origin;
  if (origin === "confirmation" || origin === "undo") return [];
  if (origin === "proposal") return judgeAgreed(turn);
  const { needs = null, answersPending = null, degraded = true } = state.understanding ?? {};
  const isAnswer = answersPending === "accept" || answersPending === "adjust";
  const isAsked = !degraded && (needs === "change" || isAnswer);
  if (!isAsked && state.effects.length > 0) {
    const found = state.effects.map(({ action, label }) => `${action} ${label}`).join();
    return [violation("3 unasked", "a question first", found)];
  }
  return state.effects
    .filter(({ action, label }) => action === "deleted" && !brief.message.includes(label))
    .map(({ label }) => violation("3 guard", "a question first", `deleted ${label}`));
}

/** 3: only where the reply lacks a row that the message orders does it say that nothing else was changed. */
function judgeForgotten({ replied, brief }: PlayedTurn): Violation[] {
  const ordered = brief.steps.flatMap(({ work, about }): string[] => {
    if (work.kind === "create") return [toText(work.values["name"])];
    return work.kind === "update" || work.kind === "delete" ? about.map(({ label }) => label) : [];
  });
  const text = replied.replies.map((reply) => reply.text).join("\n");
  const reasons = replied.replies.flatMap(({ receipts }) => receipts.map(({ reason }) => reason));
  const says = renderSentence("nothingElseChanged");
  return reasons.includes(says) && ordered.every((label) => text.includes(label))
    ? [violation("3 forgotten", "", says)]
    : [];
}

/** 3: a "yes" to a proposal stores the changes of its calls, deletes rows that it named, and saves drafts that were there. */
function judgeAgreed({ state, before }: PlayedTurn): Violation[] {
  const listed = new Set(
    (state.confirmed?.calls ?? []).flatMap(({ changes }) =>
      changes.map(({ action, type, ref, label }) => `${action}d ${type} ${ref ?? label}`),
    ),
  );
  const drafts = new Set(before.entries.filter(({ id }) => id === null).map(({ ref }) => ref));
  const named = new Set(
    (state.plan?.steps ?? []).flatMap(({ writes }) =>
      writes.filter(({ action }) => action === "delete").flatMap(({ refs }) => refs),
    ),
  );
  const deletes = state.effects.some(({ action, ref }) => action === "deleted" && named.has(ref));
  return state.effects
    .filter(({ action, type, ref, label }) => {
      if (listed.has(`${action} ${type} ${ref}`) || listed.has(`${action} ${type} ${label}`))
        return false;
      if (action === "created") return !drafts.has(ref);
      // Rows that pointed at a deleted one follow it.
      return action === "deleted" ? !named.has(ref) && !deletes : !deletes;
    })
    .map(({ action, label }) => violation("3 agreed", "a question first", `${action} ${label}`));
}

/** 4: a proposal whose calls are known names the values that it would change. */
function judgeProposal({ brief, state }: PlayedTurn, { givesCalls }: Truth): Violation[] {
  if (!givesCalls || brief.decision !== "propose") return [];
  const text = state.replies.map((reply) => reply.text).join("\n");
  return brief.steps.flatMap(({ work, about, type }) => {
    if (work.kind !== "update") return [];
    const kind = type.columns.find(({ name }) => name === work.column)?.kind;
    // A time is shown as it reads where the person is.
    const given = kind === "date" ? writeDay(toText(work.value)) : toText(work.value);
    const value = kind === "timestamp" ? "" : given || "none";
    const wanted = [...about.map(({ label }) => label), `${work.column}: `, `→ ${value}`];
    return wanted
      .filter((part) => !text.includes(part))
      .map((part) => violation("4 proposal", part, text));
  });
}

/** 5, 6: nothing that is excluded or gone is offered or listed, and options are of one type. */
function judgeShown({ state, brief }: PlayedTurn, view: WorkingSet): Violation[] {
  const { entries } = state.registry;
  const out = entries.filter(({ demotion, action }) => demotion !== null || action === "deleted");
  const live = new Set(entries.filter((entry) => !out.includes(entry)).map(({ label }) => label));
  const offered = new Set(view.choices.flatMap(({ left }) => left.map(({ ref }) => ref)));
  const mixed = view.choices.filter(({ type, left }) => left.some((item) => item.type !== type));
  const text = state.replies.map((reply) => reply.text).join("\n");
  const isList = brief.reply.kind === "rows" || brief.reply.kind === "left";
  const listed = out.filter(
    ({ label }) => isList && new RegExp(`^(?:-|\\d+\\.) ${label}`, "mu").test(text),
  );
  return [
    ...out
      .filter(({ ref }) => offered.has(ref))
      .map(({ label }) => violation("5 offered", "only what is left", label)),
    ...listed
      .filter(({ label }) => !live.has(label))
      .map(({ label }) => violation("5 listed", "only what is left", label)),
    ...mixed.map(({ id }) => violation("6 types", "one type", id)),
  ];
}

/** 5: a plan is about nothing that is excluded, unless the message names it, and nothing that is gone. */
function judgePlan({ before, state, brief }: PlayedTurn): Violation[] {
  const entries = new Map(before.entries.map((entry) => [entry.ref, entry]));
  // By "it" or "number 2" something may be named as well.
  const named = new Set([...brief.references, ...brief.exclude].map(({ label }) => label));
  const isNamed = (label: string): boolean => named.has(label) || brief.message.includes(label);
  const planned = state.plan?.steps.flatMap(({ refs }) => refs) ?? [];
  return planned
    .flatMap((ref) => entries.get(ref) ?? [])
    .filter(
      ({ action, demotion, label }) =>
        action === "deleted" || (demotion !== null && !isNamed(label)),
    )
    .map(({ label }) => violation("5 planned", "only what is left", label));
}

/** 10: nothing is read by plan that the prompt said need not be read. */
function judgeReads({ prompted, state }: PlayedTurn): Violation[] {
  const known = new Set(
    prompted
      .filter(({ request }) => request.role === "think")
      .flatMap(({ request }) => new Shown(request).refsNotToRead()),
  );
  const read = state.plan?.steps.filter(({ stepType }) => stepType === "read") ?? [];
  return read
    .flatMap(({ refs }) => refs.filter((ref) => known.has(ref)))
    .map((ref) => violation("10 read", "no read of what is shown", ref));
}

/** 2: the wishes of a turn are those before it with what the message adds, changes and ends. */
function judgeMerge({ prompted, replied, context: { limits } }: PlayedTurn): Violation[] {
  const before = prompted.find(({ request }) => request.role === "understand")?.state.constraints;
  const { understanding, turn, run } = replied;
  if (before === undefined || understanding === null) return [];
  const merge = { turn, today: run?.today ?? "", most: limits.constraints };
  const isBound = understanding.answersPending === null && understanding.undo === null;
  const message = isBound ? (replied.input?.text ?? "") : null;
  const holding = { constraints: before, today: merge.today, message };
  const { updates } = fitWishes(understanding.constraints, holding);
  const { constraints } = expectMerge(before, updates, merge);
  // Which wishes an undo takes back is the truth's to say.
  if (understanding.undoneWishes !== undefined) return [];
  return compareValues("2 wishes", constraints, replied.constraints);
}

/** 9, 12: the registry is what the events make of it, in two halves as well, and within its limits. */
function judgeRegistry({ before, events, state, context }: PlayedTurn): Violation[] {
  const { limits, domain } = context;
  const types = domain.entityTypes;
  const folded = foldRegistry(before, events, types);
  const half = Math.floor(events.length / 2);
  const stored: Registry = JSON.parse(
    JSON.stringify(foldRegistry(before, events.slice(0, half), types)),
  );
  const twice = foldRegistry(stored, events.slice(half), types);
  return [
    ...compareValues("12 halves", folded, twice),
    ...judgeEntries(folded, { before, events, types }),
    ...judgeTurnEnd({ folded, kept: state.registry, turn: state.turn, limits }),
    ...judgeMadeUp(folded, { turn: state.turn, types, countTokens: context.countTokens }),
  ];
}

interface DescribedChoice extends Pick<
  ChoiceTruth,
  "of" | "title" | "conclusion" | "opened" | "touched"
> {
  readonly type: string;
  readonly left: readonly { readonly label: string }[];
}

function describeChoice({ type, left, of, ...choice }: DescribedChoice): string {
  const { title, conclusion, opened, touched } = choice;
  const turns = `opened in ${opened}, touched in ${touched}`;
  return `${title} (${conclusion}): ${type} ${left.length} of ${of}, ${turns}: ${labels(left)}`;
}

function listLabels(things: readonly MadeUpRow[]): readonly string[] {
  return things.map(({ label }) => label);
}

function labels(items: readonly Pick<MadeUpRow, "label">[]): string {
  return items.map(({ label }) => label).join(", ");
}

function sortedLabels(items: readonly Pick<MadeUpRow, "label">[]): string {
  return items
    .map(({ label }) => label)
    .toSorted()
    .join(", ");
}

function showTable(table: Table): string {
  const rows = Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return rows
    .map(([label, values]) => `${label}: ${Object.values(values).map(toText).join(", ")}`)
    .join(" / ");
}
