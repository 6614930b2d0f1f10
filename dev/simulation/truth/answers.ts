import type { MadeUpRow } from "../brief.ts";
import { makeValue, makeWord, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, talk, step, pickColumn, resolve } from "./briefs.ts";
import { pickRow, type StatedTruth, type TruthState, type WishTruth } from "./truth-state.ts";

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
  if (truth.turn > pending.turn + 1) {
    // With another message between, the question is put again.
    truth.pending = { ...pending, turn: truth.turn };
    return resolve({ message: "yes, do it", answers: "accept" });
  }
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

/** Takes back what the last turn has changed, rows and wishes; of turns that summaries no longer show, rows alone. */
export function undo(truth: TruthState): IntentMeaning {
  if (truth.hasOutside) return talk();
  const last = truth.changed.findLast(
    ({ turn, rows, wishes }) => turn >= truth.turn - SUMMARIES && (rows || wishes !== null),
  );
  return resolve({ message: "undo that", undo: true }, () => {
    if (last !== undefined && last.wishes !== null) {
      truth.wishes = last.wishes;
      last.wishes = null;
    }
    if (last?.rows === false) return;
    const before = truth.undoable.pop();
    if (before === undefined) return;
    truth.changed.push({ turn: truth.turn, rows: true, wishes: null });
    for (const thing of truth.things) {
      const old = before.get(thing);
      // Drafts, exclusions and what was seen are no rows: they stay as they are; one that was saved is a draft again.
      if (old === undefined) thing.gone ||= thing.saved;
      else if (old.saved || thing.saved) Object.assign(thing, pickRow(old));
    }
    truth.closeEmptyChoices();
  });
}

/** Turns of which the summaries are kept. */
const SUMMARIES = 2;

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
  const instead = replaced === null ? "" : ` instead of ${replaced}`;
  const words = isAgain ? fresh.text.toUpperCase() : fresh.text;
  const until =
    fresh.until !== null && numbers.below(2) === 0 ? toGerman(fresh.until) : fresh.until;
  return resolve(
    {
      message: `from now on ${words}${instead}`,
      wish: { ...fresh, text: words, until, replaces: replaced },
    },
    truth.recordWishes(() => {
      truth.wishes = mergeWish(truth.wishes, fresh, replaced);
    }),
  );
}

/** A day as some write it: "1.3.2026". */
function toGerman(day: string): string {
  return day.split("-").toReversed().map(Number).join(".");
}

/** A wish is taken back in its own words, or in others that hold its distinctive word. */
export function forget(truth: TruthState, numbers: Numbers): IntentMeaning {
  const wished = truth.wishes[numbers.below(truth.wishes.length)];
  if (wished === undefined) return talk();
  const word = wished.text.split(" ").at(-1) ?? "";
  const replaces = numbers.below(2) === 0 ? wished.text : `my rule about ${word}`;
  const nothing = { kind: "soft", count: null, until: null, scope: "conversation" } as const;
  return resolve(
    { message: `forget ${replaces}`, wish: { ...nothing, text: "", replaces } },
    truth.recordWishes(() => {
      truth.wishes = truth.wishes.filter((one) => one !== wished);
    }),
  );
}

/** The person tells something that is no wish and asks for nothing. */
export function stateFact(truth: TruthState, numbers: Numbers): IntentMeaning {
  const [cue, ...others] = Array.from({ length: 4 }, () => makeWord(numbers, 3));
  const words = `${cue} ${others.join(" ")}`;
  return resolve({ message: `by the way, ${words}` }, () => {
    truth.stated = [...truth.stated, { cue: cue ?? "", words }];
  });
}

/** The person asks for what they have stated. */
export function askStated({ cue, words }: StatedTruth): IntentMeaning {
  return resolve({
    message: `what did I say about ${cue}?`,
    goal: "Answer the question",
    reply: { kind: "said", words },
  });
}

/** The wishes with one more: what was said before keeps its words, and what has ended is gone. */
function mergeWish(
  wishes: readonly WishTruth[],
  fresh: WishTruth,
  replaced: string | null,
): readonly WishTruth[] {
  const others = wishes.filter(({ text }) => text !== fresh.text);
  const known = wishes.find(({ text }) => text === fresh.text);
  if (fresh.until !== null && fresh.until < TODAY) {
    if (known !== undefined) return others;
    // A wish that nobody knew cannot be over: it holds until something else is said.
    return mergeWish(wishes, { ...fresh, until: null }, replaced);
  }
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
