import { isDay, localeNamed, timeZoneNamed } from "../../state/calendar.ts";
import { didYouMean } from "../../text/nearest.ts";
import { MODEL_CHOICES } from "../../app/open-models.ts";
import { defineCommand, InvalidValue, readId, readChoice, type Values } from "../command-line.ts";

/** The person's time zone (an IANA name) and locale (a BCP 47 tag), as the system gives them. */
export interface PersonDefaults {
  readonly timeZone: string;
  readonly locale: string;
}

/** The options of `chat`. `threadId` null starts a thread, `today` null is each message's own day. */
export type ChatOptions = Values<ReturnType<typeof chatCommand>["arguments"]>;

/** Makes the table of `npm run chat`. */
export function chatCommand({ timeZone, locale }: PersonDefaults) {
  return defineCommand({
    start: "npm run chat --",
    about: `
A conversation with the meal-planning assistant. In a terminal it prompts for messages; otherwise it
reads one message per line from standard input, answers each, and exits 0, or 1 if one of them was
not answered. At the prompt, /help lists the commands: among them /plan for the plan as a checklist,
/map for what the experts said, and /map FILE.svg, which draws it.

Exit codes: 0 when the person leaves and when all piped messages were answered, 1 when one was not or
the program cannot continue, 2 for a wrong argument or setting, 128 and its number after a signal.

Settings are read from the environment and from the file .env; .env.example lists them.`,
    strayWord: "messages are typed at the prompt or piped in; --help lists the options",
    arguments: {
      threadId: {
        form: "--thread ID",
        about: "continue a conversation; its id is shown at its start",
        read: readId,
        absent: null,
      },
      userId: {
        form: "--user ID",
        about:
          "who is talking (default: demo, whose kitchen is stocked; others start with an empty one)",
        read: readId,
        absent: "demo",
      },
      model: {
        form: "--model NAME",
        about: "simulated or openai (default: openai where it is configured)",
        read: readChoice(MODEL_CHOICES),
        absent: null,
      },
      today: {
        form: "--today YYYY-MM-DD",
        about: "use this day as today (default: the current day)",
        read: readToday,
        absent: null,
      },
      timeZone: {
        form: "--time-zone NAME",
        about: "the time zone of that day, as in Europe/Berlin (default: the system's)",
        read: readTimeZone,
        absent: timeZone,
      },
      locale: {
        form: "--locale TAG",
        about: "the person's language and region, as in en-GB (default: the system's)",
        read: readLocale,
        absent: locale,
      },
      resetDemo: { form: "--reset-demo", about: "reset the demo kitchen" },
      json: { form: "--json", about: "print one event per line, as JSON, and nothing else" },
      trace: { form: "--trace", about: "show the prompt of every model call" },
    },
  });
}

function readToday(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidValue("it is not a day of the calendar; write YYYY-MM-DD, as in 2026-01-12");
}

function readTimeZone(text: string): string {
  const name = timeZoneNamed(text);
  if (name !== null) return name;
  const hint = didYouMean(text, Intl.supportedValuesOf("timeZone"));
  throw new InvalidValue(`the time zone is unknown${hint || "; write one such as Europe/Berlin"}`);
}

function readLocale(text: string): string {
  const locale = localeNamed(text);
  if (locale !== null) return locale;
  throw new InvalidValue("it is not a language tag; write one such as en or de-AT");
}
