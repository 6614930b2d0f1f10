import { expect, test } from "vitest";
import { selectOrdered } from "../../nodes/steps/ordered-rows.ts";
import { practiceDomain } from "../support/practice.ts";

const KIM = { type: "patient", id: "1", ref: "patient_1", label: "Kim Okafor" };
const CODE = { type: "exercise", id: "2", ref: "exercise_2", label: "R-2026-0005" };
/** Of a type that lists "cancelled". */
const SLOT = { type: "appointment", id: "3", ref: "appointment_3", label: "slot 12" };

function isNamed(row: typeof KIM, message: string): boolean {
  const { entityTypes } = practiceDomain;
  const words = { references: [], known: [row], described: "", entityTypes };
  return selectOrdered([row], { ...words, ordered: message, asked: message }).length === 1;
}

test.each([
  [CODE, "Remove the discount from R-2026-0005", false],
  [CODE, "Knock 15 euros off R-2026-0005", false],
  [CODE, "Drop R-2026-0005 by 10 %", false],
  [SLOT, "slot 12 is off", false],
  [SLOT, "call off slot 12", false],
  [CODE, "Delete R-2026-0005's attachment", false],
  [CODE, "Cancel the reminder for R-2026-0005", false],
  [CODE, "Streich den Rabatt bei R-2026-0005", false],
  [CODE, "Storniere die Mahnung zu R-2026-0005", false],
  [CODE, "Supprime la remise de R-2026-0005", false],
  [KIM, "delete Kim Okafor's appointment", false],
  [KIM, "remove the allergy of the patient Kim Okafor", false],
  [KIM, "delete Kim Okafor's phone", false],
  [CODE, "get rid of R-2026-0005", true],
  [CODE, "delete the exercise for R-2026-0005", true],
  [CODE, "please drop R-2026-0005, nobody asks for it", true],
  [KIM, "take Kim Okafor off the list", true],
  [KIM, "delete the entry of Kim Okafor", true],
  [KIM, "Lösche den Eintrag von Kim Okafor", true],
  [KIM, "delete Kim Okafor's record", true],
  [KIM, "remove the discount from the bill and delete Kim Okafor", true],
  [KIM, "supprime Kim Okafor de la liste", true],
])(
  "selectOrdered() tells a row that is to go from one of which a part is: %o, %s",
  (row, message, expected) => {
    expect(isNamed(row, message)).toBe(expected);
  },
);

test.each([
  [SLOT, "cancel slot 12", false],
  [SLOT, "I'd like to cancel the appointment slot 12", false],
  [SLOT, "storniere slot 12", false],
  [SLOT, "sag slot 12 ab", false],
  [SLOT, "annule slot 12", false],
  [SLOT, "cancela slot 12", false],
  [SLOT, "delete slot 12", true],
  [SLOT, "cancel slot 12 and delete it", true],
  [SLOT, "lösche slot 12", true],
  [SLOT, "cancella slot 12", true],
  [CODE, "cancel R-2026-0005", true],
  [CODE, "storniere R-2026-0005", true],
])(
  "selectOrdered() deletes nothing that is called off where its type has a value for that: %o, %s",
  (row, message, expected) => {
    expect(isNamed(row, message)).toBe(expected);
  },
);

test.each([
  ["Remove slot 12 from Kim Okafor and give it to Lea Roth", false],
  ["Take slot 12 away from Kim Okafor", false],
  ["Nimm slot 12 von Kim Okafor weg und gib sie Lea Roth", false],
  ["Enlève slot 12 à Kim Okafor et mets-la chez Lea Roth", false],
  ["Remove slot 12 of Kim Okafor", true],
  ["Remove slot 12 from the list", true],
])(
  "selectOrdered() deletes nothing that is moved from one row to another: %s",
  (message, expected) => {
    const { entityTypes } = practiceDomain;
    const known = [SLOT, KIM, { ...KIM, id: "4", ref: "patient_4", label: "Lea Roth" }];
    const words = { references: [], known, described: "", entityTypes };
    const named = selectOrdered([SLOT], { ...words, ordered: message, asked: message });
    expect(named.length === 1).toBe(expected);
  },
);

test.each([
  ["Drop slot 12 at Lea Roth", "1", false],
  ["Lösche slot 12 bei Lea Roth", "1", false],
  ["Drop slot 12 at Lea Roth", "4", true],
  ["Delete slot 12, Lea Roth has enough", "1", true],
])(
  "selectOrdered() deletes nothing that is put where it is not yet: %s, of patient %s",
  (message, patient, expected) => {
    const { entityTypes } = practiceDomain;
    const known = [SLOT, KIM, { ...KIM, id: "4", ref: "patient_4", label: "Lea Roth" }];
    const words = { references: [], known, described: "", entityTypes };
    const slot = { ...SLOT, before: { patient_id: patient } };
    const named = selectOrdered([slot], { ...words, ordered: message, asked: message });
    expect(named.length === 1).toBe(expected);
  },
);

test("selectOrdered() deletes nothing that is named beside the clause that orders the end of another", () => {
  const { entityTypes } = practiceDomain;
  const lea = { ...KIM, id: "4", ref: "patient_4", label: "Lea Roth" };
  const references = [
    { text: "Kim", ref: KIM.ref },
    { text: "Lea", ref: lea.ref },
  ];
  const words = { references, known: [KIM, lea], described: "", entityTypes };
  const asked = "Kim stays on for now, so remove Lea";

  expect(selectOrdered([KIM, lea], { ...words, ordered: "so remove Lea", asked })).toEqual([lea]);
});
