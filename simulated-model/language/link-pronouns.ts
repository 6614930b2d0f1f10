import { joinParts } from "./lexicon.ts";
import type { Clause, Target } from "./request.ts";
import { nameKey } from "./tokens.ts";

/** A pronoun means what a clause before it names, and what only led to it goes: "We are out of eggs, add them", "the second one sounds good, put it on Friday". */
export function linkPronouns(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.reduce<readonly Clause[]>((done, clause) => {
    const last = done.at(-1);
    const typed = (last?.names ?? []).filter(({ points }) => points !== 0);
    // "Take 2 eggs out and put them in the freezer" speaks of two.
    const { quantity = null, unit = null } = last?.to ?? {};
    const taken = quantity === null ? {} : { quantity: Math.abs(quantity), unit };
    const meant = typed.map((name) => Object.assign({}, name, taken));
    const isLinked = clause.names.some((name) => name.points === 0 && canLink(name, meant));
    // "Sausages in the freezer, 8 of them" says how many; "another tin, so that makes 2" what there is then.
    const { quantity: amount = null, unit: measure = null } = clause.to ?? {};
    const [only, ...others] = clause.kind === "change" && amount !== null ? typed : [];
    if (isLinked && last?.kind === "add" && only !== undefined && others.length === 0) {
      const counted = {
        ...last,
        names: [{ ...only, quantity: amount, unit: measure ?? only.unit }],
      };
      const total = {
        ...clause,
        part: last.part,
        names: [{ ...only, quantity: null, unit: null, more: false }],
      };
      return [...done.slice(0, -1), only.more ? total : counted];
    }
    // "I used four slices, so there are four left" says one thing twice.
    if (isLinked && last?.kind === "change" && clause.kind === "change" && amount !== null) {
      const named = { ...clause, part: clause.part ?? last.part, names: last.names };
      return [...done.slice(0, -1), named];
    }
    const inside = joinParts(last?.part ?? null, clause.part);
    const part = inside ?? clause.part;
    if (last !== undefined && repeats(last, clause))
      return [...done.slice(0, -1), { ...clause, kind: last.kind, part }];
    // "I have put leeks in the fridge, add them to the stock" adds them once.
    const isOnce = last?.kind === "add" && clause.kind === "add" && !last.stated;
    if (isLinked && isOnce && inside !== null) return [...done.slice(0, -1), { ...last, part }];
    const isTurned = last?.kind === "remove" && clause.kind === "change";
    if (!isLinked || isTurned || last === undefined) return [...done, clause];
    const names = clause.names.flatMap((name) => (name.points === 0 ? join(name, meant) : [name]));
    const leads = (last.kind === "add" && last.stated) || last.kind === "restore";
    // "Take the milk off, we do not need it" and "mushrooms are fine, put them back" say one thing twice.
    // "We do not need the chocolate, cross it off" says that it is to go.
    const isCrossed = last.kind === "remove" && last.stated && clause.kind === "mark";
    if (isCrossed || (last.kind === clause.kind && REPEATED.has(clause.kind)))
      return done.with(done.length - 1, { ...last, stated: last.stated && clause.stated });
    return leads
      ? [...done.slice(0, -1), { ...clause, names, part }]
      : [...done, { ...clause, names }];
  }, []);
}

const SEVERAL = /^(?:(?:th|')?em|those|these|both|(?:the|all) (?:two|three)|all)\b/iu;

/** "We are out of honey, add honey to the list", "not in the mood for chili, drop the bean chili": what was stated is asked for. */
function repeats(last: Clause, { kind, names, part, stated, day }: Clause): boolean {
  const isThen = last.day === null || day === null || last.day.first === day.first;
  const isThere =
    isThen && (last.part === null || part === null || joinParts(last.part, part) !== null);
  const isAgain = kind === "add" ? last.stated : REPEATED.has(kind) && isThere;
  const isAsked = last.kind === kind && isAgain && !stated;
  const isLeftOut = last.kind === "exclude" && kind === "remove" && part === null;
  const isSame = ({ text }: Target): boolean =>
    last.names.some((each) => ` ${nameKey(text)} `.includes(` ${nameKey(each.text)} `));
  return (
    names.length > 0 &&
    names.length >= last.names.length &&
    (isAsked || isLeftOut) &&
    names.every(isSame)
  );
}

const REPEATED: ReadonlySet<Clause["kind"]> = new Set(["remove", "mark", "exclude", "restore"]);

/** Returns true where a pronoun can mean so many things. */
export function canLink({ text }: Target, meant: readonly unknown[]): boolean {
  return meant.length === 1 || (meant.length > 1 && SEVERAL.test(text));
}

/** The things that a pronoun stands for, with what is said of the pronoun. */
function join({ day, slot, people, quantity, unit }: Target, meant: readonly Target[]): Target[] {
  const amount = quantity === null ? {} : { quantity, unit };
  return meant.map((each) => Object.assign({}, each, { day, slot, people }, amount));
}
