import { BaseMessage } from "@langchain/core/messages";
import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { Json } from "../../state/json.ts";
import { PostgresCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { anyCuration, anyRef, nastyText } from "../support/arbitraries.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import type { ScriptedAnswer } from "../support/scripted-model.ts";
import { testThread, type Behaviour } from "../support/test-thread.ts";
import {
  listAllWrites,
  makeRowRead,
  makeStep,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";

const database = await testDatabase();

const TOOLS = [
  "read_recipes",
  "create_recipes",
  "update_recipes",
  "create_planned_meals",
  "delete_rows",
  "find_recipes",
  "recall",
  "fly",
];
const ENDINGS = ["complete_step", "ask_user", "block_step", "fail_step"];

const anyJson: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json);
const anyRow = fc.dictionary(
  fc.constantFrom("name", "servings", "date", "slot", "recipe_id", "taste", "id", "user_id"),
  fc.oneof(nastyText, fc.integer(), fc.constant(null), anyRef, fc.constant("2026-01-20")),
  { maxKeys: 3 },
);

/** Arguments that are nearly right: every key is known, hardly any value fits. */
const nearlyArgs: fc.Arbitrary<Json> = fc.record(
  {
    refs: fc.option(fc.array(anyRef, { maxLength: 3 }), { nil: null }),
    where: fc.array(
      fc.record({
        column: fc.constantFrom("name", "date", "x"),
        op: fc.constantFrom("=", "ilike", "in", "~"),
        value: nastyText,
      }),
      { maxLength: 2 },
    ),
    rows: fc.array(anyRow, { maxLength: 2 }),
    set: anyRow,
    clear: fc.array(fc.constantFrom("cuisine", "name", "x"), { maxLength: 2 }),
    drafts: fc.array(anyRef, { maxLength: 2 }),
    all: fc.constantFrom(null, "recipe", "stew"),
    ref: anyRef,
    turn: fc.nat(5),
    words: nastyText,
  },
  { requiredKeys: [] },
);
const anyEnding: fc.Arbitrary<Json> = fc.record({
  resultSummary: nastyText,
  noteForNextStep: fc.option(nastyText, { nil: null }),
  refs: fc.array(anyRef, { maxLength: 3 }),
  artifacts: fc.array(
    fc.record({
      ref: fc.option(anyRef, { nil: null }),
      set: anyRow,
    }),
    { maxLength: 2 },
  ),
  partialAnalysis: nastyText,
  question: nastyText,
  reason: nastyText,
  tried: nastyText,
  suggestion: fc.constantFrom("ask", "replan", "stop"),
});
const anyCall = fc.oneof(
  fc.record({
    name: fc.constantFrom(...TOOLS),
    args: fc.oneof({ weight: 4, arbitrary: nearlyArgs }, { weight: 1, arbitrary: anyJson }),
  }),
  fc.record({ name: fc.constantFrom(...ENDINGS), args: anyEnding }),
);
const anyAct: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(anyCall, { minLength: 1, maxLength: 3 })
      .map((toolCalls) => ({ toolCalls })),
  },
  { weight: 1, arbitrary: nastyText.map((text) => ({ text })) },
);

const anyStep = fc.record({
  description: nastyText,
  stepType: fc.constantFrom(
    "read" as const,
    "analyze" as const,
    "generate" as const,
    "write" as const,
  ),
  subdomain: fc.constantFrom("recipes", "inventory", "meal_plans", "garage"),
  group: fc.integer({ min: -1, max: 3 }),
  refs: fc.array(anyRef, { maxLength: 2 }),
  writes: fc.array(
    fc.record({
      action: fc.constantFrom("create" as const, "update" as const, "delete" as const),
      type: fc.constantFrom("recipe", "inv", "meal", "spade"),
      refs: fc.array(anyRef, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
});
const anyThink: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        decision: fc.constantFrom(
          "plan" as const,
          "propose" as const,
          "clarify" as const,
          "answer" as const,
        ),
        steps: fc.array(anyStep, { maxLength: 4 }),
        proposal: fc.option(nastyText, { nil: null }),
        questions: fc.array(nastyText, { maxLength: 1 }),
      })
      .map((answer) => thinkAnswer(answer)),
  },
  {
    weight: 3,
    arbitrary: fc.array(anyStep, { minLength: 1, maxLength: 3 }).map((steps) =>
      thinkAnswer({
        steps: steps.map((step) =>
          makeStep({ ...step, subdomain: "recipes", refs: [], writes: listAllWrites("recipes") }),
        ),
      }),
    ),
  },
  { weight: 1, arbitrary: anyJson },
);
const anyUnderstand: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        references: fc.array(fc.record({ text: nastyText, ref: anyRef }), { maxLength: 2 }),
        curation: anyCuration,
        expressed: nastyText,
        needs: fc.constantFrom("talk" as const, "look" as const, "work" as const, null),
        look: fc.option(
          fc.constantFrom("recipe", "garage").map((type) => makeRowRead({ type })),
          { nil: null, freq: 4 },
        ),
        answersPending: fc.constantFrom("accept" as const, "reject" as const, null),
      })
      .map((answer) => understandAnswer(answer)),
  },
  { weight: 1, arbitrary: anyJson },
);

/** Answers of every role, repeated in turn. */
const anyBehaviour: fc.Arbitrary<Behaviour> = fc
  .record({
    understand: fc.array(anyUnderstand, { minLength: 3, maxLength: 6 }),
    think: fc.array(anyThink, { minLength: 3, maxLength: 6 }),
    act: fc.array(anyAct, { minLength: 4, maxLength: 12 }),
    reply: fc.array(nastyText, { minLength: 2, maxLength: 4 }),
    summarize: fc.array(fc.oneof(anyJson, fc.constant(null)), { minLength: 2, maxLength: 3 }),
  })
  .map(({ understand, think, act, reply, summarize }) => ({
    understand: roundRobin(understand.map((json) => ({ json }))),
    think: roundRobin(think.map((json) => ({ json }))),
    act: roundRobin(act),
    reply: roundRobin(reply),
    summarize: roundRobin(summarize.map((json) => (json === null ? null : { json }))),
  }));

/** Sees what is stored before it becomes text. */
class WatchingCheckpointer extends PostgresCheckpointer {
  readonly found: string[] = [];

  override async put(...args: Parameters<PostgresCheckpointer["put"]>) {
    this.found.push(...nonJson(args[1].channel_values, "state"));
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<PostgresCheckpointer["putWrites"]>) {
    this.found.push(...args[1].flatMap(([channel, value]) => nonJson(value, channel)));
    return super.putWrites(...args);
  }
}

test.prop([anyBehaviour], { numRuns: 6 })(
  "whatever models answer, turns end in order, the state is strict JSON, and nobody else is touched",
  async (behaviour) => {
    const checkpointer = new WatchingCheckpointer(database.pool);
    const thread = await testThread(database, { behaviour, checkpointer });

    for (const text of ["what could I cook?", "yes, do that", "and now?"]) {
      const events = await thread.send(text);
      expect(checkEventOrder(events)).toEqual([]);
      expect(events.at(-1)?.type).toBe("turn-end");
    }

    expect(checkpointer.found).toEqual([]);
    const { messages, ...state } = await thread.state();
    expect(state).toStrictEqual(JSON.parse(JSON.stringify(state)));
    expect(messages).toHaveLength(6);
    expect(
      state.stepResults.filter(({ status }) => status === "open" || status === "replan"),
    ).toEqual([]);
  },
);

/** Returns the places of a value that JSON does not give back: undefined, a class, a date, a number that is none. */
function nonJson(value: unknown, path: string): string[] {
  if (value === null || typeof value === "string" || typeof value === "boolean") return [];
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${path}: ${value}`];
  if (Array.isArray(value))
    return value.flatMap((inner, index) => nonJson(inner, `${path}.${index}`));
  if (BaseMessage.isInstance(value)) return [];
  if (typeof value !== "object") return [`${path}: ${typeof value}`];
  if (Object.getPrototypeOf(value) !== Object.prototype)
    return [`${path}: ${value.constructor.name}`];
  return Object.entries(value).flatMap(([key, inner]) => nonJson(inner, `${path}.${key}`));
}

function roundRobin<T>(entries: readonly T[]): () => T {
  let next = 0;
  return () => {
    const entry = entries[next % entries.length];
    next += 1;
    if (entry === undefined) throw new RangeError("Cannot take turns: there are no entries");
    return entry;
  };
}
