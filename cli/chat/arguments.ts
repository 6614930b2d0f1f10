import { isDay, localeNamed, timeZoneNamed } from "../../state/calendar.ts";
import { didYouMean } from "../../text/nearest.ts";
import { MODEL_CHOICES, type ModelChoice } from "../../app/open-models.ts";
import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** The options of `chat`. */
export interface ChatOptions {
  readonly userId: string;
  /** The stored thread to continue; null for a new one. */
  readonly threadId: string | null;
  readonly json: boolean;
  readonly trace: boolean;
  /** `YYYY-MM-DD`; null for the current day of each message. */
  readonly today: string | null;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
  readonly model: ModelChoice | null;
  readonly resetDemo: boolean;
}

/** The text of `chat --help`. */
export const CHAT_HELP = `Usage: npm run chat -- [options]

A conversation with the meal-planning assistant. In a terminal it prompts for messages; otherwise it
reads one message per line from standard input, answers each, and exits 0, or 1 if one of them was
not answered. At the prompt, /help lists the commands: among them /plan for the plan as
a checklist, /map for what the experts said, and /map FILE.svg, which draws it.

Exit codes: 0 when the person leaves and when all piped messages were answered, 1 when one was not or
the program cannot continue, 2 for a wrong argument or setting, 128 and its number after a signal.

  --thread ID         continue a conversation; its id is shown at its start
  --user ID           who is talking (default: demo, whose kitchen is stocked; others start
                      with an empty one)
  --model NAME        simulated or openai (default: openai where it is configured)
  --today YYYY-MM-DD  use this day as today (default: the current day)
  --time-zone NAME    the time zone of that day, as in Europe/Berlin (default: the system's)
  --locale TAG        the person's language and region, as in en-GB (default: the system's)
  --reset-demo        reset the demo kitchen
  --json              print one event per line, as JSON, and nothing else
  --trace             show the prompt of every model call
  --help              print this

Settings are read from the environment and from the file .env; .env.example lists them.
`;

/** The person's time zone and locale, as the system gives them. */
export interface PersonDefaults {
  readonly timeZone: string;
  readonly locale: string;
}

/**
 * Reads the command line of `chat`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readChatArguments(
  argv: readonly string[],
  defaults: PersonDefaults,
): ChatOptions | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["thread", "user", "model", "today", "time-zone", "locale"],
    flags: ["json", "trace", "reset-demo"],
  });
  if (flags.has("help")) return "help";
  const [word] = positionals;
  if (word !== undefined) {
    throw new UsageError(
      `Cannot use "${word}": messages are typed at the prompt or piped in; --help lists the options`,
    );
  }
  const thread = values.get("thread");
  return {
    userId: readId("--user", values.get("user") ?? "demo"),
    threadId: thread === undefined ? null : readId("--thread", thread),
    json: flags.has("json"),
    trace: flags.has("trace"),
    today: readToday(values.get("today")),
    timeZone: readTimeZone(values.get("time-zone") ?? defaults.timeZone),
    locale: readLocale(values.get("locale") ?? defaults.locale),
    model: readModelChoice(values.get("model")),
    resetDemo: flags.has("reset-demo"),
  };
}

function readToday(value: string | undefined): string | null {
  if (value === undefined || isDay(value)) return value ?? null;
  throw new UsageError(
    `Cannot use --today "${value}": it is not a day of the calendar; write YYYY-MM-DD, as in 2026-01-12`,
  );
}

function readTimeZone(value: string): string {
  const name = timeZoneNamed(value);
  if (name !== null) return name;
  const meant = didYouMean(value, Intl.supportedValuesOf("timeZone"));
  throw new UsageError(
    `Cannot use --time-zone "${value}": the time zone is unknown${meant === "" ? "; write one such as Europe/Berlin" : meant}`,
  );
}

function readLocale(value: string): string {
  const locale = localeNamed(value);
  if (locale !== null) return locale;
  throw new UsageError(
    `Cannot use --locale "${value}": it is not a language tag; write one such as en or de-AT`,
  );
}

function readModelChoice(value: string | undefined): ModelChoice | null {
  const choice = MODEL_CHOICES.find((known) => known === value);
  if (value === undefined || choice !== undefined) return choice ?? null;
  const meant = didYouMean(value, MODEL_CHOICES);
  throw new UsageError(
    `Cannot use --model "${value}": write ${MODEL_CHOICES.join(" or ")}${meant}`,
  );
}
