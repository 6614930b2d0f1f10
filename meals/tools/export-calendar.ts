import { createHash } from "node:crypto";
import ical, { ICalCalendarMethod } from "ical-generator";
import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import type { JsonObject } from "../../state/json.ts";
import { ToolInputError, type ToolRead } from "../../state/tool.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import { filterSql } from "../../domain/table-tools/conditions.ts";
import { orderSql } from "../../domain/table-tools/order.ts";
import { readEntities } from "../../domain/table-tools/read.ts";
import { fetchRows } from "../../domain/table-tools/rows.ts";
import { readDays } from "../days.ts";
import { mealsEntityType } from "../entity-types.ts";
import { capital, readNumberField, readTextField } from "../read-values.ts";

const MOST_MEALS = 60;

/** Gives the planned meals of some days as an iCalendar file. */
export const exportCalendar: DomainTool = defineTool({
  name: "export_calendar",
  subdomain: "meal_plans",
  steps: ["read"],
  description: "The meals planned from/to as an iCalendar text, for the person to save.",
  parameters: z.strictObject({
    from: z.string().describe("first day, YYYY-MM-DD"),
    to: z.string().describe("last day"),
  }),
  effect: "read",
  selectTable: () => "meal_plans",
  run: async (args, context) => {
    const days = readDays(args.from, args.to) ?? { from: args.from, to: args.to };
    const type = mealsEntityType("meal");
    const where = [
      { column: "date", op: ">=", value: days.from },
      { column: "date", op: "<=", value: days.to },
    ] as const;
    const read = await readEntities(
      type,
      {
        where: (bind) => filterSql(type, { where, anyOf: [] }, { bind, refs: context.refs }),
        orderBy: () => orderSql(type, null),
        limit: MOST_MEALS,
        detail: "full",
      },
      context,
    );
    assertAll(read);
    // The calendar is made from the rows even where the registry holds them already.
    const rows = await fetchRows(context.tx, type, { ids: read.ids, detail: "full" });
    const meals = rows.map(({ id, values }) => ({ id, values }));
    const text = meals.length === 0 ? null : calendarText(meals, context.timeZone);
    return { reads: [read], text };
  },
});

function assertAll(read: ToolRead): void {
  if (read.total <= MOST_MEALS) return;
  throw new ToolInputError(
    `Cannot export ${read.total} meals at once: that is too many; name days with at most ${MOST_MEALS}`,
  );
}

/** When a meal begins and how long it takes, in minutes; null for what has no time of day. */
const TIMES: Readonly<Record<string, { start: string; minutes: number } | null>> = {
  breakfast: { start: "08:00", minutes: 30 },
  lunch: { start: "12:30", minutes: 45 },
  dinner: { start: "19:00", minutes: 60 },
  snack: { start: "16:00", minutes: 15 },
  other: null,
};

interface CalendarMeal {
  readonly id: string;
  readonly values: JsonObject;
}

/**
 * An iCalendar text of meals. The same meals give the same text, on whatever day it is made.
 *
 * Event ids are made from the rows' ids and do not tell them.
 */
export function calendarText(meals: readonly CalendarMeal[], timeZone: string): string {
  const calendar = ical({
    name: "Meals",
    method: ICalCalendarMethod.PUBLISH,
    prodId: "//Concierge Graph//Meals//EN",
  });
  for (const { id, values } of meals) {
    const slot = readTextField(values, "slot");
    const date = Temporal.PlainDate.from(readTextField(values, "date"));
    const time = TIMES[slot] ?? null;
    const start = date.toZonedDateTime({
      timeZone,
      plainTime: Temporal.PlainTime.from(time?.start ?? "00:00"),
    });
    calendar.createEvent({
      id: `${createHash("sha256").update(id).digest("hex").slice(0, 20)}@meals`,
      stamp: new Date(`${readTextField(values, "date")}T00:00:00Z`),
      summary: `${capital(slot)}: ${readTextField(values, "title") || "a meal"}`,
      description: describe(values),
      ...(time === null
        ? { allDay: true, start: new Date(`${date.toString()}T00:00:00Z`), timezone: "UTC" }
        : {
            start: new Date(start.epochMilliseconds),
            end: new Date(start.add({ minutes: time.minutes }).epochMilliseconds),
          }),
    });
  }
  return calendar.toString();
}

function describe(values: JsonObject): string {
  const servings = readNumberField(values, "servings");
  return [
    values["leftovers"] === true ? "Leftovers" : "",
    servings === null ? "" : `${servings} servings`,
    readTextField(values, "notes"),
  ]
    .filter((part) => part !== "")
    .join(". ");
}
