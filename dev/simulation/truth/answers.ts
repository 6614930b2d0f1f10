import type { MadeUpRow } from "../brief.ts";
import { makeValue, makeWord, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, talk, step, pickColumn, resolve } from "./briefs.ts";
import { pickRow, type TruthState } from "./truth-state.ts";

export function offer(truth: TruthState, thing: MadeUpRow, numbers: Numbers): IntentMeaning {
  const column = pickColumn(thing.type, numbers);
  const kind = thing.type.columns.find(({ name }) => name === column);
  const value = kind === undefined ? null : makeValue(kind, numbers);
  if (toText(thing.values[column]) === toText(value)) return talk();
  const change = truth.recordWrite(() => truth.setValue(thing, column, value));
  truth.pending = { kind: "proposal", turn: truth.turn, commit: change };
  return resolve(
    {
      message: `is the ${column} of ${thing.label} right?`,
      references: [thing],
      decision: "propose",
      steps: [step(thing.type, { kind: "update", column, value }, [thing])],
      goal: "Change something",
    },
    () => truth.mention([thing]),
  );
}

export function accept(truth: TruthState): IntentMeaning {
  const pending = truth.pending;
  if (pending === null) return talk();
  truth.pending = null;
  return resolve(
    { message: "yes, do it", answers: "accept", reply: { kind: "stored" } },
    pending.commit,
  );
}

export function reject(truth: TruthState): IntentMeaning {
  truth.pending = null;
  return resolve({ message: "no, leave it", answers: "reject" });
}

export function undo(truth: TruthState): IntentMeaning {
  if (truth.hasOutside) return talk();
  return resolve({ message: "undo that", undo: true }, () => {
    const before = truth.undoable.pop();
    if (before === undefined) return;
    for (const thing of truth.things) {
      const old = before.get(thing);
      // Drafts, exclusions and what was seen are no rows: they stay as they are.
      if (old === undefined) thing.gone ||= thing.saved;
      else if (!old.saved && thing.saved) thing.gone = true;
      else if (old.saved) Object.assign(thing, pickRow(old));
    }
    truth.closeEmptyChoices();
  });
}

/** A wish of its own, or one in the place of the last: people contradict themselves. */
export function wish(truth: TruthState, numbers: Numbers): IntentMeaning {
  const text = `no ${makeWord(numbers, 3)}`;
  const last = truth.wishes.at(-1) ?? null;
  const replaces = numbers.below(2) === 0 ? last : null;
  return resolve({ message: `from now on ${text}`, wish: { text, replaces } }, () => {
    truth.wishes = [...truth.wishes.filter((wish) => wish !== replaces), text];
  });
}
