import type { EntityType } from "../../../state/entity.ts";
import type { ChoiceBrief, MadeUpRow } from "../brief.ts";
import { clipTo } from "../expected-sections.ts";
import { makeWord, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, talk, step, pickColumn, resolve } from "./briefs.ts";
import type { TruthState, ChoiceTruth } from "./truth-state.ts";

export function list(
  truth: TruthState,
  type: EntityType,
  { quick }: { readonly quick: boolean },
): IntentMeaning {
  return resolve(
    {
      message: `show me all ${type.words.many}`,
      ...(quick ? { look: type } : { decision: "plan", steps: [step(type, { kind: "read" })] }),
      goal: `Show the ${type.words.many}`,
      reply: { kind: "rows", type },
    },
    () => truth.markSeen(truth.things.filter((each) => each.type === type && each.saved)),
  );
}

export function narrow(
  truth: TruthState,
  offered: readonly MadeUpRow[],
  numbers: Numbers,
): IntentMeaning {
  const about = offered.filter(({ type, saved }) => saved && type === offered[0]?.type);
  const [first, ...others] = about;
  if (first === undefined) return talk();
  const { type } = first;
  const column = pickColumn(type, numbers);
  const wanted = toText(numbers.pick([first, ...others]).values[column]);
  const keeps = (text: string): boolean => text === wanted;
  const kept = about.filter(({ values }) => keeps(toText(values[column])));
  const goal = `${type.words.many} for ${makeWord(numbers, 5 + numbers.below(25))}`;
  return resolve(
    {
      message: `only those with "${wanted}" as ${column}`,
      decision: "plan",
      steps: [step(type, { kind: "judge", column, keeps }, about)],
      goal,
      reply: { kind: "left" },
    },
    () => {
      const shares = ({ things }: ChoiceTruth): boolean =>
        things.some((each) => kept.includes(each));
      const before = truth.choices.findLast((choice) => choice.type === type && shares(choice));
      const out = before?.things.filter(({ excluded }) => excluded !== null) ?? [];
      const of = before?.of ?? about.length;
      const all = [...kept, ...out];
      const isJudged = before !== undefined && before.conclusion !== "";
      truth.bringToFront(
        {
          type,
          of: Math.max(of, all.length),
          things: all,
          title: isJudged ? before.title : clipTo(goal, 60),
          conclusion: `${kept.length} fit`,
          opened: before?.opened ?? truth.turn,
        },
        before,
      );
    },
  );
}

export function exclude(
  truth: TruthState,
  things: readonly MadeUpRow[],
  { words, reason, place }: Naming & { readonly words: string; readonly reason: string },
): IntentMeaning {
  if (things.length === 0) return talk();
  return resolve(
    {
      message: `not ${words}, please`,
      exclude: things,
      place: place ?? null,
      reason,
      goal: "Leave something out",
      reply: { kind: things.some((thing) => truth.isChosen(thing)) ? "left" : "talk" },
    },
    () => {
      for (const thing of things) thing.excluded = { turn: truth.turn, reason };
      truth.refocus(things);
    },
  );
}

export function excludeByValue(
  truth: TruthState,
  offered: readonly MadeUpRow[],
  numbers: Numbers,
): IntentMeaning {
  const [first] = offered;
  if (first === undefined) return talk();
  const column = first.type.summary[1];
  if (column === undefined) return talk();
  const own = offered.filter(({ type }) => type === first.type);
  const unwanted = toText(own[numbers.below(own.length)]?.values[column]);
  const out = own.filter(({ values }) => toText(values[column]) === unwanted);
  return exclude(truth, out, {
    words: `those with "${unwanted}" as ${column}`,
    reason: `${column} is ${unwanted === "" ? "unknown" : unwanted}`,
  });
}

/** All that was left out is asked for, as far as a prompt has room for it. */
export function askLeftOut(truth: TruthState): IntentMeaning {
  const things = truth.things.filter(({ excluded, gone }) => excluded !== null && !gone);
  if (things.length === 0 || things.length > LEFT_OUT_SHOWN) return talk();
  return resolve({
    message: "which ones did we leave out?",
    goal: "Say what was left out",
    reply: { kind: "out", things },
  });
}

const LEFT_OUT_SHOWN = 6;

interface Naming {
  /** The words for it. Default: its label. */
  readonly words?: string;
  /** Its number in the last list, where it is named by that. */
  readonly place?: number;
}

export function restore(
  truth: TruthState,
  thing: MadeUpRow,
  { words = thing.label, place }: Naming = {},
): IntentMeaning {
  const hasChoice = truth.choices.some(({ type }) => type === thing.type);
  return resolve(
    {
      message: `bring ${words} back`,
      references: [thing],
      place: place ?? null,
      restore: [thing],
      reason: "welcome again",
      goal: "Bring something back",
      reply: { kind: truth.isChosen(thing) || hasChoice ? "left" : "talk" },
    },
    () => {
      thing.excluded = null;
      truth.refocus([thing]);
      const isHeld = truth.choices.some(({ things }) => things.includes(thing));
      const focus = truth.choices.findLast(({ type }) => type === thing.type);
      if (isHeld || focus === undefined) return;
      const all = [...focus.things, thing];
      truth.bringToFront({ ...focus, of: Math.max(focus.of, all.length), things: all }, focus);
    },
  );
}

export function askWhy(truth: TruthState, thing: MadeUpRow): IntentMeaning {
  return resolve(
    {
      message: `why did we leave out ${thing.label}?`,
      references: [thing],
      goal: "Answer the question",
      reply: { kind: "why", thing },
    },
    () => truth.mention([thing]),
  );
}

export function returnToChoice(truth: TruthState, choice: ChoiceTruth): IntentMeaning {
  const topic = describeChoice(truth, choice);
  const text = JSON.stringify(topic);
  const alike = truth.choices.filter(
    (other) => JSON.stringify(describeChoice(truth, other)) === text,
  );
  // Nobody can say which of two that look the same is meant.
  if (alike.length > 1) return talk();
  return resolve(
    {
      message: `so which ${choice.type.words.many} were left?`,
      topic,
      goal: "Show what is left",
      reply: { kind: "left" },
    },
    () => truth.bringToFront(choice, choice),
  );
}

function describeChoice(truth: TruthState, choice: ChoiceTruth): ChoiceBrief {
  const left = truth.left(choice).map(({ label }) => label);
  return { type: choice.type.type, of: choice.of, left };
}
