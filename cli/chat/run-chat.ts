import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { tryClaim } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { dayIn } from "../../state/calendar.ts";
import { loadConfig, type Config } from "../../app/config.ts";
import { createLog, createPlainLog } from "../../app/log.ts";
import { openAssistant, type Assistant } from "../../app/open-assistant.ts";
import { checkModel, type ModelCheck } from "../../app/check-model.ts";
import { chooseModel, describeModels, SIMULATED, toModelOption } from "../../app/open-models.ts";
import { listNotices } from "../../app/print-ignored.ts";
import type { OptionValues } from "../../app/settings/setting.ts";
import { UnusableModelError } from "../../app/unusable-model-error.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { ChatOptions } from "./arguments.ts";
import { askToGoOn } from "./ask-to-go-on.ts";
import type { ChatContext } from "./chat.ts";
import { offerModel } from "./first-run/offer-model.ts";
import { Interrupts } from "./interrupts.ts";
import { Output } from "./output.ts";
import { runPipedChat, type PipedOutcome } from "./piped.ts";
import { Session } from "./session.ts";
import { isThreadId, newThreadId } from "../thread-id.ts";

/** The time that an ending program gives its turn to stop, and then its database to close. */
const GRACE_MS = 2_000;
const EXIT_CODES: Readonly<Record<PipedOutcome, number>> = { answered: 0, stopped: 130, failed: 1 };
/** A database that takes longer to open is announced. */
const NOTICE_MS = 1_000;

/**
 * Runs a conversation to its end and returns the exit code: 0 when the person leaves, when the input
 * ends or when the reader of the output goes away; 1 if the input is not a terminal and a message in
 * it failed or was not answered; 128 plus its number after a signal, one that only stopped the turn
 * of such a message included.
 *
 * @throws UsageError for settings, arguments and threads that cannot be used; UnusableModelError for
 * a model that gives no answers; DatabaseUnavailableError; Error in a sentence when the program
 * cannot start or its input or output fails.
 */
export async function runChat(options: ChatOptions): Promise<number> {
  const inTerminal = isatty(process.stdin.fd) && isatty(process.stdout.fd) && !options.json;
  // Lines of JSON among the conversation help nobody who has not asked for them.
  const hidesLog = inTerminal && isatty(process.stderr.fd);
  const loadSettings = (given: OptionValues | null): Config =>
    loadConfig("chat", {
      ...(hidesLog ? { logLevel: "silent" } : {}),
      // A person reads the warning about a misspelled name before the first message.
      allowsSimulated: inTerminal || options.model === SIMULATED,
      ...(given === null ? {} : { options: given }),
    });
  const settings = loadSettings(toModelOption(options.model));
  const first = inTerminal && options.model === null ? await offerModel(settings) : null;
  if (first?.kind === "left") {
    process.stdin.destroy();
    return first.exitCode;
  }
  const settled =
    first?.kind === "chosen" ? loadSettings({ values: first.values, options: {} }) : settings;
  const config = {
    ...settled,
    model: chooseModel(settled.model, options.model),
    // Before an offer they were shown already.
    ignored: first === null ? settled.ignored : [],
  };
  const interrupts = new Interrupts({ confirm: inTerminal });
  const stopListening = listenToSignals(interrupts);
  let exitCode = 0;
  try {
    const printer = { print: inTerminal ? printLine : warn };
    const program = { config, interrupts, inTerminal, printer };
    const chat = await openChat(options, program);
    try {
      const outcome = await Promise.race([converse(chat, program), graceAfter(interrupts)]);
      exitCode = EXIT_CODES[outcome];
    } finally {
      await Promise.race([chat.assistant.close(), delay(GRACE_MS, undefined, { ref: false })]);
    }
  } finally {
    stopListening();
    process.stdin.destroy();
  }
  const departure = interrupts.departure();
  // A turn that could not be stopped must not keep the program alive.
  if (departure !== null) setTimeout(() => process.exit(), GRACE_MS).unref();
  return departure?.exitCode ?? exitCode;
}

/** An open chat with its assistant and thread. */
interface OpenChat extends ChatContext {
  readonly assistant: Assistant;
  readonly threadId: string;
}

/** The process in which a chat runs. */
interface ChatProgram {
  readonly config: Config;
  readonly interrupts: Interrupts;
  readonly inTerminal: boolean;
  readonly printer: Printer;
}

/** The way to the person; a session takes it over. */
interface Printer {
  print: (line: string) => void;
}

async function openChat(options: ChatOptions, program: ChatProgram): Promise<OpenChat> {
  const { config, interrupts, inTerminal, printer } = program;
  const { print } = printer;
  print(`Model: ${describeModels(config.model)}`);
  listNotices(config).forEach(print);
  const log =
    inTerminal && config.logLevel === "silent"
      ? createPlainLog((line) => printer.print(line))
      : createLog(config);
  const today = (): string => options.today ?? dayIn(options.timeZone, new Date());
  const notice = isatty(process.stderr.fd) ? announceWait(config, print) : undefined;
  const { resetDemo } = options;
  // Beside the database, so that it costs no time.
  const checking = checkModel(config.model, config);
  const assistant = await openAssistant(config, { log, today: today(), resetDemo }).finally(() =>
    clearTimeout(notice),
  );
  try {
    await admitModel(await checking, program);
    if (resetDemo) print("The demo kitchen was reset");
    const threadId = await chooseThread(assistant, options);
    print(`Thread: ${threadId}`);
    if (inTerminal) print("Type a message, or /help.");
    return {
      assistant,
      options,
      interrupts,
      log,
      today,
      now: () => new Date(),
      newId: randomUUID,
      newThreadId,
      threadId,
    };
  } catch (error) {
    await assistant.close();
    throw error;
  }
}

/**
 * Lets a conversation begin with a model that can be used; in a terminal the person may go on with one
 * that cannot be reached.
 *
 * @throws UnusableModelError
 */
async function admitModel(check: ModelCheck, { inTerminal, printer }: ChatProgram): Promise<void> {
  if (check.kind === "usable") {
    check.warnings?.forEach((warning) => printer.print(warning));
    return;
  }
  if (check.kind === "unreachable" && inTerminal) {
    printer.print(check.reason);
    if (await askToGoOn({ input: process.stdin, output: process.stdout })) return;
    throw new UnusableModelError("The conversation was not begun");
  }
  throw new UnusableModelError(check.reason);
}

async function chooseThread(assistant: Assistant, options: ChatOptions): Promise<string> {
  const { threadId, userId } = options;
  if (threadId === null) return newThreadId();
  const { pool } = assistant.storage.database;
  const claim = await asUser(pool, { userId }, (tx) => tryClaim(tx, threadId));
  // A thread of ours without a message is not stored yet.
  if (claim === "owned" || (claim === "created" && isThreadId(threadId))) return threadId;
  throw new UsageError(
    `Cannot continue thread "${threadId}": user "${userId}" has no such thread; leave --thread out to start a new one, or use /threads in the chat to list the others`,
  );
}

function announceWait(config: Config, print: (line: string) => void): NodeJS.Timeout | undefined {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "postgres"))) {
    print("Preparing the database (first start) …");
    return undefined;
  }
  return setTimeout(() => print("Opening the database …"), NOTICE_MS);
}

/** Returns what became of piped messages; nothing is said of those in a terminal, where the person saw it. */
async function converse(
  chat: OpenChat,
  { inTerminal, printer }: ChatProgram,
): Promise<PipedOutcome> {
  const { threadId } = chat;
  if (inTerminal) {
    const { stdin: input, stdout: output } = process;
    const session = new Session(chat, threadId, { input, output });
    printer.print = (line) => session.showNotice(line);
    await session.run();
    return "answered";
  }
  const output = new Output(process.stdout);
  const streams = { input: process.stdin, output, warn };
  const outcome = await runPipedChat(chat, threadId, streams);
  const failure = output.failure();
  if (failure === null) return outcome;
  throw new Error(`Cannot write to standard output: ${failure.message}`, { cause: failure });
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Resolves some time after a request to end the program; never without one. */
async function graceAfter({ left }: Interrupts): Promise<PipedOutcome> {
  await left;
  return delay(GRACE_MS, "answered", { ref: false });
}

/** Forwards signals until the returned function is called. */
function listenToSignals(interrupts: Interrupts): () => void {
  const listeners = [
    ["SIGINT", () => void interrupts.interrupt()],
    ["SIGTERM", () => interrupts.terminate(143)],
    ["SIGHUP", () => interrupts.terminate(129)],
  ] as const;
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
