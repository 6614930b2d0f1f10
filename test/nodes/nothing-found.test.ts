import { expect, test } from "vitest";
import { describeNothingFound } from "../../nodes/reply/nothing-found.ts";
import type { JsonObject } from "../../state/json.ts";
import { testDatabase } from "../support/database.ts";
import { describeLibrary } from "../support/library.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { call } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const LIBRARY = describeLibrary({ emptyText: (table) => `There are no ${table} yet.` });
const EMMA = { column: "title", op: "=", value: "Emma" };

const read = (args: JsonObject, tool = "read_books", table = "books") => ({ tool, table, args });

test.each([
  ["every row", [read({ refs: [], where: [], anyOf: [], after: null })], "There are no books yet."],
  ["every row, in few words", [read({})], "There are no books yet."],
  ["some rows", [read({ where: [EMMA] })], "I found no books that fit."],
  ["any of some rows", [read({ anyOf: [[EMMA]] })], "I found no books that fit."],
  ["a named row", [read({ refs: ["book_1"] })], "I found no books that fit."],
  ["the rest", [read({ after: "book_1" })], "I found no books that fit."],
  ["some rows, then every row", [read({ where: [EMMA] }), read({})], "There are no books yet."],
  ["rows of the domain's choice", [read({}, "find_books")], "I found no books that fit."],
  ["no table", [read({}, "look_around", "")], "I found nothing that fits."],
])("describeNothingFound() denies no more than was read: %s", (_, reads, text) => {
  expect(describeNothingFound(reads, LIBRARY)).toBe(text);
});

test("a step whose read has a condition does not say that the table is empty", async () => {
  const look = makeStep({ description: "Look", subdomain: "recipes" });
  const where = [{ column: "name", op: "=", value: "Unheard-of Pie" }];

  const { state } = await stepPlayer(await testDatabase())([look], {
    scripts: { Look: [call("read_recipes", { where })] },
  });

  expect(state.stepResults[0]).toMatchObject({
    status: "done",
    outcome: "I found no recipes that fit.",
  });
});
