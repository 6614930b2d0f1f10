import { isDay, localeNamed, timeZoneNamed } from "../../state/calendar.ts";
import { didYouMean } from "../../text/nearest.ts";
import { MODEL_CHOICES, type ModelChoice } from "../../app/open-models.ts";
import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** What the command line of `chat` asks for. */
export interface ChatOptions {
  readonly userId: string;
  /** A stored thread to go on with; null for a new one. */
  readonly threadId: string | null;
  readonly json: boolean;
  readonly trace: boolean;
  /** `YYYY-MM-DD`; null for the day it is when a message is sent. */
  readonly today: string | null;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
  readonly model: ModelChoice | null;
  readonly resetDemo: boolean;
}

/** What `chat --help` prints. */
export const CHAT_HELP = `Usage: npm run chat -- [options]

A conversation with the meal-planning assistant. In a terminal it prompts for messages; otherwise it
reads one message a line from standard input until its end, answers each and exits 0, or 1 where one
of them was not answered. At the prompt, /help lists the commands: among them /plan for the plan as
a checklist, /map for what the experts said, and /map FILE.svg, which draws it.

Exit codes: 0 when the person leaves and when all piped messages were answered, 1 when one was not or
the program cannot go on, 2 for a wrong argument or setting, 128 and its number after a signal.

  --thread ID         go on with a conversation, by the id it was given at its start
  --user ID           who is talking (default: demo, whose kitchen is stocked; others begin
                      with an empty one)
  --model NAME        simulated or openai (default: openai where it is configured)
  --today YYYY-MM-DD  the day it is taken to be (default: today)
  --time-zone NAME    where it is that day, as in Europe/Berlin (default: the system's)
  --locale TAG        the person's language and region, as in en-GB (default: the system's)
  --reset-demo        make the demo kitchen anew
  --json              print one event a line, as JSON, and nothing else
  --trace             show the prompt of every model call
  --help              print this

Settings are read from the environment and from the file .env; .env.example lists them.
`;

/** What the system says of the person. */
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
    `Cannot use --today "${value}": it is no day of the calendar; write YYYY-MM-DD, as in 2026-01-12`,
  );
}

function readTimeZone(value: string): string {
  const name = timeZoneNamed(value);
  if (name !== null) return name;
  const meant = didYouMean(value, Intl.supportedValuesOf("timeZone"));
  throw new UsageError(
    `Cannot use --time-zone "${value}": there is none of that name${meant === "" ? "; write one as in Europe/Berlin" : meant}`,
  );
}

function readLocale(value: string): string {
  const locale = localeNamed(value);
  if (locale !== null) return locale;
  throw new UsageError(
    `Cannot use --locale "${value}": it is no language tag; write one as in en or de-AT`,
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
