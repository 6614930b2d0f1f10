import { test } from "@fast-check/vitest";
import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { findKnownTraits } from "../../../models/profile/known-models.ts";
import { learn, type Observation } from "../../../models/profile/learn.ts";
import { ProfileKeeper } from "../../../models/profile/profile-keeper.ts";
import {
  forgetOldLessons,
  mergeProfiles,
  setTraits,
  SOURCES,
  startProfile,
  STRUCTURED_MODES,
  type ModelProfile,
} from "../../../models/profile/profile.ts";
import { JsonObjectSchema } from "../../../state/json.ts";
import { memoryProfiles } from "../../support/memory-profiles.ts";

const KEY = { endpoint: "https://api.example/v1", model: "m-1", dialect: "chat" } as const;
const AT = "2026-01-12T10:00:00.000Z";
const START = startProfile(KEY, AT);
const NOW = Date.parse(AT);

const evidence = fc.record({
  source: fc.constantFrom(...SOURCES),
  at: fc.constantFrom("2026-01-10T00:00:00.000Z", AT, "2026-01-13T00:00:00.000Z"),
  reason: fc.constantFrom("one", "another"),
});
const lesson = fc.record({
  evidence,
  traits: fc.record(
    {
      structured: fc.constantFrom(...STRUCTURED_MODES),
      tools: fc.constantFrom("required", "union"),
      contextWindow: fc.constantFrom(4_096, 8_192, null),
      allowance: fc.nat(8_192),
    },
    { requiredKeys: [] },
  ),
});
const profile = fc
  .array(lesson, { maxLength: 6 })
  .map((lessons) =>
    lessons.reduce<ModelProfile>(
      (known, { traits, evidence: how }) => setTraits(known, traits, how),
      START,
    ),
  );

describe("mergeProfiles()", () => {
  test.prop([profile, profile, profile])(
    "gives the same profile in every order and grouping, and twice changes nothing",
    (a, b, c) => {
      const merged = mergeProfiles(mergeProfiles(a, b), c);

      expect(mergeProfiles(c, mergeProfiles(b, a))).toEqual(merged);
      expect(mergeProfiles(mergeProfiles(a, c), b)).toEqual(merged);
      expect(mergeProfiles(merged, merged)).toEqual(merged);
      expect(mergeProfiles(merged, a)).toEqual(merged);
    },
  );

  test("lets a stronger source win over a later one", () => {
    const set = { source: "set", at: "2026-01-01T00:00:00.000Z", reason: "by hand" } as const;
    const learned = { source: "learned", at: AT, reason: "seen" } as const;

    const merged = mergeProfiles(
      setTraits(START, { structured: "tool" }, set),
      setTraits(START, { structured: "text", allowance: 100 }, learned),
    );

    expect(merged).toMatchObject({ structured: "tool", allowance: 100 });
  });
});

test.each([
  ["gpt-5-mini", { reasoningControl: "effort", allowance: 8_192 }],
  ["openai/o4-mini", { reasoningControl: "effort" }],
  ["qwen3:4b", { reasoningStyle: "tags", reasoningControl: "template", tier: "small" }],
  ["llama-3.1-8b-instruct", { tier: "small" }],
  ["llama-3.3-70b", {}],
  ["gpt-4.1-mini", { contextWindow: 1_000_000 }],
  ["something-else", {}],
])("findKnownTraits() knows %s by its name", (name, traits) => {
  expect({ tier: undefined, ...findKnownTraits(name) }).toMatchObject({
    tier: undefined,
    ...traits,
  });
});

/** Observes one after the other; returns what was learned at each. */
function observeAll(start: ModelProfile, observations: readonly Observation[]) {
  let known = start;
  let tally = {};
  const learned = observations.map((observation) => {
    const result = learn(known, observation, { tally, start, at: AT });
    ({ profile: known, tally } = result);
    return result.learned;
  });
  return { profile: known, learned };
}

describe("learn()", () => {
  test.each<[string, readonly Observation[], Partial<ModelProfile>]>([
    ["a refused mode", [{ kind: "mode-refused" }], { structured: "tool" }],
    [
      "refused modes down to text",
      Array.from({ length: 4 }, () => ({ kind: "mode-refused" }) as const),
      { structured: "text" },
    ],
    ["an ignored schema", [{ kind: "schema-ignored" }], { structured: "json_object" }],
    [
      "a required call that is ignored twice",
      [{ kind: "tool-choice-ignored" }, { kind: "tool-choice-ignored" }],
      { tools: "union" },
    ],
    [
      "thoughts in tags",
      [{ kind: "thought", style: "tags", tokens: 3_000 }],
      { reasoningStyle: "tags", allowance: 6_000 },
    ],
    [
      "thoughts that are only counted",
      [{ kind: "thought", style: "hidden", tokens: 10 }],
      { reasoningStyle: "hidden", allowance: 4_096 },
    ],
    [
      "a cut after thinking",
      [
        { kind: "thought", style: "field", tokens: 0 },
        { kind: "cut", tokens: 4_000 },
      ],
      { allowance: 8_192 },
    ],
    ["a window by name", [{ kind: "window-named", tokens: 9_000 }], { contextWindow: 9_000 }],
    [
      "a window that no prompt has room in, named twice",
      [
        { kind: "window-named", tokens: 4_096 },
        { kind: "window-named", tokens: 4_096 },
      ],
      { contextWindow: 4_096 },
    ],
    [
      "a window that is named twice after a longer prompt was answered",
      [
        { kind: "prompt-read", tokens: 20_000 },
        { kind: "window-named", tokens: 9_000 },
        { kind: "prompt-read", tokens: 8_000 },
        { kind: "window-named", tokens: 9_000 },
      ],
      { contextWindow: 9_000 },
    ],
    [
      "a window after a shorter prompt",
      [
        { kind: "prompt-read", tokens: 9_200 },
        { kind: "window-named", tokens: 9_000 },
      ],
      { contextWindow: 9_000 },
    ],
    [
      "a prompt that loses its beginning twice",
      [
        { kind: "prompt-cut", read: 4_090 },
        { kind: "prompt-cut", read: 4_095 },
      ],
      { contextWindow: 4_095 },
    ],
    ["whole answers that name no end", [{ kind: "finish-unnamed" }], { namesFinish: false }],
    ["a stream that is ignored", [{ kind: "stream-ignored" }], { streams: false }],
    ["a whole answer that is refused", [{ kind: "stream-demanded" }], { delivery: "streamed" }],
    [
      "a refused field",
      [{ kind: "field-refused", field: "max_tokens" }],
      { outputField: "max_completion_tokens" },
    ],
  ])("takes %s for what it is", (_, observations, expected) => {
    expect(observeAll(START, observations).profile).toMatchObject(expected);
  });

  test("learns nothing from what it has seen once, where once says little", () => {
    const { profile: known, learned } = observeAll(START, [
      { kind: "tool-choice-ignored" },
      { kind: "prompt-cut", read: 4_000 },
      { kind: "whole-stream" },
      { kind: "whole-stream" },
      { kind: "cut", tokens: 500 },
    ]);

    expect(known).toEqual(START);
    expect(learned).toEqual([null, null, null, null, null]);
  });

  test.each<[string, readonly Observation[]]>([
    [
      "a prompt whose tokens are counted in another way, each time anew",
      [
        { kind: "prompt-cut", read: 2_000 },
        { kind: "prompt-cut", read: 2_600 },
        { kind: "prompt-cut", read: 1_500 },
      ],
    ],
    [
      "a count that no window can have",
      [
        { kind: "prompt-cut", read: 12 },
        { kind: "prompt-cut", read: 12 },
      ],
    ],
    [
      "a prompt that is too long for a window without a name",
      [{ kind: "window-named", tokens: null }],
    ],
    ["a named window that no model has", [{ kind: "window-named", tokens: 100 }]],
    ["a named window that no prompt has room in", [{ kind: "window-named", tokens: 4_096 }]],
    [
      "two of them that differ",
      [
        { kind: "window-named", tokens: 4_096 },
        { kind: "window-named", tokens: 2_048 },
      ],
    ],
    [
      "two of them around a longer prompt",
      [
        { kind: "window-named", tokens: 4_096 },
        { kind: "prompt-read", tokens: 6_000 },
        { kind: "window-named", tokens: 4_096 },
      ],
    ],
    [
      "a named window after a longer prompt",
      [
        { kind: "prompt-read", tokens: 20_000 },
        { kind: "window-named", tokens: 9_000 },
      ],
    ],
  ])("takes %s for nothing: a window that is guessed too small forbids every call", (_, given) => {
    expect(observeAll(START, given).profile).toEqual(START);
  });

  test.each([null, 128_000])(
    "gives a learned window up once a longer prompt is answered, for what was known before (%s)",
    (contextWindow) => {
      const evidence = { source: "known", at: AT, reason: "by name" } as const;
      const start = setTraits(START, { contextWindow }, evidence);

      const { profile: known, learned } = observeAll(start, [
        { kind: "window-named", tokens: 9_000 },
        { kind: "prompt-read", tokens: 9_100 },
        { kind: "prompt-read", tokens: 12_000 },
        { kind: "window-named", tokens: 9_000 },
      ]);

      expect(learned).toEqual([
        "its window has 9000 tokens",
        null,
        "it read 12000 tokens, more than a window of 9000 has",
        null,
      ]);
      expect(known.contextWindow).toBe(contextWindow);
    },
  );

  test("leaves a window that was probed, however long a prompt is answered", () => {
    const evidence = { source: "probed", at: AT, reason: "measured" } as const;
    const probed = setTraits(START, { contextWindow: 8_192 }, evidence);

    expect(observeAll(probed, [{ kind: "prompt-read", tokens: 20_000 }]).profile).toEqual(probed);
  });

  test("leaves what was set", () => {
    const set = setTraits(
      START,
      { structured: "json_schema" },
      { source: "set", at: AT, reason: "by hand" },
    );

    expect(observeAll(set, [{ kind: "schema-ignored" }])).toEqual({
      profile: set,
      learned: [null],
    });
  });
});

test.each([
  ["https://api.example/v1", 6.9, "text"],
  ["https://api.example/v1", 7, "json_schema"],
  ["https://openrouter.ai/api/v1", 0.9, "text"],
  ["https://openrouter.ai/api/v1", 1, "json_schema"],
])("forgetOldLessons() tries %s again after its days (%d)", (endpoint, days, structured) => {
  const start = startProfile({ ...KEY, endpoint }, AT);
  const learned = setTraits(
    start,
    { structured: "text" },
    { source: "learned", at: AT, reason: "seen" },
  );

  const kept = forgetOldLessons(learned, { start, now: NOW + days * 86_400_000 });

  expect(kept.structured).toBe(structured);
});

const keeper = (store = memoryProfiles(), settings: Partial<ModelProfile> = {}): ProfileKeeper =>
  new ProfileKeeper({
    start: START,
    settings,
    store,
    now: () => NOW,
    onError: (error) => {
      throw error;
    },
  });

describe("ProfileKeeper", () => {
  test("starts with what another process has learned", async () => {
    const store = memoryProfiles();
    const first = keeper(store);
    await first.ready();
    first.observe({ kind: "schema-ignored" });
    await first.stored();

    const second = keeper(store);
    await second.ready();

    expect(second.current).toEqual(first.current);
    expect(second.current.structured).toBe("json_object");
  });

  test("keeps what an earlier version has stored, without the fields that it did not know", async () => {
    const store = memoryProfiles();
    const known = setTraits(
      START,
      { structured: "text" },
      { source: "probed", at: AT, reason: "seen" },
    );
    const { delivery: _delivery, systemRole: _systemRole, ...earlier } = known;
    await store.update(KEY, () => JsonObjectSchema.parse(earlier));

    const later = keeper(store);
    await later.ready();

    expect(later.current).toEqual(known);
  });

  test("merges what two processes learn at once", async () => {
    const store = memoryProfiles();
    const both = [keeper(store), keeper(store)] as const;
    await Promise.all(both.map((one) => one.ready()));
    both[0].observe({ kind: "schema-ignored" });
    both[1].observe({ kind: "tools-refused" });
    await Promise.all(both.map((one) => one.stored()));

    const third = keeper(store);
    await third.ready();

    expect(third.current).toMatchObject({ structured: "json_object", tools: "union" });
  });

  test("stores no setting, and keeps it through lessons", async () => {
    const store = memoryProfiles();
    const set = keeper(store, { structured: "tool", contextWindow: 5_000 });
    await set.ready();

    expect(set.observe({ kind: "mode-refused" })).toBeNull();
    set.observe({ kind: "tools-refused" });
    await set.stored();
    const unset = keeper(store);
    await unset.ready();

    expect(set.current).toMatchObject({ structured: "tool", contextWindow: 5_000, tools: "union" });
    expect(unset.current).toMatchObject({
      structured: "json_schema",
      contextWindow: null,
      tools: "union",
    });
  });

  test("asks on where its store fails, and says so", async () => {
    const errors: unknown[] = [];
    const broken = new Error("no database");
    const store = {
      load: () => Promise.reject(broken),
      update: () => Promise.reject(broken),
    };
    const one = new ProfileKeeper({
      start: START,
      settings: {},
      store,
      now: () => NOW,
      onError: (error) => errors.push(error),
    });

    await one.ready();
    one.observe({ kind: "schema-ignored" });
    await one.stored();

    expect(one.current.structured).toBe("json_object");
    expect(errors).toEqual([broken, broken]);
  });
});
