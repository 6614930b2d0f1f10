import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { deriveEffectKey, mintEffectKey } from "../../nodes/steps/effect-key.ts";
import type { Json } from "../../state/json.ts";

const call = { effectKey: "thread/2/run/0.0/1", tool: "create_tasks", args: { rows: [] } };

test("mintEffectKey() begins with thread and turn, and tells runs apart", () => {
  const place = { turn: 2, step: "0.1", call: 3 };

  expect(mintEffectKey({ threadId: "thread", runId: "run" }, place)).toBe("thread/2/run/0.1/3");
});

test("effectKeyOf() has another key for another tool, other arguments or another place", () => {
  const keys = [
    call,
    { ...call, tool: "delete_rows" },
    { ...call, args: { table: "recipes" } },
    { ...call, effectKey: "thread/2/run/0.0/2" },
  ].map(deriveEffectKey);

  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toMatch(/^thread\/2\/run\/0\.0\/1\/[0-9a-f]{16}$/u);
});

test.prop([fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))])(
  "effectKeyOf() is the same whatever order the keys are in",
  (args) => {
    expect(mintKey(turnedRound(args))).toBe(mintKey(args));
  },
);

function mintKey(value: unknown): string {
  const args: Json = JSON.parse(JSON.stringify(value));
  return deriveEffectKey({ ...call, args });
}

function turnedRound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedRound);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, turnedRound(part)]);
  return Object.fromEntries(entries.toReversed());
}
