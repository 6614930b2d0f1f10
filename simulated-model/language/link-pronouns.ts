import type { Clause, Target } from "./request.ts";

/** A pronoun means what a clause before it names, and what only led to it goes: "We are out of eggs, add them", "the second one sounds good, put it on Friday". */
export function linkPronouns(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.reduce<readonly Clause[]>((done, clause) => {
    const last = done.at(-1);
    const typed = (last?.names ?? []).filter(({ points }) => points !== 0);
    // "Take 2 eggs out and put them in the freezer" speaks of two.
    const { quantity = null, unit = null } = last?.to ?? {};
    const part = quantity === null ? {} : { quantity: Math.abs(quantity), unit };
    const meant = typed.map((name) => Object.assign({}, name, part));
    const isLinked = clause.names.some((name) => name.points === 0 && canLink(name, meant));
    const isTurned = last?.kind === "remove" && clause.kind === "change";
    if (!isLinked || isTurned || last === undefined) return [...done, clause];
    const names = clause.names.flatMap((name) => (name.points === 0 ? join(name, meant) : [name]));
    const leads = (last.kind === "add" && last.stated) || last.kind === "restore";
    // "Take the milk off, we do not need it" and "mushrooms are fine, put them back" say one thing twice.
    if (last.kind === clause.kind && REPEATED.has(clause.kind)) return done;
    return [...(leads ? done.slice(0, -1) : done), { ...clause, names }];
  }, []);
}

const REPEATED: ReadonlySet<Clause["kind"]> = new Set(["remove", "exclude", "restore"]);

/** Returns true where a pronoun can mean so many things. */
export function canLink({ text }: Target, meant: readonly unknown[]): boolean {
  return meant.length === 1 || (meant.length > 1 && /^(?:them|those|these|both)/iu.test(text));
}

/** The things that a pronoun stands for, with what is said of the pronoun. */
function join({ day, slot, people }: Target, meant: readonly Target[]): Target[] {
  return meant.map((each) => Object.assign({}, each, { day, slot, people }));
}
