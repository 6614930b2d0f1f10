import { expect, test } from "vitest";
import { z } from "zod";
import { DEFAULT_LIMITS, limitsWith } from "../../state/limits.ts";
import { contextJsonSchema, readContext } from "../../studio/context.ts";
import { readYaml } from "../support/read-yaml.ts";

const CASES = readYaml(
  new URL("context.yaml", import.meta.url),
  z.array(z.object({ context: z.unknown(), why: z.string() })),
);

const DEFAULTS = {
  anyUser: true,
  limits: DEFAULT_LIMITS,
  timeZone: "Europe/Berlin",
  locale: "en-GB",
};

const NOTHING_SAID = {
  user: "demo",
  timeZone: "Europe/Berlin",
  locale: "en-GB",
  lanes: "both",
  tokensPerTurn: DEFAULT_LIMITS.tokensPerTurn,
  stepsPerPlan: DEFAULT_LIMITS.stepsPerPlan,
  roundsPerStep: DEFAULT_LIMITS.roundsPerStep,
  batchTokens: DEFAULT_LIMITS.batchTokens,
  batchSeconds: DEFAULT_LIMITS.batchSeconds,
};

test.each([
  ["no context", undefined],
  ["null", null],
  ["an empty one", {}],
  ["a form that nobody has filled in", { user: "", today: "", timeZone: null, tokensPerTurn: "" }],
])("readContext() gives every field its default for %s", (_what, context) => {
  expect(readContext(context, DEFAULTS)).toEqual(NOTHING_SAID);
});

test("readContext() keeps what is said, in its canonical form", () => {
  const context = {
    user: "anna",
    today: "2026-01-12",
    timeZone: "europe/vienna",
    locale: "de-at",
    lanes: "task",
    tokensPerTurn: 9_000,
  };

  expect(readContext(context, DEFAULTS)).toEqual({
    ...NOTHING_SAID,
    ...context,
    timeZone: "Europe/Vienna",
    locale: "de-AT",
  });
});

test.each(CASES)("readContext() refuses $context and says why", ({ context, why }) => {
  const attempt = () => readContext(context, DEFAULTS);

  expect(attempt).toThrow(TypeError);
  expect(attempt).toThrow("Cannot use the run's context: ");
  expect(attempt).toThrow(why);
});

test("readContext() takes no user but the default unless any user may be named", () => {
  const closed = { ...DEFAULTS, anyUser: false };

  expect(readContext({ user: "demo" }, closed)).toEqual(NOTHING_SAID);
  expect(() => readContext({ user: "anna" }, closed)).toThrow(
    'Cannot use the run\'s context: user "anna" is not "demo"; leave it out, or start Studio with npm run studio -- --any-user',
  );
});

test("readContext() names everything that is wrong at once", () => {
  expect(() => readContext({ today: "x", locale: "?" }, DEFAULTS)).toThrow(
    'Cannot use the run\'s context: today "x" is not a calendar day; write YYYY-MM-DD, as in 2026-01-12; locale "?" is not a language tag; write one as in en or de-AT',
  );
});

test("contextJsonSchema() is a flat form: every field described, defaults and choices given, no more than the program's limits", () => {
  const limits = limitsWith({ tokensPerTurn: 5_000 });

  const schema = contextJsonSchema({ ...DEFAULTS, limits });

  const { properties = {}, ...rest } = schema;
  expect(rest).toEqual({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    additionalProperties: false,
  });
  const facts = Object.entries(properties).map(([name, field]) => {
    const { description, ...fact } = field as { description?: string };
    return [name, { ...fact, described: (description ?? "").length > 20 }];
  });
  const count = (name: keyof typeof limits, maximum = limits[name]) => ({
    type: "integer",
    minimum: 1,
    maximum,
    default: maximum,
    described: true,
  });
  expect(Object.fromEntries(facts)).toEqual({
    user: { type: "string", default: "demo", described: true },
    today: { type: "string", described: true },
    timeZone: { type: "string", default: "Europe/Berlin", described: true },
    locale: { type: "string", default: "en-GB", described: true },
    lanes: {
      type: "string",
      enum: ["both", "task", "concierge"],
      default: "both",
      described: true,
    },
    tokensPerTurn: count("tokensPerTurn", 5_000),
    stepsPerPlan: count("stepsPerPlan"),
    roundsPerStep: count("roundsPerStep"),
    batchTokens: count("batchTokens"),
    batchSeconds: count("batchSeconds"),
  });
});
