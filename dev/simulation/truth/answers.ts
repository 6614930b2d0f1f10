import type { MadeUpRow } from "../brief.ts";
import { makeValue, makeWord, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, talk, step, pickColumn, resolve } from "./briefs.ts";
import { pickRow, type TruthState, type WishTruth } from "./truth-state.ts";

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
  const brief = { message: "yes, do it", answers: "accept", reply: { kind: "stored" } } as const;
  if (pending.kind === "proposal" && !truth.givesCalls) {
    // The values of a change whose call the proposal did not know are asked about.
    truth.pending = { kind: "confirmation", turn: truth.turn, commit: pending.commit };
    return resolve(brief);
  }
  return resolve(brief, pending.commit);
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

/** A wish of its own, one said again, or one in the place of the last: people contradict themselves. */
export function wish(truth: TruthState, numbers: Numbers): IntentMeaning {
  const last = truth.wishes.at(-1) ?? null;
  const isAgain = last !== null && numbers.below(4) === 0;
  const count = numbers.below(3) === 0 ? 2 + numbers.below(5) : null;
  const number = count !== null && numbers.below(2) === 0 ? `${count} ` : "no ";
  const fresh: WishTruth = {
    text: isAgain ? last.text : `${number}${makeWord(numbers, 3)}`,
    kind: numbers.pick(["hard", "soft"]),
    count,
    until: numbers.pick([null, null, null, "2026-03-01", "2026-01-12", "2026-01-11"]),
    scope: numbers.below(3) === 0 ? "person" : "conversation",
  };
  const replaced = numbers.below(3) === 0 ? (last?.text ?? null) : null;
  const words = isAgain ? fresh.text.toUpperCase() : fresh.text;
  return resolve(
    { message: `from now on ${words}`, wish: { ...fresh, text: words, replaces: replaced } },
    () => {
      truth.wishes = mergeWish(truth.wishes, fresh, replaced);
    },
  );
}

/** The wishes with one more: what was said before keeps its words, and what has ended is gone. */
function mergeWish(
  wishes: readonly WishTruth[],
  fresh: WishTruth,
  replaced: string | null,
): readonly WishTruth[] {
  const others = wishes.filter(({ text }) => text !== fresh.text);
  if (fresh.until !== null && fresh.until < TODAY) return others;
  const known = wishes.find(({ text }) => text === fresh.text);
  if (known === undefined) return [...others.filter(({ text }) => text !== replaced), fresh];
  const merged: WishTruth = {
    ...fresh,
    kind: known.kind === "hard" ? "hard" : fresh.kind,
    count: fresh.count ?? known.count,
    scope: known.scope === "person" ? "person" : fresh.scope,
  };
  const kept = replaced === fresh.text ? others : others.filter(({ text }) => text !== replaced);
  return [...kept, merged];
}

const TODAY = "2026-01-12";
