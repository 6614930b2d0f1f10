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
import type { ChatContext } from "./chat.ts";
import { Interrupts } from "./interrupts.ts";
import { Output } from "./output.ts";
import { runPipedChat } from "./piped.ts";
import { Session } from "./session.ts";
import { isThreadId, newThreadId } from "../thread-id.ts";

/** The time that an ending program gives its turn to stop, and then its database to close. */
const GRACE_MS = 2_000;
/** A database that takes longer to open is announced. */
const NOTICE_MS = 1_000;

/**
 * Runs a conversation to its end and returns the exit code: 0 when the person leaves, when the input
 * ends or when the reader of the output goes away; 1 if the input is not a terminal and a message in
 * it was not answered; 128 plus its number after a signal.
 *
 * @throws UsageError for settings, arguments and threads that cannot be used; Error in a sentence
 * when the program cannot start or its input or output fails.
 */
export async function runChat(options: ChatOptions): Promise<number> {
  const settings = loadConfig();
  const config = { ...settings, model: chooseModel(settings.model, options.model) };
  const inTerminal = isatty(process.stdin.fd) && isatty(process.stdout.fd) && !options.json;
  const interrupts = new Interrupts({ confirm: inTerminal });
  const stopListening = listenToSignals(interrupts);
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
}

async function openChat(options: ChatOptions, program: ChatProgram): Promise<OpenChat> {
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
  // A thread of ours without a message is not stored yet.
  if (claim === "owned" || (claim === "created" && isThreadId(threadId))) return threadId;
  throw new UsageError(
    `Cannot continue thread "${threadId}": user "${userId}" has no such thread; leave --thread out to start a new one, or use /threads in the chat to list the others`,
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

/** Returns the number of piped messages without an answer; 0 for a terminal, where the person saw it. */
async function converse(chat: OpenChat, inTerminal: boolean): Promise<number> {
  const { threadId } = chat;
  if (inTerminal) {
    const { stdin: input, stdout: output } = process;
    await new Session(chat, threadId, { input, output }).run();
    return 0;
  }
  const output = new Output(process.stdout);
  const streams = { input: process.stdin, output, warn };
  const unanswered = await runPipedChat(chat, threadId, streams);
  const failure = output.failure();
  if (failure === null) return unanswered;
  throw new Error(`Cannot write to standard output: ${failure.message}`, { cause: failure });
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Resolves some time after a request to end the program; never without one. */
async function graceAfter({ left }: Interrupts): Promise<number> {
  await left;
  return delay(GRACE_MS, 0, { ref: false });
}

const EXIT_CODES = { SIGTERM: 143, SIGHUP: 129 } as const;

/** Forwards signals until the returned function is called. */
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
