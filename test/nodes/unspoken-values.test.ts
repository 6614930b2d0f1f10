import { expect, test } from "vitest";
import { setsUnspoken } from "../../nodes/steps/unspoken-values.ts";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

const FILM: EntityType = {
  type: "film",
  table: "films",
  words: { one: "film", many: "films" },
  columns: [
    { name: "title", kind: "text" },
    { name: "rental_rate", kind: "number" },
    { name: "length", kind: "integer" },
    { name: "description", kind: "text" },
  ],
  summary: ["title"],
  orderBy: ["title"],
  label: ({ title }) => (typeof title === "string" ? title : ""),
};
const BEFORE = { title: "Dinosaur", rental_rate: 0.99, length: 86, description: "" };

function sets(values: JsonObject, message: string): boolean {
  const change = {
    action: "update",
    type: "film",
    id: "1",
    ref: "film_1",
    label: "Dinosaur",
    version: null,
    before: BEFORE,
    after: { ...BEFORE, ...values },
    changed: Object.keys(values),
    cause: "named",
  } as const;
  return setsUnspoken(change, FILM, message);
}

test.each<[string, JsonObject]>([
  ["set the rate to 2.99", { rental_rate: 29.9 }],
  ["set the rate to 2.99", { rental_rate: 2.99, length: 1 }],
  ["set the rate to 2.99", { rental_rate: 2.99, description: "Banned for a good reason" }],
  ["rename Dinosaur to Journeys", { title: "Trips" }],
  ["make it four minutes longer", { length: 96 }],
])("setsUnspoken() finds what the message cannot mean: %s, %o", (message, values) => {
  expect(sets(values, message)).toBe(true);
});

test.each<[string, JsonObject]>([
  ["set the rate to 2.99", { rental_rate: 2.99 }],
  ["setze den Preis auf 2,99", { rental_rate: 2.99 }],
  ["rename Dinosaur to Journeys", { title: "Journeys" }],
  ["call Dinosaur 16:45 now", { title: "16:45" }],
  ["make it four minutes longer", { length: 90 }],
  ["make it 2 hours", { length: 120 }],
  ["make it 50 % dearer", { rental_rate: 1.49 }],
  ["3 reels of 40 minutes", { length: 120 }],
  ["double it", { length: 172 }],
  ["no rate any more, 5 is too much", { rental_rate: null }],
  ["describe it as banned for good, 2.99", { rental_rate: 2.99, description: "Banned for good" }],
])("setsUnspoken() finds nothing in what a message may mean: %s, %o", (message, values) => {
  expect(sets(values, message)).toBe(false);
});
