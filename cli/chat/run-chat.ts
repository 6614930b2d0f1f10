import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import { ownsThread } from "../../storage/threads.ts";
import { dayIn } from "../calendar.ts";
import { loadEnvironment, readConfig, type Config } from "../config.ts";
import { createLog } from "../log.ts";
import { openAssistant, type Assistant } from "../open-assistant.ts";
import { chooseModel, describeModels } from "../open-models.ts";
import { UsageError } from "../usage-error.ts";
import type { ChatOptions } from "./arguments.ts";
import type { Chat } from "./chat.ts";
import { createInterrupts, type Interrupts } from "./interrupts.ts";
import { createOutput } from "./output.ts";
import { runPipedChat } from "./piped.ts";
import { runTerminalChat } from "./terminal.ts";
import { newThreadId } from "./thread-id.ts";

/** How long a program that is to end waits for its turn to stop, and then for its database. */
const GRACE_MS = 2_000;
/** What takes longer to open is announced. */
const NOTICE_MS = 1_000;

/**
 * Runs a conversation to its end and returns the exit code: 0 when the person leaves, at the end of
 * the input or when the reader of the output has gone; after a signal 128 and its number.
 *
 * @throws UsageError for settings, arguments and threads that cannot be used; Error in a sentence
 * when the program cannot start or its input or output fails.
 */
export async function runChat(options: ChatOptions): Promise<number> {
  const settings = readConfig(loadEnvironment());
  const config = { ...settings, model: chooseModel(settings.model, options.model) };
  const inTerminal = isatty(process.stdin.fd) && isatty(process.stdout.fd) && !options.json;
  const interrupts = createInterrupts({ confirm: inTerminal });
  const forget = listenToSignals(interrupts);
  try {
    const chat = await openChat(options, { config, interrupts, inTerminal });
    try {
      await Promise.race([converse(chat, inTerminal), graceAfter(interrupts)]);
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
  return departure?.exitCode ?? 0;
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
  const tell = (line: string): void => {
    (inTerminal ? process.stdout : process.stderr).write(`${line}\n`);
  };
  tell(`Model: ${describeModels(config.model)}`);
  if (config.tracing !== null) {
    tell(`Tracing is on (${config.tracing}): prompts and answers are sent to LangSmith`);
  }
  const log = createLog(config);
  const today = (): string => options.today ?? dayIn(options.timeZone, new Date());
  const notice = isatty(process.stderr.fd) ? announceWait(config, tell) : undefined;
  const { resetDemo } = options;
  const assistant = await openAssistant(config, { log, today: today(), resetDemo }).finally(() =>
    clearTimeout(notice),
  );
  try {
    if (resetDemo) tell("The demo kitchen was made anew");
    const threadId = await chooseThread(assistant, options);
    tell(`Thread: ${threadId}`);
    if (inTerminal) tell("Type a message, or /help.");
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
  const { userData } = assistant.storage.database;
  if (await userData.read(userId, (tx) => ownsThread(tx, threadId))) return threadId;
  throw new UsageError(
    `Cannot go on with thread "${threadId}": user "${userId}" has none of that name; leave --thread out for a new one, /threads in the chat lists the others`,
  );
}

function announceWait(config: Config, tell: (line: string) => void): NodeJS.Timeout | undefined {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "postgres"))) {
    tell("Preparing the database (first start) …");
    return undefined;
  }
  return setTimeout(() => tell("Opening the database …"), NOTICE_MS);
}

async function converse(chat: OpenChat, inTerminal: boolean): Promise<void> {
  const { threadId } = chat;
  if (inTerminal) {
    const { stdin: input, stdout: output } = process;
    await runTerminalChat(chat, { threadId, terminal: { input, output } });
    return;
  }
  const output = createOutput(process.stdout);
  await runPipedChat(chat, { threadId, streams: { input: process.stdin, output, warn } });
  const failure = output.failure();
  if (failure === null) return;
  throw new Error(`Cannot write to standard output: ${failure.message}`, { cause: failure });
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Resolves some time after the program was told to end; never before. */
async function graceAfter({ left }: Interrupts): Promise<void> {
  await left;
  await delay(GRACE_MS, undefined, { ref: false });
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
