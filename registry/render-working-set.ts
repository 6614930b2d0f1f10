import type { CountTokens } from "../state/model.ts";
import { oneLine } from "../text/fence.ts";
import { joinLines } from "./fit-lines.ts";
import { describeRefs } from "./refs.ts";
import { clip, fitLongest } from "./shorten.ts";
import type { ChoiceView, WorkingItem, WorkingSet } from "./working-set.ts";

/** Bounds of the rendered choices. */
export interface ChoiceBounds {
  /** Most lines of the choice in focus. */
  readonly choiceLines: number;
  /** Tokens of the open choices together. */
  readonly choiceTokens: number;
  /** Tokens of what was left out. */
  readonly excludedTokens: number;
}

/** The part of the working set that a prompt shows. */
export interface WorkingSetDetail {
  /** False for the prompt that speaks: a ref that it does not see cannot leak from it. */
  readonly refs: boolean;
  /** True to show the facts of what is left in the choice in focus. */
  readonly facts: boolean;
  readonly limits: ChoiceBounds;
  readonly countTokens: CountTokens;
}

const LABEL_CHARACTERS = 80;
const FACTS_CHARACTERS = 120;
const REASON_CHARACTERS = 120;

/** A form of the open choices: the richest that fits is shown. */
interface Form extends WorkingSetDetail {
  /** Lines of the choice in focus; the rest is counted. */
  readonly lines: number;
  /** False where the entities of the other choices are only counted. */
  readonly others: boolean;
}

/**
 * Renders the choices: the one in focus a line an entity, the others on a line each, and what was left
 * out, by reason. Over its tokens the other choices lose their labels first, then the choice in focus
 * its facts and its tail, which is counted. Empty where nothing is chosen from or left out. Pure.
 */
export function renderChoices(set: WorkingSet, detail: WorkingSetDetail): string {
  const { choiceTokens, choiceLines } = detail.limits;
  const count = Math.min(set.choices[0]?.left.length ?? 0, choiceLines);
  const short = { others: false, facts: false };
  const texts = [
    renderOpen(set.choices, { ...detail, lines: count, others: true }),
    renderOpen(set.choices, { ...detail, lines: count, others: false }),
    ...halve(count).map((lines) =>
      renderOpen(set.choices, Object.assign({ lines }, detail, short)),
    ),
  ];
  const open = texts.find((text) => detail.countTokens(text) <= choiceTokens) ?? texts.at(-1) ?? "";
  return joinLines([open, renderExcluded(set, detail)]);
}

/** 9, 4, 2, 1, 0. */
function halve(count: number): number[] {
  return count === 0 ? [0] : [count, ...halve(Math.floor(count / 2))];
}

function renderOpen([focus, ...others]: readonly ChoiceView[], form: Form): string {
  if (focus === undefined) return "";
  const shown = focus.left.slice(0, form.lines);
  const rest = focus.left.slice(form.lines);
  const id = form.refs ? ` (${focus.id}, ${focus.type})` : "";
  return joinLines([
    `${clip(oneLine(focus.title), LABEL_CHARACTERS)}${id}: ${countLeft(focus)}`,
    ...shown.map((item, index) => `${index + 1}. ${renderLine(item, focus, form)}`),
    rest.length === 0 ? "" : `and ${rest.length} more${form.refs ? `: ${listRefs(rest)}` : ""}`,
    ...others.map((choice) => `Also open: ${renderOther(choice, form)}`),
  ]);
}

function countLeft({ left, of }: ChoiceView): string {
  return `${left.length === 0 ? "none" : left.length} left of ${of}`;
}

function renderLine(item: WorkingItem, focus: ChoiceView, form: Form): string {
  const isOne = focus.left.every(({ ref, label }) => ref === item.ref || label !== item.label);
  const facts = form.facts || !(form.refs || isOne) ? renderFacts(item) : "";
  const isBack = item.restoredTurn !== null && item.restoredTurn >= focus.openedTurn;
  const back = isBack ? ` (brought back in turn ${item.restoredTurn})` : "";
  return `${renderName(item, form)}${facts === "" ? "" : `: ${facts}`}${back}`;
}

function renderOther(choice: ChoiceView, form: Form): string {
  const id = form.refs ? ` (${choice.id}, ${choice.type})` : "";
  const title = clip(oneLine(choice.title), LABEL_CHARACTERS);
  const labels = choice.left.map(({ label }) => clip(oneLine(label), LABEL_CHARACTERS)).join(", ");
  const shown = form.others && labels !== "" ? `: ${labels}` : "";
  return `${title}${id}: ${countLeft(choice)}${shown}; last touched in turn ${choice.touchedTurn}`;
}

/** Renders the things that were left out, of choices and elsewhere; the latest reasons first. */
function renderExcluded(set: WorkingSet, detail: WorkingSetDetail): string {
  // A thing may be left out of several choices.
  const byRef = new Map(
    set.choices.flatMap(({ excluded }) => excluded).map((item) => [item.ref, item]),
  );
  const inChoices = [...byRef.values()];
  const groups = [
    ...groupByReason("Left out", inChoices, detail),
    ...groupByReason("Left out elsewhere", set.excludedElsewhere, detail),
  ].toSorted((a, b) => b.turn - a.turn);
  const render = (kept: number): string =>
    joinLines([
      ...["Left out", "Left out elsewhere"].map((lead) => {
        const own = groups.slice(0, kept).filter((group) => group.lead === lead);
        return own.length === 0 ? "" : `${lead}: ${own.map(({ text }) => text).join("; ")}`;
      }),
      countHidden(groups.slice(kept)),
    ]);
  const { countTokens, limits } = detail;
  const tokens = limits.excludedTokens;
  const all = render(groups.length);
  if (countTokens(all) <= tokens) return all;
  return fitLongest(groups.length - 1, render, { tokens, countTokens })?.text ?? render(0);
}

interface ReasonGroup {
  readonly lead: string;
  readonly turn: number;
  readonly count: number;
  readonly text: string;
}

function groupByReason(
  lead: string,
  items: readonly WorkingItem[],
  detail: WorkingSetDetail,
): ReasonGroup[] {
  const groups = Map.groupBy(items, ({ excluded }) =>
    JSON.stringify([excluded?.turn, excluded?.reason]),
  );
  return [...groups.values()].map((own) => {
    const turn = own[0]?.excluded?.turn ?? 0;
    const reason = clip(oneLine(own[0]?.excluded?.reason ?? ""), REASON_CHARACTERS);
    const names = own.map((item) => renderName(item, detail)).join(", ");
    const why = reason === "" ? `in turn ${turn}` : `${reason} (turn ${turn})`;
    return { lead, turn, count: own.length, text: `${why}: ${names}` };
  });
}

function countHidden(groups: readonly ReasonGroup[]): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return count === 0 ? "" : `and ${count} more left out earlier`;
}

/** Renders the list that was shown last with the numbers it had; excluded entries are marked. Pure. */
export function renderListed(
  { listed }: WorkingSet,
  detail: Pick<WorkingSetDetail, "refs">,
): string {
  return listed
    .slice(0, LISTED_SHOWN)
    .map((item) => {
      const out = item.excluded === null ? "" : " (left out)";
      return `${item.place}. ${renderName(item, detail)}${out}`;
    })
    .join("\n");
}

/** The most entries of a list that the person can refer to by position. */
const LISTED_SHOWN = 12;

/** Renders the drafts that are not saved, a line each. Pure. */
export function renderDrafts(
  { drafts }: WorkingSet,
  detail: Pick<WorkingSetDetail, "refs">,
): string {
  return drafts.map((item) => `- ${renderName(item, detail)}, not saved`).join("\n");
}

function renderName({ ref, label }: WorkingItem, { refs }: Pick<WorkingSetDetail, "refs">): string {
  const name = clip(oneLine(label), LABEL_CHARACTERS);
  return refs ? `${ref} ${name}` : name;
}

function renderFacts({ facts }: WorkingItem): string {
  return clip(oneLine(facts), FACTS_CHARACTERS);
}

function listRefs(items: readonly WorkingItem[]): string {
  return describeRefs(items.map(({ ref }) => ref));
}
