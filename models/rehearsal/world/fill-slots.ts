import type { FillRequest, MadeUpFields, Slot } from "./world.ts";

/** Times of day for which there is cooking enough to eat of it again. */
const COOKED = "dinner";

const EATEN_AGAIN = "lunch";

/**
 * Puts dishes into slots: a dinner is cooked for the next day's lunch as well where that is to be
 * filled, so that a fresh cook comes before its leftovers and the portions add up.
 */
export function fillSlots({ slots, options, size }: FillRequest): readonly MadeUpFields[] {
  const dishes = inGoodOrder(options);
  if (dishes.length === 0) return [];
  const rows: MadeUpFields[] = [];
  let next = 0;
  let left: { readonly dish: (typeof dishes)[number]; readonly from: number } | null = null;
  for (const [index, slot] of slots.entries()) {
    if (left !== null && slot.time === EATEN_AGAIN && index === left.from + 1) {
      rows.push(rowOf(slot, { dish: left.dish, servings: size, leftovers: true }));
      left = null;
      continue;
    }
    const dish = dishes[next % dishes.length];
    if (dish === undefined) continue;
    next += 1;
    const feedsNext: boolean = slot.time === COOKED && followsWithLunch(slot, slots[index + 1]);
    rows.push(rowOf(slot, { dish, servings: feedsNext ? size * 2 : size, leftovers: false }));
    left = feedsNext ? { dish, from: index } : null;
  }
  return rows;
}

function followsWithLunch(slot: Slot, next: Slot | undefined): boolean {
  return next?.time === EATEN_AGAIN && next.date > slot.date;
}

/** What is for breakfast comes last: it is no dinner. */
function inGoodOrder(options: FillRequest["options"]): FillRequest["options"] {
  const meals = options.filter(({ cells }) => !(cells["tags"] ?? "").includes("breakfast"));
  return meals.length > 0 ? meals : options;
}

function rowOf(
  slot: Slot,
  meal: {
    readonly dish: FillRequest["options"][number];
    readonly servings: number;
    readonly leftovers: boolean;
  },
): MadeUpFields {
  return {
    date: slot.date,
    slot: slot.time,
    recipe_id: meal.dish.ref,
    title: meal.dish.label,
    servings: meal.servings,
    leftovers: meal.leftovers,
  };
}
