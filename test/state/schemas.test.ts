import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { renderLimitsPage, renderSchemas } from "../../schemas/generate.ts";

test("renderSchemas() renders a JSON Schema of every model that is stored or streamed", () => {
  const schemas = [...renderSchemas()].map(([name, text]) => [name, JSON.parse(text)] as const);

  expect(schemas.map(([name]) => name)).toEqual(
    expect.arrayContaining(["turn-event.json", "turn-state.json", "turn-execution-summary.json"]),
  );
  const unreadable = schemas.filter(([, schema]) => !isReadable(schema)).map(([name]) => name);
  expect(unreadable).toEqual([]);
});

test("renderSchemas() describes events as they are streamed", () => {
  const schema = z.fromJSONSchema(JSON.parse(renderSchemas().get("turn-event.json") ?? "null"));
  const stamp = { thread: "t", turn: 1, run: "r", seq: 1, time: "2026-01-12T08:00:00.000Z" };

  expect(schema.safeParse({ ...stamp, type: "node-start", node: "think" }).success).toBe(true);
  expect(schema.safeParse({ ...stamp, type: "node-start" }).success).toBe(false);
});

test("renderLimitsPage() renders docs/limits.md (npm run schemas writes it)", async () => {
  const page = await readFile(`${import.meta.dirname}/../../docs/limits.md`, "utf8");

  expect(page).toBe(renderLimitsPage());
});

/** Returns true if a reader of JSON Schema finds everything that the schema refers to. */
function isReadable(schema: Parameters<typeof z.fromJSONSchema>[0]): boolean {
  try {
    z.fromJSONSchema(schema);
    return true;
  } catch {
    return false;
  }
}
