import { localeNamed, timeZoneNamed } from "../state/calendar.ts";

/** What the system says of the person: where it is known at all, else UTC and English. */
export function systemPerson(): { readonly timeZone: string; readonly locale: string } {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  return { timeZone: timeZoneNamed(timeZone) ?? "UTC", locale: localeNamed(locale) ?? "en" };
}
