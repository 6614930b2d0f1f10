import { localeNamed, timeZoneNamed } from "../state/calendar.ts";

/** Returns the system's time zone and locale; UTC and English if they are unknown. */
export function systemPerson(): { readonly timeZone: string; readonly locale: string } {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  return { timeZone: timeZoneNamed(timeZone) ?? "UTC", locale: localeNamed(locale) ?? "en" };
}
