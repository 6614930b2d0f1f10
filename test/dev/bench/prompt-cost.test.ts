import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { cheaperFrom } from "../../../dev/bench/prompts/cheaper-from.ts";
import {
  cachedTokens,
  costOf,
  tokensPerTurn,
  type PaidTurn,
} from "../../../dev/bench/prompts/cost.ts";
import {
  promptTokens,
  sharedTokens,
  type PromptText,
} from "../../../dev/bench/prompts/prompt-text.ts";
import { countTokens } from "../../../models/tokens.ts";

const texts = fc.array(fc.stringMatching(/^[a-z ]{0,40}$/), { maxLength: 5 });
const prompts: fc.Arbitrary<PromptText> = fc.record({
  schemas: fc.stringMatching(/^[a-z ]{0,40}$/),
  messages: texts,
});

describe("sharedTokens()", () => {
  test.prop([prompts])("of a prompt with itself are all its tokens", (prompt) => {
    expect(sharedTokens(prompt, prompt)).toBe(promptTokens(prompt));
  });

  test.prop([prompts, texts])("of a prompt that grew are all that it had", (prompt, more) => {
    const grown = { ...prompt, messages: [...prompt.messages, ...more] };

    expect(sharedTokens(prompt, grown)).toBe(promptTokens(prompt));
  });

  test("end where the prompts begin to differ", () => {
    const shared = sharedTokens(
      { schemas: "{}", messages: ["system: keep house", "user: what is in the fridge?"] },
      { schemas: "{}", messages: ["system: keep house", "user: what is in the pantry?"] },
    );

    expect(shared).toBe(
      ["{}", "system: keep house", "user: what is in the "]
        .map(countTokens)
        .reduce((sum, tokens) => sum + tokens),
    );
  });

  test("are none where the schemas differ from their first character on", () => {
    expect(
      sharedTokens(
        { schemas: "read", messages: ["same"] },
        { schemas: "write", messages: ["same"] },
      ),
    ).toBe(0);
  });
});

describe("cachedTokens()", () => {
  test.prop([fc.nat({ max: 100_000 })])("follow OpenAI's rule", (shared) => {
    const cached = cachedTokens(shared);

    expect(cached === 0).toBe(shared < 1_024);
    expect(cached % 128).toBe(0);
    expect(cached === 0 || (cached <= shared && shared - cached < 128)).toBe(true);
  });
});

const LONG = "a household of two that cooks ".repeat(300);
const turnOf = (turn: number, schemas: readonly string[]): PaidTurn => ({
  turn,
  calls: schemas.map((schema) => ({
    asker: "act",
    prompt: { schemas: schema, messages: [LONG] },
    output: "done",
  })),
});

describe("tokensPerTurn()", () => {
  const turns = [turnOf(1, ["read tools", "write tools"]), turnOf(2, ["read tools"])];
  const cachedBy = (cache: Parameters<typeof tokensPerTurn>[1]): number[] =>
    tokensPerTurn(turns, cache).map(({ cached }) => cached);
  const whole = cachedTokens(promptTokens({ schemas: "read tools", messages: [LONG] }));

  test("compares with the asker's last prompt, whatever its tools were", () => {
    expect(cachedBy("last")).toEqual([0, 0]);
  });

  test("compares with the last prompt of the same tools", () => {
    expect(cachedBy("same-tools")).toEqual([0, whole]);
  });

  test("forgets between turns where the cache keeps one turn", () => {
    const again = [turnOf(1, ["tools", "tools"]), turnOf(2, ["tools"])];
    const cached = tokensPerTurn(again, "one-turn").map((tokens) => tokens.cached);

    expect(cached[0]).toBeGreaterThan(0);
    expect(cached[1]).toBe(0);
  });
});

test("costOf() weighs cached input and output", () => {
  expect(costOf({ input: 1_000, cached: 600, output: 50 }, { cached: 0.1, output: 4 })).toBe(660);
});

describe("cheaperFrom()", () => {
  test("names the first turn from which on every turn is cheaper", () => {
    expect(cheaperFrom([5, 5, 5, 5], [4, 6, 4, 6], { over: 1 })).toBe(4);
    expect(cheaperFrom([5, 5, 5, 5], [4, 6, 6, 6], { over: 1 })).toBe(2);
  });

  test("compares means of several turns", () => {
    expect(cheaperFrom([5, 5, 5, 5], [1, 8, 4, 8], { over: 2 })).toBe(2);
  });

  test("is null where the last turns are not cheaper", () => {
    expect(cheaperFrom([5, 5], [9, 5], { over: 1 })).toBeNull();
  });

  test.prop([fc.array(fc.nat({ max: 9 }), { minLength: 1 }), fc.array(fc.nat({ max: 9 }))])(
    "holds for every turn from there on, and not for the one before",
    (ours, theirs) => {
      const from = cheaperFrom(ours, theirs, { over: 1 });
      const turns = Math.min(ours.length, theirs.length);
      const cheaper = (turn: number): boolean => (ours[turn - 1] ?? 0) < (theirs[turn - 1] ?? 0);
      const first = from ?? turns + 1;

      for (let turn = first; turn <= turns; turn += 1) expect(cheaper(turn)).toBe(true);
      if (first > 1 && turns > 0) expect(cheaper(first - 1)).toBe(false);
    },
  );
});
