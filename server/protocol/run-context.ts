import { z } from "zod";
import { dayIn, isDay, localeNamed, timeZoneNamed } from "../../state/calendar.ts";

const today = z
  .string()
  .refine(isDay, { message: "it is not a calendar day; write YYYY-MM-DD" })
  .nullish()
  .describe("The person's current day, as YYYY-MM-DD. Default: today in their time zone.");

const timeZone = named(timeZoneNamed, "it is not an IANA time zone, as in Europe/Vienna")
  .nullish()
  .describe("The person's time zone by its IANA name. Default: UTC.");

const locale = named(localeNamed, "it is not a language tag, as in en-GB")
  .nullish()
  .describe("The person's language as a BCP 47 tag. Default: en.");

/** The context that a client may pass. Other fields are ignored. */
export const RunContextSchema = z.object({
  today,
  timeZone,
  locale,
  trace: z.boolean().nullish().describe("Whether prompts are among the run's events."),
});
export type RequestContext = z.infer<typeof RunContextSchema>;

/** The person that a turn runs for, and their day. */
export interface Person {
  readonly today: string;
  readonly timeZone: string;
  readonly locale: string;
}

/** Returns the person of a run; a missing field gets its default. */
export function readPerson(context: RequestContext, now: Date): Person {
  const zone = context.timeZone ?? "UTC";
  return {
    today: context.today ?? dayIn(zone, now),
    timeZone: zone,
    locale: context.locale ?? "en",
  };
}

function named(find: (name: string) => string | null, wrong: string) {
  return z.string().transform((name, context): string => {
    const found = find(name);
    if (found !== null) return found;
    context.addIssue({ code: "custom", message: wrong });
    return z.NEVER;
  });
}
