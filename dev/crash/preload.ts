import type { BaseMessage } from "@langchain/core/messages";
import { Query } from "pg";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { readPrompt } from "../../simulated-model/prompt/read-prompt.ts";
import { placeAfterEvent, placeAtStatement } from "./places.ts";

// Loaded before the program (`node --import`). It kills the process at one statement to the
// database, or reports all of them; where a test asks for it, it breaks what the harness has to notice.

/** What is read of a query of `pg`. */
interface Sent {
  readonly text: unknown;
  readonly values?: unknown[] | null;
}

const { CRASH_TURN, CRASH_PLACE, CRASH_NUMBER, CRASH_MOMENT, CRASH_FAULT = "" } = process.env;
/** Events of these types never reach the reader. */
const UNTOLD: Readonly<Record<string, string>> = {
  "replies-untold": '"type":"reply",',
  "resets-untold": '"type":"reply-reset",',
};

const writeLine = process.stdout.write.bind(process.stdout);

let turn = 0;
let place = "start";
/** How many statements each place of this turn has sent, and how many events it has told. */
let sent = new Map<string, number>();
let told = new Map<string, number>();
/** Experts answer one after the other, each when the one before has been stored: where one dies, others have answered. */
let answering = false;
const waiting: (() => void)[] = [];
/** The query whose answer will not be handed on. */
let last: object | null = null;
/** Whether the thread's id is only being tried, before the first turn. */
let trying = false;

around(Query.prototype, "submit", (query: Sent, submit) => {
  const text = String(query.text);
  if (CRASH_FAULT === "effects-forgotten") forgetEffect(text, query.values ?? []);
  if (isTimed(text) || isTrial(text)) return submit();
  if (text.startsWith("insert into threads")) {
    turn += 1;
    sent = new Map();
    told = new Map();
  }
  place = placeAtStatement(text) ?? place;
  const number = countIn(sent);
  const dies = isHere(number);
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

around(
  Object.getPrototypeOf(createSimulatedModel({ words: SIMULATED_WORDS })),
  "_generate",
  async (_, generate, messages: BaseMessage[]) => {
    if (readPrompt(messages).role === "expert") await nextExpert();
    return generate();
  },
);

around(process.stdout, "write", (_, write, chunk: string | Uint8Array) => {
  const line = String(chunk);
  const event = JSON.parse(line);
  place = placeAfterEvent(event) ?? place;
  const number = countIn(told);
  const untold = UNTOLD[CRASH_FAULT];
  const written = (untold !== undefined && line.includes(untold)) || write();
  if (CRASH_MOMENT === "survey") report("event", { number, text: event.type });
  if (CRASH_MOMENT === "told" && isHere(number)) die();
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

/** Puts `wrapper` around a method: it is given the object, the call as it would have been, and its first argument. */
function around(
  target: object,
  name: string,
  // What is wrapped is known only where it is: the types of a library end at what it exports.
  wrapper: (self: never, call: () => unknown, argument: never) => unknown,
): void {
  const method = Reflect.get(target, name);
  Reflect.set(target, name, function wrapped(this: never, ...args: [never]) {
    return wrapper(this, () => Reflect.apply(method, this, args), args[0]);
  });
}

/** Sent by the clock, not by the turn: counted, they would move what comes after them. */
function isTimed(text: string): boolean {
  return /^\s*update leases set expires_at|as waiting from inbox/u.test(text);
}

/** The same statements as a turn's first ones, taken back at once. */
function isTrial(text: string): boolean {
  const begins = text === "savepoint try_claim";
  const within = trying || begins;
  trying = begins || (trying && text !== "rollback to savepoint try_claim");
  return within;
}

function countIn(counts: Map<string, number>): number {
  const number = (counts.get(place) ?? 0) + 1;
  counts.set(place, number);
  return number;
}

function isHere(number: number): boolean {
  return turn === Number(CRASH_TURN) && place === CRASH_PLACE && number === Number(CRASH_NUMBER);
}

function report(kind: "statement" | "event", { number, text }: { number: number; text: string }) {
  const begin = text.replace(/\s+/gu, " ").trim().slice(0, 40);
  writeLine(`${JSON.stringify({ surveyed: { turn, place, kind, number, text: begin } })}\n`);
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
  // Nothing may happen until the signal is there.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

/** A write whose key is another one in each process is done by each; the demo's data is not made anew. */
function forgetEffect(text: string, values: unknown[]): void {
  const key = String(values[0]);
  if (!text.startsWith("insert into effects") || key.startsWith("demo/")) return;
  values[0] = `${key}/${process.pid}`;
}
