import type { Constraint } from "../../state/constraint.ts";
import type { ModelRole } from "../../state/model.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Limits } from "../../state/limits.ts";
import { expectShared } from "./expected-words.ts";
import type { ChoiceView, WorkingItem, WorkingSet } from "../../registry/working-set.ts";

/** The way in which a prompt shows the working set. */
export interface ExpectedForm {
  /** False for the prompt that speaks. */
  readonly refs: boolean;
  /** True for a step that judges. */
  readonly facts: boolean;
  readonly limits: Pick<Limits, "choiceLines" | "choiceTokens" | "excludedTokens">;
  readonly countTokens: CountTokens;
}

/** Returns true for a role whose prompt shows refs. */
export function showsRefs(role: ModelRole): boolean {
  return role !== "reply";
}

/** Returns the text that `Choices` has to have: the richest form that has room. */
export function expectChoices(set: WorkingSet, form: ExpectedForm): string {
  const { limits, countTokens } = form;
  const [focus] = set.choices;
  const most = Math.min(focus?.left.length ?? 0, limits.choiceLines);
  const sizes = [most];
  for (let size = most; size > 0;) {
    size = Math.floor(size / 2);
    sizes.push(size);
  }
  const plain = sizes.map((size) => writeChoices(set, form, { size, labels: false, facts: false }));
  const forms = [
    writeChoices(set, form, { size: most, labels: true, facts: form.facts }),
    writeChoices(set, form, { size: most, labels: false, facts: form.facts }),
    ...plain,
  ];
  const chosen = forms.find((text) => countTokens(text) <= limits.choiceTokens) ?? plain.at(-1);
  return joinShown([chosen ?? "", expectLeftOut(set, form)]);
}

interface ChoiceForm {
  readonly size: number;
  readonly labels: boolean;
  readonly facts: boolean;
}

function writeName({ ref, label }: WorkingItem, refs: boolean): string {
  return `${refs ? `${ref} ` : ""}${clipTo(label, 80)}`;
}

function writeChoices(set: WorkingSet, { refs }: ExpectedForm, form: ChoiceForm): string {
  const [focus, ...others] = set.choices;
  if (focus === undefined) return "";
  const lines = [writeHead(focus, refs)];
  for (const [index, item] of focus.left.entries()) {
    if (index >= form.size) break;
    const alike = focus.left.filter(({ label }) => label === item.label);
    // Without refs nothing else tells two of one name apart.
    const showsFacts = form.facts || (!refs && alike.length > 1);
    const facts = showsFacts && item.facts !== "" ? `: ${clipTo(item.facts, 120)}` : "";
    const turn = item.restoredTurn;
    const back = turn !== null && turn >= focus.openedTurn ? ` (brought back in turn ${turn})` : "";
    lines.push(`${index + 1}. ${writeName(item, refs)}${facts}${back}`);
  }
  const hidden = focus.left.slice(form.size);
  if (hidden.length > 0) {
    const named = refs ? `: ${foldRefs(hidden.map(({ ref }) => ref))}` : "";
    lines.push(`and ${hidden.length} more${named}`);
  }
  for (const other of others) {
    const labels = other.left.map((item) => writeName(item, false)).join(", ");
    const shown = form.labels && labels !== "" ? `: ${labels}` : "";
    const touched = `; last touched in turn ${other.touchedTurn}`;
    lines.push(`Also open: ${writeHead(other, refs)}${shown}${touched}`);
  }
  return lines.join("\n");
}

function writeHead({ id, type, title, left, of }: ChoiceView, refs: boolean): string {
  const count = left.length === 0 ? "none" : String(left.length);
  return `${clipTo(title, 80)}${refs ? ` (${id}, ${type})` : ""}: ${count} left of ${of}`;
}

/** The newest reasons, as many as have room; of a turn those of choices stand before those of elsewhere. */
function expectLeftOut(set: WorkingSet, { refs, limits, countTokens }: ExpectedForm): string {
  const found = set.choices.flatMap(({ excluded }) => excluded);
  // Once, of however many choices it was left out.
  const once = found.filter(
    ({ ref }, index) => found.findIndex((one) => one.ref === ref) === index,
  );
  const groups = [
    ...groupReasons("Left out", once, refs),
    ...groupReasons("Left out elsewhere", set.excludedElsewhere, refs),
  ].toSorted((a, b) => b.turn - a.turn);
  for (let kept = groups.length; kept >= 0; kept -= 1) {
    const shown = groups.slice(0, kept);
    const rest = groups.slice(kept).reduce((sum, { count }) => sum + count, 0);
    const text = joinShown([
      ...["Left out", "Left out elsewhere"].map((lead) => {
        const own = shown.filter((group) => group.lead === lead).map((group) => group.text);
        return own.length === 0 ? "" : `${lead}: ${own.join("; ")}`;
      }),
      rest === 0 ? "" : `and ${rest} more left out earlier`,
    ]);
    if (kept === 0 || countTokens(text) <= limits.excludedTokens) return text;
  }
  return "";
}

interface ReasonGroup {
  readonly lead: string;
  readonly turn: number;
  readonly count: number;
  readonly text: string;
}

function groupReasons(lead: string, items: readonly WorkingItem[], refs: boolean): ReasonGroup[] {
  const groups = new Map<string, WorkingItem[]>();
  for (const item of items) {
    const key = `${item.excluded?.turn} ${item.excluded?.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map((own) => {
    const { turn, reason } = own[0]?.excluded ?? { turn: 0, reason: "" };
    const why = reason === "" ? `in turn ${turn}` : `${clipTo(reason, 120)} (turn ${turn})`;
    const names = own.map((item) => writeName(item, refs)).join(", ");
    return { lead, turn, count: own.length, text: `${why}: ${names}` };
  });
}

/** Returns the text that `Listed Last` has to have. */
export function expectListed({ listed }: WorkingSet, { refs }: ExpectedForm): string {
  const lines = listed.map((item) => {
    const out = item.excluded === null ? "" : " (left out)";
    return `${item.place}. ${writeName(item, refs)}${out}`;
  });
  return lines.slice(0, 12).join("\n");
}

/** Returns the text that `Drafts` has to have. */
export function expectDrafts({ drafts }: WorkingSet, { refs }: ExpectedForm): string {
  return drafts.map((item) => `- ${writeName(item, refs)}, not saved`).join("\n");
}

interface OutsideForm extends Pick<ExpectedForm, "refs"> {
  readonly most: number;
}

/** Returns the lines about changes from outside: a line each, the rest counted. */
export function expectOutsideLines(
  { changes, unchecked }: WorkingSet,
  { refs, most }: OutsideForm,
): string {
  const lines = changes.slice(0, most).map(({ ref, text }) => `- ${refs ? `${ref} ` : ""}${text}`);
  const rest = changes.length > most ? `- and ${changes.length - most} more` : "";
  const named = refs ? `: ${clipTo(foldRefs(unchecked), 200)}` : "";
  const passed = unchecked.length === 0 ? "" : `- ${unchecked.length} not checked${named}`;
  return joinShown([...lines, rest, passed]);
}

/** Returns the line that a wish has to have. */
export function writeWish({ text, kind, count, until, scope }: Omit<Constraint, "turn">): string {
  const isNamed = count === null || text.match(/\d+/gu)?.includes(String(count)) === true;
  const notes = [
    kind === "hard" ? "must hold" : "",
    isNamed ? "" : String(count),
    until === null ? "" : `until ${until}`,
    scope === "person" ? "in every conversation" : "",
  ].filter((note) => note !== "");
  return `- ${text}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

interface WishForm extends Pick<ExpectedForm, "countTokens"> {
  readonly limits: Pick<Limits, "constraintTokens" | "ruleTokens">;
  /** The message that the prompt answers. */
  readonly message: string;
}

/** Returns the text that `Wishes and Rules` has to have: the rules that the message touches and the newest, and of the wishes the newest that have room. */
export function expectWishes(
  constraints: readonly Constraint[],
  { limits, countTokens, message }: WishForm,
): string {
  const hard = constraints.filter(({ kind }) => kind === "hard");
  const rules = expectRules(hard, message, (lines) => countTokens(lines) <= limits.ruleTokens);
  const wishes = constraints.filter(({ kind }) => kind === "soft").map(writeWish);
  for (let hidden = 0; ; hidden += 1) {
    const more = hidden === 0 ? "" : `+ ${hidden} older ${hidden === 1 ? "wish" : "wishes"}`;
    const text = joinShown([...rules, ...wishes.slice(hidden), more]);
    if (hidden === wishes.length || countTokens(text) <= limits.constraintTokens) return text;
  }
}

function expectRules(
  hard: readonly Constraint[],
  message: string,
  fits: (text: string) => boolean,
): readonly string[] {
  const isTouched = ({ text }: Constraint): boolean => expectShared(text, message);
  const newest = hard.toReversed();
  const ordered = [...newest.filter(isTouched), ...newest.filter((one) => !isTouched(one))];
  for (let kept = hard.length; ; kept -= 1) {
    const chosen = new Set(ordered.slice(0, kept));
    const hidden = hard.length - kept;
    const lines = [
      ...hard.filter((one) => chosen.has(one)).map(writeWish),
      ...(hidden === 0 ? [] : [`+ ${hidden} older ${hidden === 1 ? "rule" : "rules"}`]),
    ];
    if (kept === 0 || fits(lines.join("\n"))) return lines;
  }
}

/** Writes refs as people do: a whole run from three on, a part of a list from five on. */
export function foldRefs(refs: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < refs.length;) {
    const prefix = readPrefix(refs[at]);
    let end = at;
    while (end < refs.length && readPrefix(refs[end]) === prefix) end += 1;
    parts.push(...foldStretch(refs.slice(at, end)));
    at = end;
  }
  return parts.join(", ");
}

function foldStretch(refs: readonly string[]): string[] {
  const runs: string[][] = [];
  for (const ref of refs) {
    const run = runs.at(-1);
    if (run !== undefined && readNumber(run.at(-1)) + 1 === readNumber(ref)) run.push(ref);
    else runs.push([ref]);
  }
  const least = runs.length === 1 ? 3 : 5;
  return runs.flatMap((run) =>
    run.length < least ? run : [`${run[0] ?? ""} through ${run.at(-1) ?? ""}`],
  );
}

function readPrefix(ref = ""): string {
  return ref.slice(0, ref.lastIndexOf("_"));
}

function readNumber(ref = ""): number {
  return Number(ref.slice(ref.lastIndexOf("_") + 1));
}

/** Returns a text on one line, of one that is too long the first characters with a mark. */
export function clipTo(whole: string, characters: number): string {
  const text = whole.replaceAll(/\s+/gu, " ").trim();
  return text.length <= characters ? text : `${text.slice(0, characters - 1).trimEnd()}…`;
}

export function joinShown(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
