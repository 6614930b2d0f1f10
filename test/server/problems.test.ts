import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { z } from "zod";
import {
  invalidRequest,
  Problem,
  problemDocument,
  toProblem,
  toPointer,
} from "../../server/problems.ts";

test.prop([fc.array(fc.oneof(fc.string(), fc.nat()))])(
  "toPointer() loses nothing of a path",
  (path) => {
    const parts = toPointer(path).split("/").slice(1);

    const read = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

    expect(read).toEqual(path.map(String));
  },
);

test.prop([fc.anything()])(
  "toProblem() makes a problem of anything, and quotes nothing of it",
  (thrown) => {
    const problem = toProblem(thrown);

    expect([problem.code, problem.status]).toEqual(["internal", 500]);
    expect(problemDocument(problem, "r-1")).toEqual({
      type: "about:blank",
      title: "Unexpected error",
      status: 500,
      code: "internal",
      detail:
        "Cannot answer the request: an unexpected error, which is in the log under the request's id; try again later",
      requestId: "r-1",
    });
  },
);

test("toProblem() leaves a problem as it is", () => {
  const problem = new Problem("run_not_found", { detail: "Cannot find it" });

  expect(toProblem(problem)).toBe(problem);
});

const Body = z.strictObject({
  list: z.array(z.object({ "a/b": z.number() })).optional(),
  mode: z.union([z.enum(["a", "b"]), z.array(z.enum(["a", "b"]))]).optional(),
  message: z
    .union([
      z.object({ lc: z.literal(1), id: z.array(z.string()) }),
      z.looseObject({ content: z.string() }),
    ])
    .optional(),
  either: z.union([z.string(), z.object({ deep: z.object({ x: z.number() }) })]).optional(),
});

test.each([
  [{ list: [{ "a/b": 1 }, { "a/b": "x" }] }, "/list/1/a~1b"],
  [{ either: { deep: { x: "no" } } }, "/either/deep/x"],
  [{ either: 1 }, "/either"],
  [{ message: { content: 5 } }, "/message/content"],
  [{ lists: [] }, "/lists"],
  [{ list: 1, lists: [] }, "/lists"],
  ["text", ""],
])("invalidRequest() of %j points at %j", (body, field) => {
  const { error } = Body.safeParse(body);
  if (error === undefined) throw new Error("Cannot test: the body is valid");

  const problem = invalidRequest(error, "json");

  expect([problem.code, problem.status, problem.field]).toEqual(["invalid_request", 422, field]);
  expect(problem.message).toContain("the body");
});

test("invalidRequest() says of a union that is missing that it is missing", () => {
  const { error } = z.object({ id: z.union([z.string(), z.number()]) }).safeParse({});
  if (error === undefined) throw new Error("Cannot test: the body is valid");

  expect(invalidRequest(error, "json").message).toBe('Cannot use "/id" of the body: it is missing');
});

test("invalidRequest() says of a union what would have been right", () => {
  const { error } = Body.safeParse({ mode: "c" });
  if (error === undefined) throw new Error("Cannot test: the body is valid");

  expect(invalidRequest(error, "query").message).toBe(
    'Cannot use "/mode" of the query: it must be one of "a", "b"',
  );
});
