import { HEADINGS } from "../../prompts/headings.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import type { Clause, Target } from "../language/request.ts";
import { singular } from "../language/tokens.ts";
import { belongsTo, type PromptRef, readRefs, type Thing } from "../prompt/read-entities.ts";
import { type ParsedPrompt, readUnwanted } from "../prompt/read-prompt.ts";
import type { Scene } from "../prompt/scene.ts";
import { describeReason, findShown, holdsName, isWholeLabel } from "./match-things.ts";

type References = UnderstandAnswer["references"];
type Wish = UnderstandAnswer["constraints"][number];
type Decisions = UnderstandAnswer["curation"]["demote"];

/** Resolves the ordinals and pronouns of clauses to refs; what is not certain stays unresolved. */
export function resolvePointers(
  prompt: ParsedPrompt,
  scene: Scene,
  clauses: readonly Clause[],
): References {
  return clauses.flatMap(({ kind, names }) =>
    names.flatMap(({ text, points }): References => {
      // "Make the flour 1 kg" means the flour that was just added.
      if (points === null && kind !== "change") return [];
      const how = points === null ? "name" : points === 0 ? "pronoun" : "ordinal";
      const ordinal = how === "ordinal" ? findListed(prompt, scene, points ?? 0) : [];
      const meant = how === "ordinal" ? ordinal : findAntecedents(prompt, scene, { kind, text });
      const fitting = meant.filter(
        ({ ref, label }) =>
          canMean(kind, ref, scene) && (how !== "name" || isWholeLabel(text, label)),
      );
      return fitting.length === 1 ? fitting.map(({ ref }) => ({ text, ref, how })) : [];
    }),
  );
}

/** The row at a place of the list that was shown last; of a long one as the turn found it. What was found since makes a list old. */
function findListed(
  { section }: ParsedPrompt,
  { listed, lastReply }: Scene,
  place: number,
): readonly PromptRef[] {
  const turns = section(HEADINGS.lastTurns).split("\n\n");
  const found =
    turns
      .map((turn) =>
        turn
          .split("\n")
          .filter((line) => line.includes(" → "))
          .map(readRefs),
      )
      .findLast((lists) => lists.some(({ length }) => length > 1)) ?? [];
  const isOld = !listed.some(({ ref }) => found.some((refs) => refs.includes(ref)));
  if (found.length > 0 && isOld) return [];
  const numbers = [...lastReply.matchAll(/^\s*(\d+)\. /gm)].map(([, number]) => Number(number));
  const shown = numbers.at(-1) ?? 0;
  const last = listed.length < MOST_NUMBERED ? (listed.at(-1)?.place ?? 0) : shown;
  const at = place > 0 ? place : last < listed.length ? 0 : last + place + 1;
  const whole = found.find((refs) => listed.every(({ ref }, index) => refs[index] === ref)) ?? [];
  const far = whole.slice(MOST_NUMBERED, shown)[at - MOST_NUMBERED - 1];
  return at > MOST_NUMBERED && far !== undefined
    ? [{ ref: far, label: "" }]
    : listed.filter((each) => each.place === at);
}

/** Lines of a list that the prompt numbers. */
const MOST_NUMBERED = 12;

/** Only a choice can be put on a day, and only a thing on a list: a planned meal that was listed last is neither. */
function canMean(kind: Clause["kind"], ref: string, { lexicon }: Scene): boolean {
  const { choices, schedule } = lexicon.words.roles;
  if (kind === "add") return !belongsTo(ref, choices) && !belongsTo(ref, schedule);
  return kind !== "plan" || belongsTo(ref, choices);
}

/** Returns what "it" can mean: what the last turn stored, else what it was about. */
function findAntecedents(
  { section }: ParsedPrompt,
  { things }: Scene,
  { kind, text }: { readonly kind: Clause["kind"]; readonly text: string },
): Thing[] {
  const isPlural = /^(?:them|those|these|both)/i.test(text);
  if (isPlural && kind !== "change" && kind !== "add") return [];
  const lines = (section(HEADINGS.lastTurns).split("\n\n").at(-1) ?? "").split("\n");
  const stored = lines
    .filter((line) => /^- e\d+: (?:created|updated) /.test(line))
    .flatMap(readRefs);
  const touched = lines.filter((line) => line.includes(" → ")).flatMap(readRefs);
  const refs = new Set(stored.length > 0 ? stored : touched);
  const meant = things.filter(({ ref }) => refs.has(ref));
  // "Them" is one row where its name is a plural: "eggs".
  return meant.filter(({ label }) => !isPlural || meant.length > 1 || singular(label) !== label);
}

/** Applies the exclusions and restorations of a message to what the prompt shows; `expressed` is a sentence on the dishes that are left out, with the reason, and those that are back. */
export function curate(clauses: readonly Clause[], scene: Scene, references: References) {
  const { words } = scene.lexicon;
  const demote: Decisions = [];
  const restore: Decisions = [];
  const leftOut: string[] = [];
  const constraints: UnderstandAnswer["constraints"] = [];
  for (const { kind, names, day } of clauses) {
    if (kind === "restore" && names.length === 0) {
      constraints.push(...readUnwanted(scene.wishes).map(welcome));
      restore.push(...scene.excluded.map(({ ref }) => ({ ref, reason: "everything is back" })));
    }
    for (const name of names) {
      const reason = `no ${name.text}`;
      const excluded = kind === "exclude" ? findExcluded(name, scene, references) : [];
      demote.push(...excluded.map(({ ref }) => ({ ref, reason })));
      for (const { label, facts } of excluded)
        leftOut.push(
          describeReason(label, findShown([label, ...facts.split(", ")], name.text, words)),
        );
      const isLabel = excluded.some(({ label }) => isWholeLabel(name.text, label));
      const isWish = kind === "exclude" && name.points === null && (day !== null || !isLabel);
      // An allergy holds from now on, whatever comes of the question whether it is to be noted.
      if (kind === "allergy") constraints.push({ ...createWish(reason, null, null), kind: "hard" });
      if (isWish && (excluded.length > 0 || name.known || isFood(name, scene))) {
        constraints.push(createWish(reason, day?.last ?? null, null));
      }
      const lifted = kind === "restore" ? findUnwanted(name, scene) : [];
      constraints.push(...lifted.map(welcome));
      const kept = readUnwanted(scene.wishes).filter((each) => !lifted.includes(each));
      for (const { ref, label, reason: given } of kind === "restore" ? scene.excluded : []) {
        const isNamed =
          isWholeLabel(given, reason) || findShown([label], name.text, words) !== undefined;
        // "No chicken" still holds for the wings.
        const isKept = kept.some((wish) => findShown([label, name.text], wish, words));
        if (isNamed && !isKept) restore.push({ ref, reason: `${name.text} is back` });
      }
    }
  }
  if (demote.length + restore.length === 0) return { curation: null, constraints, expressed: "" };
  const back = scene.excluded.filter(({ ref }) => restore.some((each) => each.ref === ref));
  const restored = back.map(({ label }) => label);
  const summary = [...listAfter("Demoted ", leftOut), ...listAfter("Restored ", restored)].join(
    "; ",
  );
  const expressed = [...listAfter(LEAVE_OUT, leftOut), ...listAfter(BRING_BACK, restored)].join(
    "; ",
  );
  const curation = { retain: [], demote, restore, drop: [], clearAll: false, summary };
  return { curation, constraints, expressed };
}

/** Tells whether the last word of a name is one of a known name: "wings", "french toast". */
function isFood({ text }: Target, { lexicon }: Scene): boolean {
  return lexicon.nameWords.has(singular(text.toLowerCase().split(" ").at(-1) ?? ""));
}

function listAfter(opening: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${opening}${[...new Set(names)].join(", ")}`];
}

/** Openings of what Understand says of exclusions and restorations: Reply reads them. */
export const LEAVE_OUT = "Wants to leave out ";
export const BRING_BACK = "Wants back ";

function createWish(text: string, until: string | null, replaces: string | null): Wish {
  return { text, kind: "soft", count: null, until, replaces, scope: "conversation" };
}

/** Finds the wish that a name takes back: by the whole name, else by a part that one wish alone has. */
function findUnwanted({ text }: Target, { wishes }: Scene): string[] {
  const unwanted = readUnwanted(wishes);
  const whole = unwanted.filter((each) => isWholeLabel(each, text));
  const partly = unwanted.filter((each) => holdsName(each, text));
  return whole.length > 0 || partly.length > 1 ? whole : partly;
}

const WELCOME = /^- (.+) is welcome/gmu;

/** Tells whether a name, or one that it is a part of, is no longer left out. */
export function isWelcome(name: string, wishes: string): boolean {
  return [...wishes.matchAll(WELCOME)].some(([, label = ""]) => holdsName(label, name));
}

/** Takes an exclusion back. */
function welcome(name: string): Wish {
  return createWish(`${name} is welcome`, null, `no ${name}`);
}

/** Finds what can be chosen whose label or facts show the excluded name. */
function findExcluded({ text, points }: Target, scene: Scene, references: References): Thing[] {
  const { words } = scene.lexicon;
  const { choices } = words.roles;
  if (points !== null) {
    const meant = references.filter((each) => each.text === text);
    return scene.things.filter(({ ref }) => meant.some((each) => each.ref === ref));
  }
  return scene.things
    .filter(({ ref }) => choices === null || belongsTo(ref, choices))
    .filter(({ label, facts }) => findShown([label, ...facts.split(", ")], text, words));
}
