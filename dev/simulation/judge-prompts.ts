import { changedHeading, HEADINGS } from "../../prompts/headings.ts";
import { viewEntities, type EntityView, type PromptContext } from "../../prompts/view.ts";
import { judgesRows } from "../../state/plan.ts";
import type { Limits } from "../../state/limits.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { TurnState } from "../../state/turn.ts";
import {
  expectWishes,
  expectChoices,
  expectDrafts,
  expectListed,
  expectOutsideLines,
  showsRefs,
  type ExpectedForm,
} from "./expected-sections.ts";
import { judgeTable } from "./judge-table.ts";
import { Shown } from "./shown.ts";
import { compare, violation, type Violation } from "./violation.ts";

/** A request, and the state that its prompt was made from. */
export interface Prompted {
  readonly request: ModelRequest;
  readonly state: TurnState;
}

const JUDGED = new Set(["understand", "think", "act", "reply"]);

/** 2, 9: each section shows what the working set and the registry hold, in the richest form that has room. */
export function judgePrompts(prompted: readonly Prompted[], context: PromptContext): Violation[] {
  return prompted
    .filter(({ request }) => JUDGED.has(request.role))
    .flatMap((one) => judgePrompt(one, context));
}

function judgePrompt({ request, state }: Prompted, context: PromptContext): Violation[] {
  const shown = new Shown(request);
  const { role } = request;
  const view = viewEntities(state, context.domain);
  const form = { ...context, refs: showsRefs(role), facts: false };
  const sections =
    role === "act"
      ? judgeStepSections(shown, { view, form, state })
      : [
          ...compareSection(shown, HEADINGS.choices, expectChoices(view.workingSet, form)),
          ...compareSection(shown, HEADINGS.listedLast, expectListed(view.workingSet, form)),
          ...compareSection(shown, HEADINGS.drafts, expectDrafts(view.workingSet, form)),
        ];
  const table =
    role === "understand" || role === "think" ? judgeShownTable(shown, { view, form, state }) : [];
  const message = state.input?.text ?? "";
  const wishes = expectWishes(state.constraints, { ...form, message });
  const rows = form.countTokens(shown.data(HEADINGS.rows));
  const { rowsTokens, constraints } = form.limits;
  const merged = state.constraints.filter(
    ({ kind, scope }) => kind === "soft" && scope !== "person",
  );
  const isOver = state.constraints.length > constraints && merged.length > 1;
  return [
    ...sections,
    ...judgeOutsideSection(shown, view, form),
    ...table,
    ...compare(`9 wishes of ${role}`, wishes, shown.section(HEADINGS.wishes).trim()),
    ...(isOver ? [violation("9 wishes", `${constraints} lines`, wishes)] : []),
    ...(rows <= rowsTokens ? [] : [violation("9 rows", `${rowsTokens} tokens`, String(rows))]),
  ];
}

interface JudgedSections {
  readonly view: EntityView;
  readonly form: PromptForm;
  readonly state: TurnState;
}

interface PromptForm extends ExpectedForm {
  readonly limits: Limits;
}

/** A step that judges sees all choices with their facts, any other those of its refs. */
function judgeStepSections(shown: Shown, { view, form, state }: JudgedSections): Violation[] {
  const [, number = "1"] = /^Step (\d+) of \d+ \(/mu.exec(shown.section(HEADINGS.step)) ?? [];
  const step = state.plan?.steps[Number(number) - 1];
  if (step === undefined) return [];
  const { workingSet } = view;
  const refs = new Set(step.refs);
  const holds = (items: readonly { readonly ref: string }[]): boolean =>
    items.some(({ ref }) => refs.has(ref));
  const own = {
    ...workingSet,
    choices: workingSet.choices.filter(({ left, excluded }) => holds(left) || holds(excluded)),
    excludedElsewhere: [],
    drafts: workingSet.drafts.filter(({ ref }) => refs.has(ref)),
  };
  const judges = judgesRows(step);
  const set = judges ? workingSet : own;
  const expected = { ...form, facts: judges };
  return [
    ...compareSection(shown, HEADINGS.choices, expectChoices(set, expected)),
    ...compareSection(shown, HEADINGS.drafts, expectDrafts(set, expected)),
  ];
}

/** Changes from outside: a line each, the rest counted. */
function judgeOutsideSection(shown: Shown, view: EntityView, form: PromptForm): Violation[] {
  const { refs, limits } = form;
  const lines = expectOutsideLines(view.workingSet, { refs, most: limits.outsideChangesShown });
  return compareSection(shown, HEADINGS.outside, lines);
}

function judgeShownTable(shown: Shown, { view, form, state }: JudgedSections): Violation[] {
  const { registryTableTokens: most, recordTurns: window } = form.limits;
  const shownTable = {
    text: shown.data(HEADINGS.recentContext),
    changes: shown.data(changedHeading(HEADINGS.recentContext)),
  };
  return judgeTable(shownTable, {
    registry: view.registry,
    before: state.registryTable,
    isCut: false,
    message: state.input?.text ?? "",
    turn: state.turn,
    window,
    most,
    countTokens: form.countTokens,
  });
}

function compareSection(shown: Shown, heading: string, expected: string): Violation[] {
  return compare(`9 ${heading} of ${shown.role}`, expected, shown.data(heading));
}
