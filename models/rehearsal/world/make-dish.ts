import { stem } from "../language/stem.ts";
import { indexOfWords, stems, titled } from "../language/words.ts";
import { type Dish, DISHES, type DishPart } from "./dishes.ts";
import { KINDS } from "./food-words.ts";
import type { AlterRequest, MadeUp, MadeUpFields, MakeUpRequest } from "./world.ts";

const LIST = "ingredients";

/** Makes up a dish: one it knows, else a plain one of that name. */
export function makeDish(request: MakeUpRequest): MadeUp {
  const taken = new Set(request.taken.map((name) => name.toLowerCase()));
  const free = DISHES.filter(({ name }) => !taken.has(name.toLowerCase()));
  const dish =
    [...free]
      .toSorted((a, b) => fit(b, request) - fit(a, request))
      .find((one) => fit(one, request) > 0) ?? plainDish(request);
  const without = [...request.avoid, ...refusedIn(request.what)];
  const parts = dish.parts.flatMap((part) => avoiding(part, { dish, avoid: without }));
  return {
    fields: {
      name: dish.name,
      servings: request.size,
      prep_minutes: dish.prep,
      cook_minutes: dish.cook,
      tags: dish.prep + dish.cook <= 30 ? ["quick"] : [],
      instructions: dish.steps,
    },
    children: { list: LIST, rows: parts.map((part) => partFields(part, request.size)) },
  };
}

/** How well a dish fits what was asked for; its own name weighs most. */
function fit(dish: Dish, { what, avoid }: MakeUpRequest): number {
  const words = stems(what);
  const name = stems(dish.name);
  const named = indexOfWords(words, name) !== -1 ? 10 : 0;
  const nouns = words.filter((word) => name.includes(word)).length * 2;
  const called = dish.words.filter((word) => indexOfWords(words, stems(word)) !== -1).length;
  const unknown = words.filter(
    (word) => isNoun(word) && !name.includes(word) && !knows(dish, word),
  );
  const score = named + nouns + called - (named > 0 ? 0 : unknown.length * 3);
  const lost = dish.parts.filter((part) => avoiding(part, { dish, avoid }).length === 0).length;
  return score - lost;
}

/** Words that say how rather than what. */
const MANNER = new Set(
  stems(
    "simple quick easy fast nice good tasty light healthy cheap fresh hearty spicy mild little small big new other different without no with and or in on homemade classic basic",
  ),
);

function isNoun(word: string): boolean {
  return !MANNER.has(word);
}

function knows(dish: Dish, word: string): boolean {
  return [...dish.words, ...dish.parts.map(([name]) => name)].some((text) =>
    stems(text).includes(word),
  );
}

/** How further dishes of one name are told apart. */
const OTHER_NAMES = ["", "Garlic", "Oven", "Spicy", "Creamy", "Green"];

/** A dish nobody has heard of is made the plain way. */
function plainDish({ what, taken }: MakeUpRequest): Dish {
  const words = what.split(" ").filter((word) => !MANNER.has(stem(word)) && word !== "");
  const main = words.length === 0 ? "vegetables" : words.join(" ");
  const plain = titled(main);
  const same = taken.filter((other) => other.toLowerCase().endsWith(plain.toLowerCase())).length;
  return {
    name: [OTHER_NAMES[same] ?? `Yet Another ${same}`, plain]
      .filter((part) => part !== "")
      .join(" "),
    words: [],
    prep: 10,
    cook: 20,
    parts: [
      [main.split(" ")[0] ?? main, 150, "g"],
      ["onions", 0.5],
      ["garlic", 1, "cloves"],
      ["olive oil", 1, "tbsp"],
      ["salt"],
    ],
    steps: `Soften onion and garlic in the oil, add the rest, cook it through and season.`,
    swaps: {},
  };
}

/** "a soup without carrots or onions" → carrots, onions. */
function refusedIn(what: string): string[] {
  const list = /\b(?:without|no) (.+)$/.exec(what)?.[1];
  return list === undefined ? [] : list.split(/ (?:and|or|,) |, /).map((item) => item.trim());
}

function avoiding(
  part: DishPart,
  { dish, avoid }: { readonly dish: Dish; readonly avoid: readonly string[] },
): DishPart[] {
  if (!isAvoided(part[0], avoid)) return [part];
  const swap = dish.swaps[part[0]];
  return swap === undefined || isAvoided(swap[0], avoid) ? [] : [swap];
}

/** Whether a food is one that must not be there, by name or by kind. */
function isAvoided(name: string, avoid: readonly string[]): boolean {
  return avoid.some((avoided) => namesFood(name, avoided));
}

/** Phrases that only sound like a food. */
const HARMLESS = ["olive oil", "coconut milk", "coconut cream", "butter beans", "peanut free"];

/** Whether a text names a food, itself or by its kind; "olive oil" does not name olives. */
export function namesFood(text: string, food: string): boolean {
  const bare = HARMLESS.filter((phrase) => phrase !== food).reduce(
    (current, phrase) => current.replaceAll(phrase, " "),
    text.toLowerCase(),
  );
  const words = stems(bare);
  return [food, ...(KINDS[food] ?? KINDS[stem(food)] ?? [])].some(
    (one) => indexOfWords(words, stems(one)) !== -1,
  );
}

function partFields([name, quantity, unit, note]: DishPart, size: number): MadeUpFields {
  return {
    name,
    ...(quantity === undefined ? {} : { quantity: rounded(quantity * size) }),
    ...(unit === undefined ? {} : { unit: unitFor(unit, (quantity ?? 1) * size) }),
    ...(note === undefined ? {} : { note }),
  };
}

/** Halves of an onion are rounded up to what a shop sells. */
function rounded(quantity: number): number {
  return quantity < 10 ? Math.ceil(quantity * 2) / 2 : Math.round(quantity);
}

function unitFor(unit: string, quantity: number): string {
  if (unit === "can") return quantity > 1 ? "cans" : "can";
  return unit === "cloves" && quantity <= 1 ? "clove" : unit;
}

/** Changes a dish as asked: more people, something on top, something out, another name. */
export function alterDish({ draft, change, avoid }: AlterRequest): MadeUp | null {
  const size =
    /\b(?:for|serves?|serving|feeds?) (\d+)\b|\b(\d+) (?:people|persons|servings|portions)\b|\bmake (?:it|that|this) (?:for )?(\d+)\b/.exec(
      change,
    );
  const wanted = size?.[1] ?? size?.[2] ?? size?.[3];
  if (wanted !== undefined) return resized(draft, Number(wanted));
  if (/\bdouble\b/.test(change)) return resized(draft, Number(draft.fields["servings"] ?? 2) * 2);
  if (/\bhalve\b/.test(change))
    return resized(draft, Math.max(1, Number(draft.fields["servings"] ?? 2) / 2));
  const name = /\b(?:call|rename) (?:it|that|this)?(?: to)? ?(.+)$/.exec(change)?.[1];
  if (name !== undefined) return { ...draft, fields: { ...draft.fields, name: titled(name) } };
  const swap =
    /\b(?:use |with |replace |swap )?(?:the )?(.+?) (?:instead of|for|with|by) (?:the )?(.+)$/.exec(
      change,
    );
  if (swap?.[1] !== undefined && swap[2] !== undefined && /\binstead of\b/.test(change)) {
    return added(removed(draft, swap[2]) ?? draft, swap[1], avoid);
  }
  if (
    swap?.[1] !== undefined &&
    swap[2] !== undefined &&
    /\b(?:replace|swap|substitute)\b/.test(change)
  ) {
    return added(removed(draft, lastWords(swap[1])) ?? draft, swap[2], avoid);
  }
  const without = /\b(?:without|leave out|no|skip|drop|remove|minus)(?: the| any)? (.+)$/.exec(
    change,
  )?.[1];
  if (without !== undefined) return removed(draft, without);
  const extra = extraIn(change);
  return extra === "" ? null : added(draft, extra, avoid);
}

/** "put crumbled feta on top" → crumbled feta. */
function extraIn(change: string): string {
  return change
    .replace(
      /\b(?:add|put|include|throw in|mix in|stir in|sprinkle|garnish|top|topped|finish|scatter|crumble|on top(?: of)?|on it|over it|with|it|that|this|them|off|some|more|extra|a little|a bit of|a|an|the|and|in|of|as well|too|would be nice|i|want|like|would|have|give|be|nice|great|good|at the end|to|make|is|there)\b/g,
      " ",
    )
    .replace(/[,.]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function lastWords(text: string): string {
  return text.replace(/^.*\b(?:replace|swap|substitute)\b(?: the)?/, "").trim();
}

function resized(draft: MadeUp, size: number): MadeUp {
  const before = Number(draft.fields["servings"] ?? size);
  const factor = before > 0 ? size / before : 1;
  return {
    fields: { ...draft.fields, servings: size },
    children:
      draft.children === null
        ? null
        : {
            ...draft.children,
            rows: draft.children.rows.map((row) => {
              const { quantity } = row;
              return typeof quantity === "number"
                ? { ...row, quantity: rounded(quantity * factor) }
                : row;
            }),
          },
  };
}

function removed(draft: MadeUp, what: string): MadeUp | null {
  if (draft.children === null) return null;
  const foods = what
    .split(/ (?:and|or) |, ?/)
    .map((food) => food.replace(/\b(?:please|in it|at all)\b/g, "").trim());
  const rows = draft.children.rows.filter((row) => !isAvoided(String(row["name"] ?? ""), foods));
  return rows.length === draft.children.rows.length
    ? null
    : { ...draft, children: { ...draft.children, rows } };
}

const TOPPINGS: Readonly<Record<string, DishPart>> = {
  feta: ["feta", 40, "g"],
  parmesan: ["parmesan", 15, "g"],
  cheese: ["cheddar", 30, "g"],
  parsley: ["parsley", 5, "g"],
  coriander: ["coriander", 5, "g"],
};

const MADE_READY = new Set([
  "crumbled",
  "grated",
  "chopped",
  "toasted",
  "fresh",
  "sliced",
  "roasted",
  "melted",
]);

function added(draft: MadeUp, what: string, avoid: readonly string[]): MadeUp | null {
  if (isAvoided(what, avoid)) return null;
  const words = what.split(" ");
  const ready = words.filter((word) => MADE_READY.has(word));
  const food = words.filter((word) => !MADE_READY.has(word)).join(" ");
  const known = TOPPINGS[stem(food)] ?? TOPPINGS[food];
  const size = Number(draft.fields["servings"] ?? 2);
  const row = partFields(known ?? [food], size);
  const rows = draft.children?.rows.filter(({ name }) => name !== row["name"]) ?? [];
  const steps = draft.fields["instructions"];
  const sentence = `Finish with ${[...ready, food].join(" ")} on top.`;
  return {
    fields: {
      ...draft.fields,
      ...(typeof steps === "string" ? { instructions: `${steps} ${sentence}` } : {}),
    },
    children: {
      list: LIST,
      rows: [...rows, ready.length === 0 ? row : { ...row, note: ready.join(" ") }],
    },
  };
}
