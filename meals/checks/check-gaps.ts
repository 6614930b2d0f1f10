import { Temporal } from "temporal-polyfill";
import type { Constraint } from "../../state/constraint.ts";
import type { Breach, Change } from "../../state/change.ts";
import { dayWords, readTextField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const GAP_WORDS =
  /\b(empty|blank|free|open|nothing|no cooking|no meal|no meals|not cook|takeout|take-out|takeaway|eating out|eat out|going out|skip)\b/;
const SLOT = "breakfast|lunch|dinner|supper|snack";

/** A slot that is to stay empty: a weekday or a date, and the meal. */
interface Gap {
  readonly day: string;
  readonly slot: string;
}

/** Meals in slots that the person asked to be left empty. */
export function gapBreaches(
  changes: readonly Change[],
  constraints: readonly Constraint[],
): Breach[] {
  const meals = changes.filter(({ type }) => type === "meal");
  return constraints.flatMap((constraint) => {
    const gaps = gapsIn(constraint.text);
    return meals.flatMap(({ after }) => {
      const values = after ?? {};
      const [date, slot] = [readTextField(values, "date"), readTextField(values, "slot")];
      const isOver = constraint.until !== null && date > constraint.until;
      const isHit = gaps.some((gap) => gap.slot === slot && isDay(gap.day, date));
      if (isOver || !isHit) return [];
      const meal = readTextField(values, "title") || renderMealsSentence("aMeal");
      const reason = renderMealsSentence("slotToStayEmpty", { day: dayWords(date), slot, meal });
      return [{ kind: "breach", rule: constraint.text, reason, overridable: true }];
    });
  });
}

/** The slots that a wish leaves empty: "leave wednesday dinner and friday lunch empty". */
export function gapsIn(wish: string): readonly Gap[] {
  const text = wish.toLowerCase();
  if (!GAP_WORDS.test(text)) return [];
  const pattern = new RegExp(
    `\\b(${DAYS.join("|")}|\\d{4}-\\d{2}-\\d{2})(?:['’]s)?\\s+(${SLOT})s?\\b|\\b(${SLOT})s?\\s+(?:on|of)\\s+(${DAYS.join("|")}|\\d{4}-\\d{2}-\\d{2})\\b`,
    "g",
  );
  return [...text.matchAll(pattern)].map(([, day, slot, slotFirst, dayLast]) => ({
    day: day ?? dayLast ?? "",
    slot: (slot ?? slotFirst ?? "").replace("supper", "dinner"),
  }));
}

function isDay(day: string, date: string): boolean {
  if (day === date) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false;
  try {
    return DAYS[Temporal.PlainDate.from(date, { overflow: "reject" }).dayOfWeek - 1] === day;
  } catch {
    return false;
  }
}
