import { isDay, localeNamed, timeZoneNamed } from "../../state/calendar.ts";
import { didYouMean } from "../../text/nearest.ts";
import {
  defineCommand,
  InvalidValue,
  readId,
  type Values,
  MODEL_ARGUMENT,
} from "../command-line.ts";

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
A conversation with the meal-planning assistant. In a terminal it prompts for messages, and at the
first start without a model asks which one to use; otherwise it reads one message per line from
standard input, answers each, and exits 0, or 1 if one of them was not answered. At the prompt, /help
lists the commands: among them /plan for the plan as a checklist, /map for what the experts said, /map
list and /map 2 for earlier maps, and /map FILE.svg, which draws the last.

Exit codes: 0 when the person leaves and when all piped messages were answered, at least in part; 1
when one was not or the program cannot continue; 2 for a wrong argument or setting; 3 when the model
and 4 when the database cannot be used; 128 and its number after a signal (130 for Ctrl-C).`,
    settings: "chat",
    strayWord: "messages are typed at the prompt or piped in; --help lists the options",
    arguments: {
      threadId: ["--thread ID", "continue the conversation with this id", readId, null],
      userId: [
        "--user ID",
        "who is talking (default: demo, whose kitchen is stocked; others start with an empty one)",
        readId,
        "demo",
      ],
      model: MODEL_ARGUMENT,
      today: ["--today YYYY-MM-DD", "the day that counts as today", readToday, null],
      timeZone: [
        "--time-zone NAME",
        "as in Asia/Tokyo (default: the system's)",
        readTimeZone,
        timeZone,
      ],
      locale: ["--locale TAG", "as in en-GB (default: the system's)", readLocale, locale],
      resetDemo: ["--reset-demo", "reset the demo kitchen"],
      json: ["--json", "print one event per line, as JSON, and nothing else"],
      trace: ["--trace", "show the prompt of every model call"],
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
