import { namePart } from "../language/lexicon.ts";
import { readMessage } from "../language/read-message.ts";
import { canLink } from "../language/link-pronouns.ts";
import { type Clause, createClause, createTarget, TALK, type Target } from "../language/request.ts";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import { belongsTo } from "../prompt/read-entities.ts";
import type { Scene } from "../prompt/scene.ts";
import { holdsName, isWholeLabel } from "../understand/match-things.ts";
import { findHome, listPlaces } from "./build-steps.ts";
import type { PlanFacts } from "./plan.ts";

/** "And the oranges too" after "I bought the coffee" is bought as well; without the last word, and after a removal or a plan, it is asked about. */
export function continueLast(clause: Clause, scene: Scene): Clause {
  const { kind, isFragment, names } = clause;
  const isBare = names.every(({ quantity, points }) => quantity === null && points === null);
  if (kind !== "add" || !isFragment || !isBare) return clause;
  const last = (["mark", "remove", "plan"] as const).find((each) => goesOn(each, scene));
  if (last === undefined) return clause;
  if (last === "mark" && /\btoo\b/iu.test(scene.message)) return { ...clause, kind: last };
  if (last !== "plan") return { ...clause, kind: last, stated: true };
  const [day, ...others] = readLast(scene).flatMap((each) => each.names);
  if (day === undefined || others.length > 0) return clause;
  return { ...planFor(day, clause), part: null, stated: true };
}

/** "Put that on the list" after "do we have feta?" means what was asked about; several things are "both" or "them". */
export function nameAsked(clause: Clause, scene: Scene): Clause {
  const isOpen = ({ text, points }: Target): boolean =>
    points === 0 && !scene.references.some((each) => each.text === text);
  if (clause.kind !== "add" || !clause.names.some(isOpen)) return clause;
  const looks = readLast(scene).filter(({ kind }) => !TALK.some((talk) => talk === kind));
  const meant = new Map(looks.flatMap(({ names }) => names.map((name) => [name.text, name])));
  const isLook = looks.every(({ kind }) => kind === "show");
  const isKnown = [...meant.values()].every(({ known }) => known);
  const names = clause.names.flatMap((name) =>
    isOpen(name) && canLink(name, [...meant])
      ? [...meant.keys()].map((text) =>
          Object.assign({}, name, { text, known: true, points: null }),
        )
      : [name],
  );
  return isLook && isKnown ? { ...clause, names } : clause;
}

/** "Put it in the freezer" moves what is in stock; what is on the list stays there, so that it is asked about. */
export function moveStored(clause: Clause, { references, lexicon }: Scene): Clause {
  const { kind, part, names } = clause;
  const { stock } = lexicon.words.roles;
  const meant = references.filter(({ text }) =>
    names.some((name) => name.points !== null && name.text === text),
  );
  const [only, ...others] = meant;
  if (kind !== "add" || part === null || part.subdomain !== stock || only === undefined)
    return clause;
  const isMoved = others.length === 0 && names.length === 1 && names[0]?.quantity === null;
  if (!isMoved || part.value === null || !belongsTo(only.ref, stock))
    return { ...clause, stated: true };
  return createClause("change", { names, to: createTarget("", { slot: part.value }) });
}

/** Tells whether the message before asked for additions or changes of this kind and nothing else, and they were made. */
export function goesOn(kind: Clause["kind"], scene: Scene): boolean {
  const kinds = readLast(scene).map((each) => each.kind);
  return (
    kinds.length > 0 &&
    kinds.every((each) => each === kind || (each === "add" && kind === "change")) &&
    (kind === "add" ? /^Added: / : /^(?:Added|Changed|Deleted): /).test(scene.lastReply)
  );
}

function readLast({ lastMessage, lexicon }: Scene): readonly Clause[] {
  const before = readMessage(lastMessage, lexicon);
  return before.kind === "understood" ? before.request.clauses : [];
}

/** "Make it Friday" plans a dish that is no meal yet. */
export function planChoice(clause: Clause, { roles }: SimulatedWords): Clause {
  const { kind, to, names } = clause;
  const isDish = names.every(({ ref }) => ref !== null && belongsTo(ref, roles.choices));
  const isMoved = kind === "change" && to !== null && to.day !== null && names.length > 0;
  return isMoved && isDish ? { ...planFor(to, clause), to: null } : clause;
}

/** The plan of a clause's dishes for a day. */
function planFor({ day, slot }: Pick<Target, "day" | "slot">, clause: Clause): Clause {
  const names = clause.names.map((name) => Object.assign({}, name, { day, slot }));
  return { ...clause, kind: "plan", names };
}

/** "Remove Ana" means the part that shows her, else the one that was spoken of last, where nothing else holds rows of one's own: it is asked about. */
export function placeRemoval(clause: Clause, facts: PlanFacts): Clause {
  const { scene, words } = facts;
  const { kind, part, names } = clause;
  const { list, stock, schedule } = words.roles;
  const isOpen = names.length > 0 && names.every(({ ref, points }) => (ref ?? points) === null);
  if (kind !== "remove" || part !== null || !isOpen) return clause;
  if (listPlaces(clause, facts).length > 1) return clause;
  const shown = scene.things.filter(({ label }) =>
    names.some(({ text }) => isWholeLabel(text, label)),
  );
  const homes = new Set(shown.map(({ ref }) => findHome(ref, scene)));
  const [home = scene.lexicon.lastPart?.subdomain] = homes;
  if (home === undefined || homes.size > 1 || [list, stock, schedule].includes(home)) return clause;
  return { ...clause, part: { subdomain: home, value: null }, stated: true };
}

/** "No kitchen roll" leaves no dish out where the shopping list was spoken of last and no dish has it: it is asked about. */
export function placeExclusion(clause: Clause, { lexicon, lastReply, things }: Scene): Clause {
  const { choices, list } = lexicon.words.roles;
  const { kind, names, day } = clause;
  if (kind !== "exclude" || day !== null || list === null || offersExclusion(lastReply))
    return clause;
  const part = { subdomain: list, value: null };
  const isListed =
    lexicon.lastPart?.subdomain === list ||
    lastReply.includes(` the ${namePart(part, lexicon.words)}`);
  const isDish = ({ text, points }: Target): boolean =>
    points !== null ||
    text.toLowerCase() in lexicon.words.kinds ||
    things.some(({ ref, label }) => belongsTo(ref, choices) && holdsName(label, text));
  return !isListed || names.some(isDish)
    ? clause
    : { ...clause, kind: "remove", part, stated: true };
}

/** Begins an exclusion that a question offers. */
export const OFFERS_EXCLUSION = "leave out";

/** Tells whether a reply asks "do you mean “leave out milk” or …?": to say so answers it. */
export function offersExclusion(reply: string): boolean {
  return reply.includes(`“${OFFERS_EXCLUSION} `);
}

/** "No more milk" without a day may say that it has run out. */
export function isDoubtfulExclusion(
  { kind, names, day }: Pick<Clause, "kind" | "names" | "day">,
  { message, lexicon }: Pick<Scene, "message" | "lexicon">,
): boolean {
  const isBought =
    lexicon.words.roles.list !== null && names.every(({ points }) => points === null);
  return kind === "exclude" && day === null && isBought && /\bno more\b/iu.test(message);
}

/** Pointing words are replaced by label and ref, so that the step means the same thing. */
export function nameReferences(clause: Clause, { references }: Scene): Clause {
  const names = clause.names.map((target) => {
    const found = references.find(({ text }) => text === target.text);
    if (found === undefined || (target.points === null && clause.kind !== "change")) return target;
    // What is added is a row of its own.
    const ref = clause.kind === "add" ? null : found.ref;
    return { ...target, text: found.label, ref, known: true, points: null };
  });
  return { ...clause, names };
}
