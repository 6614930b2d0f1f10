import type { EntityType } from "../../../state/entity.ts";
import type { Json } from "../../../state/json.ts";
import type { Brief, MadeUpRow } from "../brief.ts";
import type { IntentKind } from "../intents.ts";
import { makeValue, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, talk, step, nameAll, pickColumn, resolve } from "./briefs.ts";
import type { TruthState } from "./truth-state.ts";

interface Question {
  readonly numbers: Numbers;
  /** The person's words for the rows. Default: their labels. */
  readonly words?: string;
  /** The row's number in the last list, where it is named by that. */
  readonly place?: number;
}

export function ask(
  truth: TruthState,
  things: readonly MadeUpRow[],
  { numbers, words = nameAll(things), place }: Question,
): IntentMeaning {
  const [first] = things;
  if (first === undefined) return talk();
  const column = pickColumn(first.type, numbers);
  const finding = truth.planFinding(things);
  return resolve(
    {
      message: `what is the ${column} of ${words}?`,
      ...finding,
      place: finding.references.length === 0 ? null : (place ?? null),
      goal: "Answer the question",
      reply: { kind: "values", things, column },
    },
    () => truth.mention(things),
  );
}

export function add(truth: TruthState, type: EntityType, numbers: Numbers): IntentMeaning {
  const { values, linked } = truth.makeRowValues(type, numbers);
  const label = type.label(values);
  return resolve(
    {
      message: `add ${label}`,
      references: linked,
      decision: "plan",
      steps: [step(type, { kind: "create", values }, linked)],
      goal: "Add something",
      reply: { kind: "stored" },
    },
    truth.recordWrite(() => {
      truth.mention(linked);
      truth.addRow(type, { values, saved: true });
    }),
  );
}

export function change(truth: TruthState, thing: MadeUpRow, numbers: Numbers): IntentMeaning {
  const column = pickColumn(thing.type, numbers);
  const kind = thing.type.columns.find(({ name }) => name === column);
  if (kind === undefined) return talk();
  return update(truth, thing, column, makeValue(kind, numbers));
}

export function rename(truth: TruthState, thing: MadeUpRow, numbers: Numbers): IntentMeaning {
  return update(truth, thing, "name", truth.world.makeLabel(numbers));
}

function update(truth: TruthState, thing: MadeUpRow, column: string, value: Json): IntentMeaning {
  const isSame = toText(thing.values[column]) === toText(value);
  if (isSame) return talk();
  const finding = truth.planFinding([thing]);
  const work = { kind: "update", column, value } as const;
  const brief: Partial<Brief> = {
    message: `set the ${column} of ${thing.label} to "${toText(value)}"`,
    ...finding,
    decision: "plan",
    steps: [...finding.steps, step(thing.type, work, [thing])],
    goal: "Change something",
    reply: { kind: "stored" },
  };
  const commit = truth.recordWrite(() => truth.setValue(thing, column, value));
  if (takesOut(thing.values[column], value)) {
    truth.pending = { kind: "confirmation", turn: truth.turn, commit };
    return resolve(brief, () => truth.mention([thing]));
  }
  return resolve(brief, () => {
    truth.mention([thing]);
    commit();
  });
}

/** Returns true where a list loses a text: the message does not name it, so it is asked about. */
function takesOut(before: Json | undefined, after: Json): boolean {
  const left = new Set(Array.isArray(after) ? after : []);
  return Array.isArray(before) && before.some((text) => !left.has(text));
}

export function remove(truth: TruthState, things: readonly MadeUpRow[]): IntentMeaning {
  const [first] = things;
  if (first === undefined) return talk();
  const finding = truth.planFinding(things);
  const doomed =
    finding.steps.length > 0 ? [first] : things.filter((one) => one.type === first.type);
  const brief: Partial<Brief> = {
    message: `delete ${nameAll(doomed)}`,
    ...finding,
    references: finding.steps.length > 0 ? [] : doomed,
    decision: "plan",
    steps: [...finding.steps, step(first.type, { kind: "delete" }, doomed)],
    goal: "Delete something",
    reply: { kind: "stored" },
  };
  const commit = truth.recordWrite(() => {
    for (const thing of doomed) truth.removeRow(thing);
    truth.markSeen(doomed);
  });
  if (doomed.length > 3 || doomed.some((thing) => truth.hasPointers(thing))) {
    truth.pending = { kind: "confirmation", turn: truth.turn, commit };
    return resolve(brief, () => truth.mention(doomed));
  }
  return resolve(brief, () => {
    truth.mention(doomed);
    commit();
  });
}

interface AddedRow {
  readonly type: EntityType;
  readonly numbers: Numbers;
}

/** Changes a row and adds one in the same turn. */
export function changeTwice(
  truth: TruthState,
  thing: MadeUpRow,
  { type, numbers }: AddedRow,
): IntentMeaning {
  const { pending } = truth;
  const [first, second] = [change(truth, thing, numbers), add(truth, type, numbers)];
  const isAsked = truth.pending !== pending;
  truth.pending = pending;
  const [update] = first.brief.steps;
  const [create] = second.brief.steps;
  const isWhole = first.brief.references.length > 0 && update !== undefined;
  // A change that is asked about beside one that is stored is played nowhere.
  if (isAsked || !isWhole || create === undefined) return talk();
  return {
    brief: {
      ...second.brief,
      message: `${first.brief.message}, and ${second.brief.message}`,
      references: [...first.brief.references, ...second.brief.references],
      steps: [update, create],
    },
    commit: truth.recordWrite(() => {
      const linked = second.brief.references;
      truth.mention([thing, ...linked]);
      if (update.work.kind === "update")
        truth.setValue(thing, update.work.column, update.work.value);
      if (create.work.kind === "create")
        truth.addRow(type, { values: create.work.values, saved: true });
    }),
  };
}

interface OutsideChange {
  readonly kind: IntentKind;
  readonly numbers: Numbers;
}

/** Something else changes a row before the message, which is about nothing of the kind. */
export function changeOutside(
  truth: TruthState,
  thing: MadeUpRow,
  { kind, numbers }: OutsideChange,
): IntentMeaning {
  const isKnown = truth.isKnown(thing);
  const before = thing.label;
  const column = kind === "outside-rename" ? "name" : pickColumn(thing.type, numbers);
  const found = thing.type.columns.find(({ name }) => name === column);
  if (kind === "outside-delete") {
    truth.world.changeOutside(thing.type, before, null);
    truth.removeRow(thing);
    truth.closeEmptyChoices();
  } else {
    const value =
      column === "name" || found === undefined
        ? truth.world.makeLabel(numbers)
        : makeValue(found, numbers);
    if (toText(value) === toText(thing.values[column])) return talk();
    truth.world.changeOutside(thing.type, before, { [column]: value });
    truth.setValue(thing, column, value);
  }
  // What has been changed since cannot simply be taken back.
  truth.hasOutside = true;
  // A value that no line shows is loaded with its row, and not reported where the row is not held.
  const isShown =
    kind === "outside-delete" || column === "name" || thing.type.summary.includes(column);
  const outside = isKnown && isShown ? (kind === "outside-delete" ? before : thing.label) : null;
  return resolve({ outside });
}
