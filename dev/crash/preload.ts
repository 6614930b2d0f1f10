import type { BaseMessage } from "@langchain/core/messages";
import { Query } from "pg";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { readPrompt } from "../../simulated-model/prompt/read-prompt.ts";
import { answerDraft } from "./draft-answers.ts";
import { placeAfterEvent, placeAtStatement } from "./places.ts";

// Loaded before the program (`node --import`). Kills the process at one statement to the database or
// event, or reports all of them; for tests it breaks something that the harness must notice.

/** The fields of a query of `pg` that decide. */
interface Sent {
  readonly text: unknown;
  readonly values?: unknown[] | null;
}

const { CRASH_TURN, CRASH_PLACE, CRASH_NUMBER, CRASH_MOMENT, CRASH_FAULT = "" } = process.env;
/** Types of events that a fault drops. */
const DROPPED: Readonly<Record<string, string>> = {
  "replies-dropped": '"type":"reply",',
  "resets-dropped": '"type":"reply-reset",',
};

const writeLine = process.stdout.write.bind(process.stdout);

let turn = 0;
let place = "start";
/** Number of statements and of events of this turn, by place. */
let sent = new Map<string, number>();
let emitted = new Map<string, number>();
/**
 * In a process that dies or is surveyed, experts answer one after the other, each when the one before
 * has been stored: where one dies, others have answered. Where a turn goes on after a death they
 * answer at once, before the message that waits can cut their batch.
 */
const isWatched = CRASH_MOMENT !== undefined;
let answering = false;
const waiting: (() => void)[] = [];
/** The query whose answer the program must not read. */
let last: object | null = null;
/** True while the thread's id is only tried out, before the first turn. */
let trying = false;

around(Query.prototype, "submit", (query: Sent, submit) => {
  const text = String(query.text);
  if (CRASH_FAULT === "effects-forgotten") forgetEffect(text, query.values ?? []);
  if (isSentByTheClock(text) || isTriedOut(text)) return submit();
  if (text.startsWith("insert into threads")) {
    turn += 1;
    sent = new Map();
    emitted = new Map();
  }
  place = placeAtStatement(text) ?? place;
  const number = countNext(sent);
  const dies = isPlaceOfDeath(number);
  if (CRASH_MOMENT === "survey" && turn > 0) report("statement", { number, text });
  if (dies && CRASH_MOMENT === "before") die();
  const refused = submit();
  if (dies && CRASH_MOMENT === "sent") die();
  if (dies && CRASH_MOMENT === "answered") last = query;
  return refused;
});

for (const answer of ["handleReadyForQuery", "handleError"]) {
  around(Query.prototype, answer, (query: Sent, handOn) => {
    if (query === last) die();
    if (/insert into \S*checkpoint(?:_write)?s/iu.test(String(query.text))) letNextExpert();
    return handOn();
  });
}

const simulated: object = Object.getPrototypeOf(createSimulatedModel({ words: SIMULATED_WORDS }));

around(simulated, "_generate", async (_, generate, messages: BaseMessage[]) => {
  if (isWatched && readPrompt(messages).role === "expert") await nextExpert();
  return generate();
});

around(simulated, "answer", (_, answer, messages: BaseMessage[]) => {
  const drafted = answerDraft(readPrompt(messages));
  const answered = answer();
  if (drafted === null) return answered;
  const calls = drafted.calls.map((call) => ({ id: `call_${messages.length}`, ...call }));
  const response_metadata = { finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
  return Object.assign({}, answered, {
    content: drafted.text,
    tool_calls: calls,
    response_metadata,
  });
});

around(process.stdout, "write", (_, write, chunk: string | Uint8Array) => {
  const line = String(chunk);
  const event = JSON.parse(line);
  place = placeAfterEvent(event) ?? place;
  const number = countNext(emitted);
  const dropped = DROPPED[CRASH_FAULT];
  const written = (dropped !== undefined && line.includes(dropped)) || write();
  if (CRASH_MOMENT === "survey") report("event", { number, text: event.type });
  if (CRASH_MOMENT === "emitted" && isPlaceOfDeath(number)) die();
  return written;
});

async function nextExpert(): Promise<void> {
  if (answering) await new Promise<void>((resolve) => waiting.push(resolve));
  answering = true;
}

function letNextExpert(): void {
  const next = waiting.shift();
  answering = next !== undefined;
  next?.();
}

/** Wraps a method: `wrapper` gets the object, the original call and its first argument. */
function around(
  target: object,
  name: string,
  // The wrapper knows the types; a library exports only some of them.
  wrapper: (self: never, call: () => unknown, argument: never) => unknown,
): void {
  const method = Reflect.get(target, name);
  Reflect.set(target, name, function wrapped(this: never, ...args: [never]) {
    return wrapper(this, () => Reflect.apply(method, this, args), args[0]);
  });
}

/** Returns true for statements that are sent by a timer: counting them would shift the numbers of the others. */
function isSentByTheClock(text: string): boolean {
  return /^\s*update leases set expires_at|as waiting from inbox/u.test(text);
}

/** Returns true for statements like a turn's first ones that are rolled back at once. */
function isTriedOut(text: string): boolean {
  const begins = text === "savepoint try_claim";
  const within = trying || begins;
  trying = begins || (trying && text !== "rollback to savepoint try_claim");
  return within;
}

function countNext(counts: Map<string, number>): number {
  const number = (counts.get(place) ?? 0) + 1;
  counts.set(place, number);
  return number;
}

function isPlaceOfDeath(number: number): boolean {
  return turn === Number(CRASH_TURN) && place === CRASH_PLACE && number === Number(CRASH_NUMBER);
}

function report(kind: "statement" | "event", { number, text }: { number: number; text: string }) {
  const begin = text.replace(/\s+/gu, " ").trim().slice(0, 40);
  writeLine(`${JSON.stringify({ surveyed: { turn, place, kind, number, text: begin } })}\n`);
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
  // Nothing may run until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

/** Gives a write another key in each process, so that each applies it; the demo data keeps its key. */
function forgetEffect(text: string, values: unknown[]): void {
  const key = String(values[0]);
  if (!/\beffects\b.*\bkey\b/su.test(text) || key.startsWith("demo/")) return;
  values[0] = `${key}/${process.pid}`;
}
