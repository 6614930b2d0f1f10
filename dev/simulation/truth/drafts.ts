import type { EntityType } from "../../../state/entity.ts";
import type { MadeUpRow } from "../brief.ts";
import { makeValue, toText } from "../made-up-domain.ts";
import type { Numbers } from "../numbers.ts";
import { type IntentMeaning, step, talk, nameAll, pickColumn, resolve } from "./briefs.ts";
import { newThing, type TruthState } from "./truth-state.ts";

export function draft(truth: TruthState, type: EntityType, numbers: Numbers): IntentMeaning {
  const { values, linked } = truth.makeRowValues(type, numbers);
  const drafted = (): MadeUpRow => truth.addRow(type, { values, saved: false });
  const shown: MadeUpRow = { ...newThing(type, values), saved: false };
  return resolve(
    {
      message: `draft a ${type.words.one} called ${shown.label}`,
      references: linked,
      decision: "plan",
      steps: [step(type, { kind: "draft", drafts: [values] }, linked)],
      goal: "Draft something",
      reply: { kind: "drafts", things: [shown] },
    },
    () => {
      truth.mention(linked);
      truth.markSeen([drafted()]);
    },
  );
}

export function draftMany(truth: TruthState, type: EntityType, numbers: Numbers): IntentMeaning {
  const made = Array.from({ length: 2 + numbers.below(3) }, () =>
    truth.makeRowValues(type, numbers),
  );
  const linked = [...new Set(made.flatMap((one) => one.linked))];
  const drafts = made.map(({ values }) => values);
  const shown = drafts.map((values) => newThing(type, values));
  return resolve(
    {
      message: `plan ${drafts.length} ${type.words.many}: ${nameAll(shown)}`,
      references: linked,
      decision: "plan",
      steps: [step(type, { kind: "draft", drafts }, linked)],
      goal: "Draft some",
      reply: { kind: "drafts", things: shown },
    },
    () => {
      truth.mention(linked);
      truth.markSeen(drafts.map((values) => truth.addRow(type, { values, saved: false })));
    },
  );
}

export function redraft(truth: TruthState, draft: MadeUpRow, numbers: Numbers): IntentMeaning {
  const column = pickColumn(draft.type, numbers);
  const kind = draft.type.columns.find(({ name }) => name === column);
  const value = kind === undefined ? null : makeValue(kind, numbers);
  return resolve(
    {
      message: `in the draft of ${draft.label}, set the ${column} to "${toText(value)}"`,
      references: [draft],
      decision: "plan",
      steps: [step(draft.type, { kind: "redraft", draft, column, value }, [draft])],
      goal: "Change a draft",
      reply: { kind: "drafts", things: [draft] },
    },
    () => {
      truth.mention([draft]);
      draft.values = { ...draft.values, [column]: value };
    },
  );
}

export function saveDraft(truth: TruthState, draft: MadeUpRow): IntentMeaning {
  if (truth.lacksRow(draft)) return talk();
  return resolve(
    {
      message: `save ${draft.label}`,
      references: [draft],
      decision: "plan",
      steps: [step(draft.type, { kind: "save", draft }, [draft])],
      goal: "Save a draft",
      reply: { kind: "stored" },
    },
    truth.recordWrite(() => {
      truth.mention([draft]);
      draft.saved = true;
    }),
  );
}
