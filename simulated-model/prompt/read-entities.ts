import { singular } from "../language/tokens.ts";

/** A ref with its label. */
export interface PromptRef {
  readonly ref: string;
  readonly label: string;
}

/** An entity as a table of refs shows it. */
export interface Thing extends PromptRef {
  readonly facts: string;
  readonly draft: boolean;
}

/** A ref in a text. */
export const REF = "[a-z]+(?:_[a-z]+)*_\\d+";
const THING = new RegExp(`^(${REF}) (.*?)( \\(draft, not saved\\))?(?:: ([^:]*))?$`);
const NAMED = new RegExp(`(${REF}) \\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, "g");
const CELL_REF = new RegExp(`^${REF}(?: \\(|$)`);

/** A table of refs with the changes after it: new lines, and refs that are gone. */
export function readTable(table: string, changes: string): Thing[] {
  const changed = new Map(readThings(changes).map((thing) => [thing.ref, thing]));
  const deleted = changes.split("\n").filter((line) => line.startsWith("Deleted: "));
  const gone = new Set(deleted.flatMap(readRefs));
  const left = readThings(table).filter(({ ref }) => !gone.has(ref));
  return left.map((thing) => changed.get(thing.ref) ?? thing);
}

function readThings(table: string): Thing[] {
  return table.split("\n").flatMap((line) => {
    const [, ref, label, draft, facts = ""] = THING.exec(line) ?? [];
    return ref === undefined || label === undefined
      ? []
      : [{ ref, label, draft: draft !== undefined, facts }];
  });
}

/** Every `recipe_5 (French Toast)` in a text, in order. */
export function readNamed(text: string): PromptRef[] {
  return [...text.matchAll(NAMED)].map(([, ref = "", label = ""]) => ({ ref, label }));
}

const LISTED = new RegExp(`(${REF}) (.+?)(?=, ${REF} |; |, not saved$| \\(|: |$)`, "gm");

/** Every `recipe_5 French Toast` in a text, in order. */
export function readListed(text: string): PromptRef[] {
  return [...text.matchAll(LISTED)].map(([, ref = "", label = ""]) => ({ ref, label }));
}

/** The things that were left out, with the reasons: `contains cod (turn 2): recipe_1 Cod Pie, recipe_2 Cod Tacos; …`. */
export function readLeftOut(text: string): (PromptRef & { readonly reason: string })[] {
  return text.split("\n").flatMap((line) => {
    const [, groups] = /^Left out(?: elsewhere)?: (.+)$/.exec(line) ?? [];
    return (groups ?? "").split(/; (?=[^;]*\bturn \d+\)?: )/).flatMap((group) => {
      const [, reason = "", items = ""] = /^(.*?) ?\(?(?:in )?turn \d+\)?: (.*)$/.exec(group) ?? [];
      return readListed(items).map(({ ref, label }) => ({ ref, label, reason }));
    });
  });
}

/** Every ref that stands in a text, "recipe_1 through recipe_9" spelled out, in order, once. */
export function readRefs(text: string): string[] {
  const spelled = text.replace(
    /\b([a-z]+(?:_[a-z]+)*)_(\d+) through \1_(\d+)/g,
    (_, prefix: string, from: string, to: string) =>
      Array.from(
        { length: Number(to) - Number(from) + 1 },
        (__, at) => `${prefix}_${Number(from) + at}`,
      ).join(", "),
  );
  return [...new Set(spelled.match(new RegExp(`\\b${REF}\\b`, "g")) ?? [])];
}

/** A text for people: refs taken out. */
export function withoutRefs(text: string): string {
  return text.replace(new RegExp(` ?\\(${REF}\\)|\\b${REF} ?`, "g"), "").trim();
}

/** A value for people: what a ref points at by its label, `customer_24 (João)` as `João`. */
export function withLabels(value: string): string {
  return withoutRefs(value.replace(NAMED, "$2"));
}

/** Tells whether a ref belongs to a part of the data: `inv_3` and `gen_inv_3` to `inventory`, `category_1` to `categories`. */
export function belongsTo(ref: string, part: string | null): boolean {
  const type = ref.replace(/_\d+$/, "").replace(/^gen_/, "");
  return part !== null && [part, singular(part)].some((name) => name.startsWith(type));
}

/** Orders refs of one type by their numbers: `dog_9` before `dog_10`. */
export function compareNumbers(one: string, other: string): number {
  const [first, second] = [one, other].map((ref) => Number(/\d+$/.exec(ref)?.[0]));
  return (first ?? 0) - (second ?? 0);
}

/** Tells whether a cell names the row that it points at. */
export function isRef(value: string): boolean {
  return CELL_REF.test(value);
}
