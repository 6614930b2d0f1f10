import type { EntityType } from "../../../state/entity.ts";
import type { MadeUpRow } from "../brief.ts";
import type { Intent, IntentKind } from "../intents.ts";
import { Numbers } from "../numbers.ts";
import { accept, askStated, forget, offer, reject, stateFact, undo, wish } from "./answers.ts";
import {
  askLeftOut,
  askWhy,
  exclude,
  excludeByValue,
  list,
  narrow,
  restore,
  returnToChoice,
} from "./choices.ts";
import { draft, draftMany, redraft, saveDraft } from "./drafts.ts";
import { add, ask, change, changeOutside, changeTwice, remove, rename } from "./rows.ts";
import { type IntentMeaning, talk, nameAll } from "./briefs.ts";
import { isLeft, LISTED_SHOWN, TruthState } from "./truth-state.ts";

/** The reference model: what is true after each intent. */
export class Truth extends TruthState {
  /** Turns an intent into what it means now. What it cannot mean becomes a word of thanks. */
  resolve({ kind, pick }: Intent): IntentMeaning {
    this.turn += 1;
    const { pending } = this;
    const resolved = RESOLVERS[kind](this.#findFacts(pick)) ?? talk();
    const isOpen = pending?.kind === "confirmation" && this.turn <= pending.turn + 1;
    if (this.pending === pending && !isOpen) this.pending = null;
    return resolved;
  }

  #findFacts(pick: Intent["pick"]): IntentFacts {
    const [type] = this.types;
    if (type === undefined) throw new RangeError("Cannot play a world without types");
    const left = this.focus === undefined ? [] : this.left(this.focus);
    const offered = (left.length > 0 ? left : this.listed.filter(isLeft)).slice(0, LISTED_SHOWN);
    const listed = this.listed.slice(0, LISTED_SHOWN);
    const [, nth] = pick;
    return {
      truth: this,
      numbers: new Numbers(pick[0] * 1_000_000 + pick[1] * 1_000 + pick[2]),
      pick,
      type: this.types[pick[0] % this.types.length] ?? type,
      offered,
      one: choose(offered, nth),
      target: choose(
        this.things.filter(({ saved, gone }) => saved && !gone),
        nth,
      ),
      inList: choose(listed, nth),
      place: (nth % Math.max(1, listed.length)) + 1,
      excluded: choose(
        this.things.filter(({ excluded, gone }) => excluded !== null && !gone),
        nth,
      ),
      draft: choose(this.drafts, nth),
    };
  }
}

/** Everything that an intent can be about; undefined where there is none of it. */
interface IntentFacts extends Pick<Intent, "pick"> {
  readonly truth: TruthState;
  readonly numbers: Numbers;
  readonly type: EntityType;
  /** Rows left of the choice in focus, or of the last list. */
  readonly offered: readonly MadeUpRow[];
  readonly one: MadeUpRow | undefined;
  /** Any stored row. */
  readonly target: MadeUpRow | undefined;
  readonly inList: MadeUpRow | undefined;
  /** The number of `inList`. */
  readonly place: number;
  readonly excluded: MadeUpRow | undefined;
  readonly draft: MadeUpRow | undefined;
}

/** Resolves an intent; null or undefined where it cannot mean anything now. */
type Resolver = (facts: IntentFacts) => IntentMeaning | null | undefined;

const RESOLVERS: Readonly<Record<IntentKind, Resolver>> = {
  list: ({ truth, type }) => list(truth, type, { quick: true }),
  side: ({ truth, type }) => list(truth, type, { quick: true }),
  look: ({ truth, type }) => list(truth, type, { quick: false }),
  narrow: ({ truth, offered, numbers }) => narrow(truth, offered, numbers),
  exclude({ truth, offered, pick }) {
    const some = offered.filter((_, index) => (pick[1] + index * pick[2]) % 3 === 0);
    return exclude(truth, some, { words: nameAll(some), reason: "not wanted" });
  },
  "exclude-ordinal": ({ truth, inList, place }) =>
    inList !== undefined && isLeft(inList)
      ? exclude(truth, [inList], { words: `number ${place}`, place, reason: "not that one" })
      : null,
  "exclude-property": ({ truth, offered, numbers }) => excludeByValue(truth, offered, numbers),
  "left-out": ({ truth }) => askLeftOut(truth),
  "restore-ordinal": ({ truth, inList, place }) =>
    inList !== undefined && !inList.gone && inList.excluded !== null
      ? restore(truth, inList, { words: `number ${place}`, place })
      : null,
  restore: ({ truth, excluded }) => excluded && restore(truth, excluded),
  ask: ({ truth, target, numbers }) => target && ask(truth, [target], { numbers }),
  "ask-ordinal": ({ truth, inList, numbers, place }) =>
    inList?.gone === false
      ? ask(truth, [inList], { numbers, words: `number ${place}`, place })
      : null,
  "ask-pronoun": ({ truth, numbers }) =>
    truth.lastMentioned?.gone === false
      ? ask(truth, [truth.lastMentioned], { numbers, words: "it" })
      : null,
  compare({ truth, offered, numbers }) {
    const two = offered.filter((thing) => thing.type === offered[0]?.type).slice(0, 2);
    return two.length < 2 ? null : ask(truth, two, { numbers });
  },
  why: ({ truth, excluded }) => excluded && askWhy(truth, excluded),
  left: ({ truth }) => truth.focus && returnToChoice(truth, truth.focus),
  return({ truth, pick }) {
    const choice = choose(truth.choices, pick[1]);
    return choice && returnToChoice(truth, choice);
  },
  add: ({ truth, type, numbers }) => add(truth, type, numbers),
  change: ({ truth, target, numbers }) => target && change(truth, target, numbers),
  rename: ({ truth, target, numbers }) => target && rename(truth, target, numbers),
  delete({ truth, offered, target, pick }) {
    const some = offered.filter(({ saved }) => saved).slice(0, 1 + (pick[2] % 5));
    if (some.length > 0) return remove(truth, some);
    return target && remove(truth, [target]);
  },
  draft: ({ truth, type, numbers }) => draft(truth, type, numbers),
  redraft: ({ truth, draft: found, numbers }) => found && redraft(truth, found, numbers),
  save: ({ truth, draft: found }) => found && saveDraft(truth, found),
  offer: ({ truth, one, numbers }) => (one?.saved === true ? offer(truth, one, numbers) : null),
  wish: ({ truth, numbers }) => wish(truth, numbers),
  forget: ({ truth, numbers }) => forget(truth, numbers),
  tell: ({ truth, numbers }) => stateFact(truth, numbers),
  said: ({ truth, pick }) => {
    const stated = choose(truth.stated, pick[1]);
    return stated && askStated(stated);
  },
  "plan-many": ({ truth, type, numbers }) => draftMany(truth, type, numbers),
  "two-changes": ({ truth, target, type, numbers }) =>
    target && changeTwice(truth, target, { type, numbers }),
  accept: ({ truth }) => accept(truth),
  reject: ({ truth }) => (truth.pending === null ? null : reject(truth)),
  undo: ({ truth }) => undo(truth),
  "outside-change": ({ truth, target, numbers }) =>
    target && changeOutside(truth, target, { kind: "outside-change", numbers }),
  "outside-rename": ({ truth, target, numbers }) =>
    target && changeOutside(truth, target, { kind: "outside-rename", numbers }),
  "outside-delete": ({ truth, target, numbers }) =>
    target && changeOutside(truth, target, { kind: "outside-delete", numbers }),
  talk: () => null,
};

function choose<T>(items: readonly T[], nth: number): T | undefined {
  return items[nth % Math.max(1, items.length)];
}
