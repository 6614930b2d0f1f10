import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { tryClaim } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { dayIn } from "../../state/calendar.ts";
import { loadConfig, type Config } from "../../app/config.ts";
import { createLog } from "../../app/log.ts";
import { openAssistant, type Assistant } from "../../app/open-assistant.ts";
import { describeMisspelled } from "../../app/misspelled-settings.ts";
import { chooseModel, describeModels } from "../../app/open-models.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { ChatOptions } from "./arguments.ts";
import type { Chat } from "./chat.ts";
import { createInterrupts, type Interrupts } from "./interrupts.ts";
import { createOutput } from "./output.ts";
import { runPipedChat } from "./piped.ts";
import { runTerminalChat } from "./terminal.ts";
import { isThreadId, newThreadId } from "./thread-id.ts";

/** How long a program that is to end waits for its turn to stop, and then for its database. */
const GRACE_MS = 2_000;
/** What takes longer to open is announced. */
const NOTICE_MS = 1_000;

/**
 * Runs a conversation to its end and returns the exit code: 0 when the person leaves, at the end of
 * the input or when the reader of the output has gone, but 1 where the input did not come from a
 * terminal and a message in it was not answered; after a signal 128 and its number.
 *
 * @throws UsageError for settings, arguments and threads that cannot be used; Error in a sentence
 * when the program cannot start or its input or output fails.
 */
export async function runChat(options: ChatOptions): Promise<number> {
  const settings = loadConfig();
  const config = { ...settings, model: chooseModel(settings.model, options.model) };
  const inTerminal = isatty(process.stdin.fd) && isatty(process.stdout.fd) && !options.json;
  const interrupts = createInterrupts({ confirm: inTerminal });
  const forget = listenToSignals(interrupts);
  let exitCode = 0;
  try {
    const chat = await openChat(options, { config, interrupts, inTerminal });
    try {
      const unanswered = await Promise.race([converse(chat, inTerminal), graceAfter(interrupts)]);
      if (unanswered > 0) exitCode = 1;
    } finally {
      await Promise.race([chat.assistant.close(), delay(GRACE_MS, undefined, { ref: false })]);
    }
  } finally {
    forget();
    process.stdin.destroy();
  }
  const departure = interrupts.departure();
  // A turn that could not be stopped must not keep the program.
  if (departure !== null) setTimeout(() => process.exit(), GRACE_MS).unref();
  return departure?.exitCode ?? exitCode;
}

/** A chat with its thread, and how to end it. */
interface OpenChat extends Chat {
  readonly assistant: Assistant;
  readonly threadId: string;
}

async function openChat(
  options: ChatOptions,
  program: {
    readonly config: Config;
    readonly interrupts: Interrupts;
    readonly inTerminal: boolean;
  },
): Promise<OpenChat> {
  const { config, interrupts, inTerminal } = program;
  const printLine = (line: string): void => {
    (inTerminal ? process.stdout : process.stderr).write(`${line}\n`);
  };
  printLine(`Model: ${describeModels(config.model)}`);
  if (config.tracing !== null) {
    printLine(`Tracing is on (${config.tracing}): prompts and answers are sent to LangSmith`);
  }
  describeMisspelled(process.env).forEach(printLine);
  const log = createLog(config);
  const today = (): string => options.today ?? dayIn(options.timeZone, new Date());
  const notice = isatty(process.stderr.fd) ? announceWait(config, printLine) : undefined;
  const { resetDemo } = options;
  const assistant = await openAssistant(config, { log, today: today(), resetDemo }).finally(() =>
    clearTimeout(notice),
  );
  try {
    if (resetDemo) printLine("The demo kitchen was reset");
    const threadId = await chooseThread(assistant, options);
    printLine(`Thread: ${threadId}`);
    if (inTerminal) printLine("Type a message, or /help.");
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

async function chooseThread(assistant: Assistant, options: ChatOptions): Promise<string> {
  const { threadId, userId } = options;
  if (threadId === null) return newThreadId();
  const { pool } = assistant.storage.database;
  const claim = await asUser(pool, { userId }, (tx) => tryClaim(tx, threadId));
  // One of ours that nothing was said in yet is not stored.
  if (claim === "owned" || (claim === "created" && isThreadId(threadId))) return threadId;
  throw new UsageError(
    `Cannot go on with thread "${threadId}": user "${userId}" has none of that name; leave --thread out for a new one, /threads in the chat lists the others`,
  );
}

function announceWait(
  config: Config,
  printLine: (line: string) => void,
): NodeJS.Timeout | undefined {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "postgres"))) {
    printLine("Preparing the database (first start) …");
    return undefined;
  }
  return setTimeout(() => printLine("Opening the database …"), NOTICE_MS);
}

/** Returns how many messages of a piped conversation were not answered; a person at a terminal has seen it. */
async function converse(chat: OpenChat, inTerminal: boolean): Promise<number> {
  const { threadId } = chat;
  if (inTerminal) {
    const { stdin: input, stdout: output } = process;
    await runTerminalChat(chat, { threadId, terminal: { input, output } });
    return 0;
  }
  const output = createOutput(process.stdout);
  const streams = { input: process.stdin, output, warn };
  const unanswered = await runPipedChat(chat, { threadId, streams });
  const failure = output.failure();
  if (failure === null) return unanswered;
  throw new Error(`Cannot write to standard output: ${failure.message}`, { cause: failure });
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Resolves some time after the program was told to end; never before. */
async function graceAfter({ left }: Interrupts): Promise<number> {
  await left;
  return delay(GRACE_MS, 0, { ref: false });
}

const EXIT_CODES = { SIGTERM: 143, SIGHUP: 129 } as const;

/** Passes signals on until the returned function is called. */
function listenToSignals(interrupts: Interrupts): () => void {
  const onInterrupt = (): void => void interrupts.interrupt();
  const onTerminate = (): void => interrupts.terminate(EXIT_CODES.SIGTERM);
  const onHangUp = (): void => interrupts.terminate(EXIT_CODES.SIGHUP);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onHangUp);
  return () => {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
    process.off("SIGHUP", onHangUp);
  };
}
