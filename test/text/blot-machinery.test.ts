import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { blotMachinery, nameInWords } from "../../text/blot-machinery.ts";
import { anyHostilePiece } from "../support/hostile-texts.ts";

describe("blotMachinery()", () => {
  test.each([
    ["Cannot reach https://api.shop.internal:8443/v1/orders?id=3.", "Cannot reach …"],
    ["connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED …"],
    ["db:5432 and localhost:11434 are away", "… and … are away"],
    ["no row 3fa85f64-5717-4562-b3fc-2c963f66afa6 in it", "no row … in it"],
    ["$.rows[0].use_by must be a date", "… must be a date"],
    ["rows[0].use_by must be a date", "… must be a date"],
    ['"use_by" is wrong (recipe_3)', '"use by" is wrong …'],
    ["set OPENAI_API_KEY; the answer was HTTP 429", "set …; the answer was …"],
    [
      "new row violates check inventory_quantity_check",
      "new row violates check inventory quantity check",
    ],
  ])("leaves the machinery out of %j", (text, shown) => {
    expect(blotMachinery(text)).toBe(shown);
  });

  test.each([
    "The table for four is booked for Friday, 18:30, under Novak.",
    "It holds 2.5 litres; a 3:1 mix, e.g. of oil and vinegar, is fine.",
    "Bestellt: 3 Kisten Äpfel à 12,50 €, Abholung am 04.12. um 9:15 Uhr.",
    "Sent to ann@example.com, as order #W1002.",
    "",
  ])("keeps %j", (text) => {
    expect(blotMachinery(text)).toBe(text);
  });

  law.prop([fc.array(fc.oneof(anyHostilePiece, fc.string({ unit: "grapheme" })))])(
    "changes nothing a second time",
    (pieces) => {
      const once = blotMachinery(pieces.join(" "));
      expect(blotMachinery(once)).toBe(once);
    },
  );

  test.each(["a", "a.", "a-", "a_", "1.", "A_", "$.", "[0]", "(", "…", "http://"])(
    "takes a hundred thousand characters of %j",
    (piece) => {
      expect(blotMachinery(piece.repeat(100_000 / piece.length))).toBeTypeOf("string");
    },
  );
});

test("nameInWords() makes words of a name", () => {
  expect(
    ["use_by", "shelf_id", "id", "book courier", "depositGross", "bikeId", "USB"].map(nameInWords),
  ).toEqual(["use by", "shelf", "id", "book courier", "deposit gross", "bike", "USB"]);
});
