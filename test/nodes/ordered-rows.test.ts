import { expect, test } from "vitest";
import { selectOrdered } from "../../nodes/steps/ordered-rows.ts";
import { practiceDomain } from "../support/practice.ts";

const KIM = { type: "patient", id: "1", ref: "patient_1", label: "Kim Okafor" };
const CODE = { type: "exercise", id: "2", ref: "exercise_2", label: "R-2026-0005" };

function isNamed(row: typeof KIM, message: string): boolean {
  const { entityTypes } = practiceDomain;
  const words = { references: [], known: [row], described: "", entityTypes };
  return selectOrdered([row], { ...words, ordered: message, asked: message }).length === 1;
}

test.each([
  [CODE, "Remove the discount from R-2026-0005"],
  [CODE, "Delete R-2026-0005's attachment"],
  [CODE, "Cancel the reminder for R-2026-0005"],
  [CODE, "Streich den Rabatt bei R-2026-0005"],
  [CODE, "Storniere die Mahnung zu R-2026-0005"],
  [CODE, "Supprime la remise de R-2026-0005"],
  [KIM, "delete Kim Okafor's appointment"],
  [KIM, "remove the allergy of the patient Kim Okafor"],
  [KIM, "delete Kim Okafor's phone"],
])("selectOrdered() names no row of which a part is to go: %o, %s", (row, message) => {
  expect(isNamed(row, message)).toBe(false);
});

test.each([
  [CODE, "get rid of R-2026-0005"],
  [CODE, "delete the exercise for R-2026-0005"],
  [CODE, "please drop R-2026-0005, nobody asks for it"],
  [KIM, "take Kim Okafor off the list"],
  [KIM, "delete the entry of Kim Okafor"],
  [KIM, "Lösche den Eintrag von Kim Okafor"],
  [KIM, "delete Kim Okafor's record"],
  [KIM, "remove the discount from the bill and delete Kim Okafor"],
  [KIM, "supprime Kim Okafor de la liste"],
])("selectOrdered() names a row that is to go: %o, %s", (row, message) => {
  expect(isNamed(row, message)).toBe(true);
});
