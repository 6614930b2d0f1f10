import { expect, test } from "vitest";
import {
  listUnspoken,
  NewRowWords,
  selectOtherwise,
  selectSwapped,
  setsUnspoken,
} from "../../nodes/steps/unspoken-values.ts";
import type { SpokenWords } from "../../nodes/steps/spoken-values.ts";
import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

const FILM: EntityType = {
  type: "film",
  table: "films",
  words: { one: "film", many: "films" },
  columns: [
    { name: "title", kind: "text", set: "always" },
    { name: "rental_rate", kind: "number", set: "always" },
    { name: "length", kind: "integer", set: "always" },
    { name: "description", kind: "text", set: "always" },
    {
      name: "shelf",
      kind: "choice",
      values: ["open", "locked", "cancelled", "done"],
      set: "always",
    },
    { name: "back_on", kind: "date", set: "always" },
    { name: "shown_at", kind: "text", set: "always" },
    { name: "late_fee", kind: "number", set: "always", label: "fee per day" },
    { name: "lent", kind: "boolean", set: "always" },
    { name: "spoken_in", kind: "tags", set: "always" },
    { name: "seen_by", kind: "integer" },
    { name: "owner_id", kind: "text", references: "person" },
  ],
  summary: ["title"],
  orderBy: ["title"],
  label: ({ title }) => (typeof title === "string" ? title : ""),
  facts: ({ lent }) => (lent === true ? "given away" : ""),
};
const BEFORE = {
  title: "Dinosaur",
  rental_rate: 0.99,
  length: 86,
  description: "",
  shelf: "open",
  owner_id: "9-3",
};

/** 12 January 2026 is a Monday. */
function say(message: string): SpokenWords {
  return {
    message,
    labels: new Map(),
    nouns: "film films",
    today: "2026-01-12",
    language: "en",
  };
}

function makeChange(action: Change["action"], values: JsonObject, title = "Dinosaur"): Change {
  const before = action === "create" ? null : { ...BEFORE, title };
  const after = { ...before, ...values };
  return {
    action,
    type: "film",
    id: "1",
    ref: "film_1",
    label: "Dinosaur",
    version: null,
    before,
    after,
    changed: Object.keys(values),
    cause: "named",
  };
}

function sets(values: JsonObject, message: string): boolean {
  return setsUnspoken(makeChange("update", values), FILM, say(message));
}

test.each<[string, JsonObject]>([
  ["set the rate to 2.99", { rental_rate: 29.9 }],
  ["set the rate to 2.99", { rental_rate: 2.99, length: 1 }],
  ["set the rate to 2.99", { rental_rate: 2.99, description: "Banned for a good reason" }],
  ["rename Dinosaur to Journeys", { title: "Trips" }],
  ["set the rate to 7,500", { rental_rate: 7.5 }],
  ["set the rate to 4", { rental_rate: 4, length: 4 }],
  ["make it 4", { rental_rate: 4, length: 4 }],
  ["make the length 8k", { length: 8 }],
  ["raise the length by 10 %", { length: 96 }],
  ["raise the length by 10 %", { length: 10 }],
  ["erhöhe length um 10", { length: 10 }],
  ["knock 6 minutes off the length", { length: 92 }],
  ["Dinosaur isn't done", { shelf: "done" }],
  ["no, he didn't cancel Dinosaur, it's still on", { shelf: "cancelled" }],
  ["Dinosaur is not finished", { shelf: "done" }],
  ["verlängere den Film um 50 Prozent", { length: 136 }],
  ["raise the length by 10", { length: 76 }],
  ["senke length um 6", { length: 92 }],
  ["take 6 minutes out of the length", { length: 92 }],
  ["reduis length de 25 pour cent", { length: 107.5 }],
  ["make the length 120", { length: 2 }],
  ["make it four minutes longer", { length: 96 }],
  ["set the rate to 2.99", { rental_rate: 2.99, shelf: "locked" }],
  ["set the rate to 2.99", { rental_rate: 2.99, back_on: "2026-02-01" }],
  ["set the rate to 2.99", { rental_rate: 2.99, shown_at: "Leeds" }],
  ["set the rate to 2.99", { shelf: "locked" }],
  ["it goes to the open shelf, Kim says", { shelf: "open", rental_rate: 7 }],
  ["set the length to 50", { rental_rate: 50 }],
  ["the length is 50", { rental_rate: 50 }],
  ["Dinosaur is not lent yet, I'll ask him", { lent: true }],
  ["er ist nicht lent", { lent: true }],
  ["Dinosaur isn't lent", { lent: true }],
  ["it's back on Friday", { back_on: "2026-01-17" }],
  ["back on wed", { back_on: "2026-01-15" }],
  ["Ann sat on it, back on the 3rd", { back_on: "2026-01-17" }],
  ["check the shelf", { lent: true }],
  ["it's back on Friday", { back_on: "2026-03-06" }],
  ["it's back on the 15th of February", { back_on: "2031-02-15" }],
  ["it's back at the end of February", { back_on: "2026-02-27" }],
  ["the end of the film in February", { back_on: "2026-02-28" }],
  ["set back on to tomorrow", { back_on: "2026-01-12" }],
  ["set back on to today", { back_on: "2026-01-11" }],
  ["it's back in 10 days", { back_on: "2026-02-10" }],
  ["it's back in two weeks", { back_on: "2026-01-14" }],
  ["er ist in drei Tagen zurück", { back_on: "2026-01-13" }],
  ["il revient dans 5 jours", { back_on: "2026-02-05" }],
  ["torna tra due settimane", { back_on: "2026-02-02" }],
  ["it's back on 16 March", { back_on: "2026-02-16" }],
  ["away from the 3rd to the 9th of next month", { back_on: "2026-02-05" }],
  ["qui revient le 3 ?", { back_on: "2026-01-15" }],
  ["show it at 17:30", { back_on: "2026-02-17" }],
  ["the one on the open shelf is locked", { shelf: "cancelled" }],
  ["Kim has 3", { shelf: "locked" }],
  ["set the rate of Dinosaur to 2.99", { rental_rate: 2.99, description: "dinosaur@x.test" }],
  ["it runs 6 minutes less", { length: 92 }],
  ["another 20 minutes for Dinosaur", { length: 20 }],
  ["give 10 % off the rate", { rental_rate: 0.1 }],
  ["add 4 minutes to the length", { length: 4 }],
  ["ninety minutes, please", { length: 19 }],
  ["the length is one hundred and ten", { length: 101 }],
  ["rename it to Lost Wörld", { title: "Lost Words" }],
  ["rename it to Film R-120", { title: "Film R-102" }],
  ["describe it as loud and funny", { description: "loud and sad" }],
  ["describe it as a tale of two old sailors at sea", { description: "A tale of three queens" }],
  ["the description is ann@film.test", { description: "anne@film.test" }],
  ["the description: +44 20 7946 0123", { description: "+44 20 7946 0321" }],
  ["show it at half past six in the evening", { shown_at: "06:30" }],
  ["show it at seven, not at half past", { shown_at: "19:45" }],
  ["show it on 14 February at nine", { shown_at: "14:00" }],
  ["show it at a quarter to six", { shown_at: "18:15" }],
  ["back a day later", { back_on: "2026-01-13", late_fee: 70 }],
  ["make the fee four fifty", { late_fee: 50 }],
  ["make the fee four fifty", { late_fee: 450, back_on: "2026-02-04" }],
  ["4 and a half minutes", { length: 4 }],
  ["length 90, rate 2", { length: 2, rental_rate: 90 }],
  ["a rate of 2 and a length of 90", { length: 2, rental_rate: 90 }],
  ["make it 4, and cheaper, twelve each", { length: 12, rental_rate: 4 }],
  ["4 at 12 € per piece", { length: 12, rental_rate: 4 }],
])("setsUnspoken() finds what the message cannot mean: %s, %o", (message, values) => {
  expect(sets(values, message)).toBe(true);
});

test.each<[string, JsonObject]>([
  ["set the length to 50", { length: 50 }],
  ["back on wed", { back_on: "2026-01-14" }],
  ["back on Thurs", { back_on: "2026-01-15" }],
  ["tick off Dinosaur", { lent: true }],
  ["check Dinosaur off", { lent: true }],
  ["hake Dinosaur ab", { lent: true }],
  ["it's lent, and not to Kim", { lent: true }],
  ["Dinosaur is not lent any more", { lent: false }],
  ["it's back on the 15th of February 2031", { back_on: "2031-02-15" }],
  ["set back on to tomorrow", { back_on: "2026-01-13" }],
  ["set back on to today", { back_on: "2026-01-12" }],
  ["set the rate to 2.99", { rental_rate: 2.99 }],
  ["setze den Preis auf 2,99", { rental_rate: 2.99 }],
  ["rename Dinosaur to Journeys", { title: "Journeys" }],
  ["call Dinosaur 16:45 now", { title: "16:45" }],
  ["make it four minutes longer", { length: 90 }],
  ["raise the length by 50 percent", { length: 129 }],
  ["it runs 6 minutes less", { length: 80 }],
  ["another 20 minutes for Dinosaur", { length: 106 }],
  ["give 10 % off the rate", { rental_rate: 0.89 }],
  ["add 4 minutes to the length", { length: 90 }],
  ["the length is one hundred and ten", { length: 110 }],
  ["rename it to Lost Wörld", { title: "Lost World" }],
  ["describe it as loud and funny", { description: "Loud, funny" }],
  ["describe it as a tale of two old sailors at sea", { description: "Two old sailors at sea" }],
  ["the description is ann@film.test", { description: "ann@film.test" }],
  ["the description: +44 20 7946 0123", { description: "+442079460123" }],
  ["show it at half past six in the evening", { shown_at: "18:30" }],
  ["show it on 14 February at nine", { shown_at: "21:00" }],
  ["show it at a quarter to six", { shown_at: "17:45" }],
  ["show it at twenty past five", { shown_at: "17:20" }],
  ["show it at twenty past five", { shown_at: "17:20:00" }],
  ["erhöhe length um 10", { length: 96 }],
  ["Dinosaur is done, not locked", { shelf: "done" }],
  ["don't forget to mark Dinosaur as done", { shelf: "done" }],
  ["vergiss nicht, dass Dinosaur lent ist", { lent: true }],
  ["Dinosaur is done. Kim didn't ask for it", { shelf: "done" }],
  ["a length of 50 %", { length: 43 }],
  ["length 25 por ciento", { length: 25 }],
  ["senke length um 6", { length: 80 }],
  ["Kürze length auf 50", { length: 50 }],
  ["6 less, or 10 more", { length: 96 }],
  ["take 6 minutes out and add them to the trailer", { length: 80 }],
  ["make it 2 hours", { length: 120 }],
  ["set the rate to 7,500", { rental_rate: 7500 }],
  ["set rate and length to 4", { rental_rate: 4, length: 4 }],
  ["4 minutes at 4 a day", { rental_rate: 4, length: 4 }],
  ["2 times all numbers", { rental_rate: 1.98, length: 172 }],
  ["3 reels of 40 minutes at 3", { rental_rate: 3, length: 120 }],
  ["make the length 8k", { length: 8000 }],
  ["make it two dozen", { length: 24 }],
  ["a reel of 40 minutes", { length: 1 }],
  ["make it 50 % dearer", { rental_rate: 1.49 }],
  ["3 reels of 40 minutes", { length: 120 }],
  ["double it", { length: 172 }],
  ["no rate any more, 5 is too much", { rental_rate: null }],
  ["describe it as banned for good, 2.99", { rental_rate: 2.99, description: "Banned for good" }],
  ["auf dem Regal verschlossen", { shelf: "locked" }],
  ["storniere ihn", { shelf: "cancelled" }],
  ["segna Dinosaur come fatto e metti Rex a 3", { shelf: "done" }],
  ["unlock it: 2.99", { rental_rate: 2.99, shelf: "locked" }],
  ["2.99 and it's given to Kim", { rental_rate: 2.99, lent: true }],
  ["back on the 17th, at half past four", { back_on: "2026-01-17", shown_at: "16:30" }],
  ["back on Friday at 4pm", { back_on: "2026-01-16", shown_at: "16:00" }],
  ["zurück am Freitag", { back_on: "2026-01-16" }],
  ["a week later", { back_on: "2026-01-19" }],
  ["back next week", { back_on: "2026-01-21" }],
  ["it's back in 10 days", { back_on: "2026-01-22" }],
  ["it's back in two weeks", { back_on: "2026-01-26" }],
  ["er ist in drei Tagen zurück", { back_on: "2026-01-15" }],
  ["vuelve dentro de dos semanas", { back_on: "2026-01-26" }],
  ["il revient dans 5 jours", { back_on: "2026-01-17" }],
  ["hij is over een maand terug", { back_on: "2026-02-12" }],
  ["back on 16 March", { back_on: "2026-03-16" }],
  ["back at the end of February", { back_on: "2026-02-28" }],
  ["zurück Ende Februar", { back_on: "2026-02-28" }],
  ["retour fin avril", { back_on: "2026-04-30" }],
  ["zurück am 16.1.", { back_on: "2026-01-16" }],
  ["back 1/16", { back_on: "2026-01-16" }],
  ["away from the 3rd to the 9th", { back_on: "2026-02-09" }],
  ["every day from the 3rd to the 9th", { back_on: "2026-02-05" }],
  ["it is back", { back_on: "2026-01-12" }],
  ["and Dinosaur too", { lent: true }],
  ["open shelf, ten minutes", { shelf: "open", length: 10 }],
  ["a quarter to eleven on Friday", { back_on: "2026-01-16", shown_at: "10:45" }],
  ["at noon on Friday", { back_on: "2026-01-16", shown_at: "12:00" }],
  ["ist kanceled, 2.99", { shelf: "cancelled", rental_rate: 2.99 }],
  ["2.99 the kilogram", { rental_rate: 2.99, shown_at: "kg" }],
  ["shown at 0171 552 90 34", { shown_at: "0171-5529034", shelf: null }],
  ["set the rate to 2.99", { rental_rate: 2.99, seen_by: 7 }],
  ["rent Dinosaur out at 2.99 a length", { rental_rate: 2.99 }],
  ["length 90, rate 2", { length: 90, rental_rate: 2 }],
  ["make the fee four fifty", { late_fee: 450 }],
  ["make the fee four fifty", { late_fee: 4.5 }],
  ["4 and a half minutes", { length: 4.5 }],
  ["rate 2 length 90", { length: 90, rental_rate: 2 }],
  ["make it 4, and cheaper, twelve each", { length: 4, rental_rate: 12 }],
  ["12 € each, 4 of them", { length: 4, rental_rate: 12 }],
  ["90 minutes at 2", { length: 90, rental_rate: 2 }],
  ["back a day later, the fee is doubled", { back_on: "2026-01-13", late_fee: 70 }],
  ["Dinosaur kostet 2.99 Euro je length", { rental_rate: 2.99 }],
])("setsUnspoken() finds nothing in what a message may mean: %s, %o", (message, values) => {
  expect(sets(values, message)).toBe(false);
});

test.each<[string, JsonObject, JsonObject]>([
  ["put Dinosaur on the open shelf", { shelf: "open" }, { shelf: "locked" }],
  ["show it at 9", { shown_at: "09:00" }, { shown_at: "21:00" }],
  ["set the shelf to open", { shelf: "open" }, { shelf: "locked" }],
  ["put it on the open shelf, and don't call Kim", { shelf: "open" }, { shelf: "locked" }],
  ["mark it cancelled", { shelf: "cancelled" }, { shelf: "open" }],
  ["storniere ihn", { shelf: "cancelled" }, { shelf: "open" }],
  ["mark it as done", { shelf: "done" }, { shelf: null }],
  ["make sure it is lent", { lent: true }, { lent: false }],
  ["Dinosaur is lent", { lent: null }, { lent: false }],
  ["don't forget that it is lent", { lent: true }, { lent: false }],
  ["tick it off", { lent: true }, { lent: false }],
  ["set the rate to 0.99", { rental_rate: 0.99 }, { rental_rate: null }],
  ["shown at half past six in the evening", { shown_at: "18:30" }, { shown_at: null }],
  ["back on wed", { back_on: "2026-01-14" }, { back_on: null }],
  ["the description is loud and funny", { description: "Loud, funny" }, { description: "" }],
  ["il veut plus de films lent", { lent: true }, { lent: false }],
  ["it's in German", { spoken_in: ["German", "Dutch"] }, { spoken_in: ["Dutch"] }],
])(
  "setsUnspoken() takes no word of the value before for another one: %s, %o to %o",
  (message, before, after) => {
    const { before: row, ...change } = makeChange("update", after);

    expect(setsUnspoken({ ...change, before: { ...row, ...before } }, FILM, say(message))).toBe(
      true,
    );
  },
);

test.each<[string, JsonObject, JsonObject]>([
  ["it is no longer open", { shelf: "open" }, { shelf: "locked" }],
  ["take it off the open shelf", { shelf: "open" }, { shelf: "locked" }],
  ["er ist nicht mehr open", { shelf: "open" }, { shelf: "locked" }],
  ["il n'est plus open", { shelf: "open" }, { shelf: "locked" }],
  ["il veut plus être lent", { lent: true }, { lent: false }],
  ["ya no está open", { shelf: "open" }, { shelf: "locked" }],
  ["lo quiero en otra cosa que open", { shelf: "open" }, { shelf: "locked" }],
  ["open was wrong", { shelf: "open" }, { shelf: "locked" }],
  ["from the open shelf to wherever Kim can't reach", { shelf: "open" }, { shelf: "locked" }],
  ["von open auf das andere", { shelf: "open" }, { shelf: "locked" }],
  ["from the open shelf to the locked one", { shelf: "open" }, { shelf: "locked" }],
  ["the open one is verschlossen or locked", { shelf: "open" }, { shelf: "locked" }],
  ["under lock and key with it", { shelf: "open" }, { shelf: "locked" }],
  ["untick lent", { lent: true }, { lent: false }],
  ["Dinosaur hasn't been lent", { lent: true }, { lent: false }],
  ["sin lent", { lent: true }, { lent: false }],
  ["no rate any more, 0.99 was too much", { rental_rate: 0.99 }, { rental_rate: null }],
  ["take it off the calendar on wed", { back_on: "2026-01-14" }, { back_on: null }],
  ["it's no longer in German", { spoken_in: ["German", "Dutch"] }, { spoken_in: ["Dutch"] }],
  ["it's in German and Dutch", { spoken_in: ["German"] }, { spoken_in: ["Dutch"] }],
])(
  "setsUnspoken() finds nothing where the value before ends, or the new one is named: %s, %o to %o",
  (message, before, after) => {
    const { before: row, ...change } = makeChange("update", after);

    expect(setsUnspoken({ ...change, before: { ...row, ...before } }, FILM, say(message))).toBe(
      false,
    );
  },
);

test.each<[string, JsonObject, boolean]>([
  ["Dinosaur ist verschlossen, und kostet 2.99", { shelf: "locked", rental_rate: 2.99 }, false],
  [
    "Dinosaur ist verschlossen, zurück am Freitag",
    { shelf: "locked", back_on: "2026-01-16" },
    false,
  ],
  ["Dinosaur bitte auf gebucht, 2.99", { shelf: "locked", rental_rate: 2.99 }, false],
  ["Dinosaurs are sorted, but only 8 minutes", { shelf: "done", length: 8 }, false],
  [
    "Dinosaur ist verschlossen, kostet 2.99",
    { shelf: "open", lent: true, rental_rate: 2.99 },
    true,
  ],
  ["Dinosaur ist verschlossen, kostet 2.99", { lent: true, rental_rate: 2.99 }, true],
  ["Dinosaur costs 2.99, and Kim is sure", { shelf: "locked", rental_rate: 2.99 }, true],
  ["Dinosaur is 2.99 now, says Kim", { shelf: "locked", rental_rate: 2.99 }, true],
  ["Dinosaur is on the shelf, and costs 2.99", { shelf: "locked", rental_rate: 2.99 }, false],
  [
    "Kim's letter to Dinosaur should lead, costs 2.99",
    { shelf: "locked", rental_rate: 2.99 },
    true,
  ],
  ["Dinosaur's letter leads, costs 2.99", { shelf: "locked", rental_rate: 2.99 }, true],
  ["Dinosaur is 86, and costs 2.99", { shelf: "locked", rental_rate: 2.99 }, true],
])(
  "setsUnspoken() lets a clause of its own say a choice in other words: %s, %o",
  (message, values, expected) => {
    expect(sets(values, message)).toBe(expected);
  },
);

const LAST_REPLY =
  "Changed: Rex (back on: Thu 15 Jan 2026 → Fri 16 Jan 2026, rate: 2 → 3), Leo (length: 17 → 18)";

test.each<[string, JsonObject, boolean]>([
  ["the same applies to Dinosaur", { back_on: "2026-01-16" }, false],
  ["same for Dinosaur", { back_on: "2026-01-16" }, false],
  ["das gleiche gilt für Dinosaur", { back_on: "2026-01-16" }, false],
  ["put it where it was", { back_on: "2026-01-15" }, false],
  ["the same applies to Dinosaur", { back_on: "2026-01-15" }, true],
  ["put it where it was", { back_on: "2026-01-16" }, true],
  ["the same applies to Dinosaur", { back_on: "2026-01-18" }, true],
  ["the same applies to Dinosaur", { back_on: "2026-01-10" }, true],
  ["the same applies to Dinosaur", { back_on: "2026-01-16", lent: true }, true],
  ["the same for Dinosaur on Monday", { back_on: "2026-01-16" }, true],
  ["and Dinosaur", { back_on: "2026-01-16" }, true],
  ["send the same crew to Dinosaur", { back_on: "2026-01-16" }, true],
])(
  "setsUnspoken() takes a day of the last reply where the message asks for it again: %s, %o",
  (message, values, expected) => {
    const words = { ...say(message), lastReply: LAST_REPLY };

    expect(setsUnspoken(makeChange("update", values), FILM, words)).toBe(expected);
  },
);

test.each<[string, readonly string[], boolean]>([
  ["2 and 3 are in the can", ["Film 2", "Film 3"], false],
  ["two and three are in the can", ["Film 2", "Film 3"], false],
  ["2 and 3 are in the can", ["Film 2"], true],
  ["2 and 3 are in the can", ["Film 2", "Film 4"], true],
])(
  "setsUnspoken() takes numbers for the names of all rows of a call: %s, %o",
  (message, together, expected) => {
    const change = { ...makeChange("update", { shelf: "done" }, "Film 2"), label: "Film 2" };

    expect(setsUnspoken(change, FILM, { ...say(message), together })).toBe(expected);
  },
);

test.each<[string, JsonObject, boolean]>([
  ["set the length of R-2026-0005 to 90", { length: 5 }, true],
  ["R-2026-0005 goes to the locked shelf", { shelf: "locked", length: 2026 }, true],
  ["set the length of R-2026-0005 to 90", { length: 90 }, false],
  ["R-2026-0005 goes to the locked shelf", { shelf: "locked" }, false],
])(
  "setsUnspoken() takes no figures of a row's name for values: %s, %o",
  (message, values, expected) => {
    const change = makeChange("update", values, "R-2026-0005");

    expect(setsUnspoken(change, FILM, say(message))).toBe(expected);
  },
);

test.each([
  ["back a week later", "2026-01-07", true],
  ["back two days earlier", "2026-01-16", true],
  ["zwei Tage früher", "2026-01-16", true],
  ["back a week later", "2026-01-21", false],
  ["back two days earlier", "2026-01-12", false],
  ["push it back two days", "2026-01-16", false],
])("setsUnspoken() finds a day that is moved the other way: %s, %s", (message, day, expected) => {
  const { before, after, ...change } = makeChange("update", { back_on: day });
  const moved = { ...change, before: { ...before, back_on: "2026-01-14" }, after };

  expect(setsUnspoken(moved, FILM, say(message))).toBe(expected);
});

test.each<[string, JsonObject, readonly string[]]>([
  ["add Rex for 10", { title: "Rex", rental_rate: 10, length: 90 }, ["length"]],
  ["add Rex, a rate", { title: "Rex", rental_rate: 10 }, ["rental_rate"]],
  ["add Rex for 10", { title: "Rex", rental_rate: 10, length: 10 }, ["length"]],
  ["add Rex, a length of 10", { title: "Rex", rental_rate: 10, length: 10 }, ["rental_rate"]],
  ["add Rex, back on Friday", { title: "Rex", back_on: "2026-01-16" }, []],
  ["add Rex, back some day", { title: "Rex", back_on: "2026-01-17" }, ["back_on"]],
  ["add Rex", { title: "Rex", back_on: "2026-01-12" }, ["back_on"]],
  ["add Rex, back today", { title: "Rex", back_on: "2026-01-12" }, []],
  ["add Rex", { title: "Rex", back_on: "2026-01-17" }, ["back_on"]],
  ["add Rex, a film", { title: "Rex", description: "A film in colour" }, ["description"]],
  ["add Rex, a film", { title: "Rex", description: "A film", lent: false }, ["lent"]],
  ["add Rex, ist kanceled", { title: "Rex", shelf: "cancelled" }, []],
  ["add Rex by Kim", { title: "Rex", owner_id: "9" }, []],
  ["add Rex by Tom", { title: "Rex", owner_id: "9" }, ["owner_id"]],
])(
  "listUnspoken() names the columns of a new row that no word is for: %s, %o",
  (message, row, expected) => {
    const labels = new Map([[rowKey("person", "9"), "Kim Okafor"]]);
    const words = { ...say(message), labels };

    expect(listUnspoken(makeChange("create", row), FILM, new NewRowWords(words))).toEqual(expected);
  },
);

test.each<[JsonObject, readonly string[]]>([
  [{ back_on: "2026-02-07" }, ["back_on"]],
  [{ length: 7 }, ["length"]],
  [{ shown_at: "Rex 7" }, []],
])(
  "listUnspoken() takes no figure of a row's own name for a day or an amount: %o",
  (row, expected) => {
    const change = { ...makeChange("create", { title: "Rex 7", ...row }), label: "Rex 7" };

    expect(listUnspoken(change, FILM, new NewRowWords(say("add Rex 7")))).toEqual(expected);
  },
);

test.each<[string, JsonObject, readonly string[]]>([
  ["set the length of Leo to 90, and add Rex", { title: "Rex", length: 90 }, ["length"]],
  ["Leo is lent, and add Rex", { title: "Rex", lent: true }, ["lent"]],
  ["put Lockhart away, and add Rex", { title: "Rex", shelf: "locked" }, ["shelf"]],
  ["Leo is back, and add Rex, length 90", { title: "Rex", length: 90 }, []],
])(
  "listUnspoken() takes no word about a known row for a value: %s, %o",
  (message, row, expected) => {
    const labels = new Map([
      [rowKey("film", "film_2"), "Leo"],
      [rowKey("film", "2"), "Leo"],
      [rowKey("film", "3"), "Lockhart"],
    ]);
    const change = { ...makeChange("create", row), label: "Rex" };

    expect(listUnspoken(change, FILM, new NewRowWords({ ...say(message), labels }))).toEqual(
      expected,
    );
  },
);

test.each<[string, string, readonly string[]]>([
  ["give a film to Bella Donna", "1", ["owner_id"]],
  ["give a film to Bella Donna", "2", []],
  ["give Rosa Klein's film to Bella Donna", "2", ["owner_id"]],
  ["give Rosa Klein's film to Bella Donna", "3", ["owner_id"]],
  ["give a film to Bella", "2", ["owner_id"]],
  ["give a film to Bella", "1", []],
  ["give a film to Donna", "2", []],
  ["give a film to Rosa Mann", "3", ["owner_id"]],
  ["give a film to Rosa Klein", "3", []],
])(
  "listUnspoken() takes no part of another name for a linked row: %s, %s",
  (message, owner, expected) => {
    const labels = new Map([
      [rowKey("person", "1"), "Bella"],
      [rowKey("person", "2"), "Bella Donna"],
      [rowKey("person", "3"), "Rosa Klein"],
      [rowKey("person", "4"), "Rosa Lang"],
    ]);
    const words = { ...say(message), labels };
    expect(
      listUnspoken(makeChange("create", { owner_id: owner }), FILM, new NewRowWords(words)),
    ).toEqual(expected);
  },
);

test.each([
  ["set the time of Trips 10 to 2026-03-20T10:00:00+00:00, and add Rex", 0],
  ["set the rate of Trips 10 to 7, and add Rex", 1],
])(
  "selectOtherwise() takes moments and names of known rows for no numbers: %s",
  (message, count) => {
    const labels = new Map([[rowKey("film", "2"), "Trips 10"]]);
    const created = [makeChange("create", { title: "Rex", rental_rate: 2.5 })];
    const words = { ...say(message), labels };
    expect(selectOtherwise(created, [FILM], { words, beside: "" })).toHaveLength(count);
  },
);

test("selectOtherwise() takes a day of the message that a receipt words for one that was stored", () => {
  const row = { title: "Rex", back_on: "2026-02-20" };
  const change = makeChange("create", row);
  const words = say('show it from "2026-03-23T10:00:00+00:00", and add Rex');
  const find = (beside: string) => selectOtherwise([change], [FILM], { words, beside });

  expect(find("shown: Tue 17 Mar 2026, 11:00 → Mon 23 Mar 2026, 11:00")).toEqual([]);
  expect(find("shown: Tue 17 Mar 2026, 11:00")).toEqual([change]);
});

test("selectOtherwise() and listUnspoken() leave out what the database gives by itself", () => {
  const given = { title: "Rex", description: "" };
  const row = { ...given, shown_at: "2026-00017", rental_rate: 9 };
  const change = { ...makeChange("create", row), given: Object.keys(given) };
  const words = say("add Rex for 10");

  expect(selectOtherwise([change], [FILM], { words, beside: "" })).toEqual([]);
  expect(listUnspoken(change, FILM, new NewRowWords(words))).toEqual([]);
});

test.each<[string, readonly JsonObject[], readonly number[]]>([
  ["add Rex for 10", [{ title: "Rex", rental_rate: 9999 }], [0]],
  ["add Rex, rate 2, length 90", [{ title: "Rex", rental_rate: 90, length: 2 }], [0]],
  ["add Dani Whitlock", [{ title: "Danny Whitlock" }], [0]],
  ["add dani whitlock", [{ title: "Danny Whitlock" }], [0]],
  ["add Dani", [{ title: "Danny" }], [0]],
  ["a new one: Inès Moreau", [{ title: "Agnès Moreau" }], [0]],
  ["please put Grey Heron on it", [{ title: "Night Heron" }], [0]],
  ["add Dani Whitlok", [{ title: "Dani Whitlock" }], [0]],
  ["add dani whitlock", [{ title: "Dani Whitlock" }], []],
  ["add two tomatos", [{ title: "Tomatoes" }], []],
  ["Add beer", [{ title: "Ale" }], []],
  ["Grab olive oil", [{ title: "Extra virgin olive oil" }], []],
  ["we also need some olive oil", [{ title: "Extra virgin olive oil" }], []],
  ["Add Orange Trees", [{ title: "Orange tree" }], []],
  ["Add the dinosaurs of Dino Park", [{ title: "Dinosaurs of Dino Park" }], []],
  ["add Rex, back on the 17th", [{ title: "Rex", back_on: "2026-01-18" }], [0]],
  ["add Rex, back on Friday", [{ title: "Rex", back_on: "2026-01-18" }], [0]],
  ["add Rex, back in ten days", [{ title: "Rex", back_on: "2026-01-18" }], [0]],
  ["add Rex to the open shelf", [{ title: "Rex", shelf: "locked" }], [0]],
  ["add Locke", [{ title: "Locke", shelf: "open" }], []],
  ["add Rex", [{ title: "Rex", shown_at: "0221 445566" }], [0]],
  ["add Rex, code AB12", [{ title: "Rex", shown_at: "XY99" }], [0]],
  ["add Rex, code AB12", [{ title: "Rex", shown_at: "AB12", description: "XY99 in hall 2" }], []],
  ["add Rex", [{ title: "Rex", shown_at: "XY99" }], []],
  ["add Rex", [{ title: "Rex", rental_rate: 2.5, back_on: "2026-02-01", shelf: "open" }], []],
  [
    "add Rex and Leo, 10 each",
    [
      { title: "Rex", rental_rate: 10 },
      { title: "Leo", rental_rate: 10 },
    ],
    [],
  ],
  ["add Rex for 2.75", [{ title: "Rex", rental_rate: 2.75, back_on: "2026-02-01" }], []],
  ["add Rex for 2.5", [{ title: "Rex", rental_rate: 2.5, back_on: "2026-02-01" }], []],
  ["add Rex, back 2.5.", [{ title: "Rex", back_on: "2026-02-01" }], [0]],
  ["add Rex with 2 reels", [{ title: "Rex", description: "2 reels", rental_rate: 5 }], []],
  ["add Rex, it is not lent", [{ title: "Rex", lent: true }], [0]],
  ["add Rex, it is lent", [{ title: "Rex", lent: true }], []],
  [
    "add Rex to the open shelf, Leo to the locked one",
    [
      { title: "Rex", shelf: "open" },
      { title: "Leo", shelf: "locked" },
    ],
    [],
  ],
])(
  "selectOtherwise() finds new rows that have other values than the message: %s, %o",
  (message, rows, expected) => {
    const created = rows.map((values) => ({
      ...makeChange("create", values),
      label: FILM.label(values),
    }));

    expect(selectOtherwise(created, [FILM], { words: say(message), beside: "" })).toEqual(
      expected.map((at) => created[at]),
    );
  },
);

test.each([
  ["Ben, length 90, back 2026-01-16", 0],
  ["Ben, length 80, back 2026-01-17", 1],
])("selectOtherwise() leaves to other changes of the turn what they have: %s", (beside, count) => {
  const words = say("set Ben's length to 90, back on Friday, and add Rex");
  const created = [makeChange("create", { title: "Rex", length: 12, back_on: "2026-02-01" })];

  expect(selectOtherwise(created, [FILM], { words, beside })).toHaveLength(count);
});

test.each<[string, readonly JsonObject[], readonly number[]]>([
  [
    "Kim 370 minutes, Tom 120 minutes",
    [
      { title: "Kim", length: 120 },
      { title: "Tom", length: 370 },
    ],
    [0, 1],
  ],
  [
    "Kim 370 minutes, Tom 120 minutes",
    [
      { title: "Kim", length: 370 },
      { title: "Tom", length: 120 },
    ],
    [],
  ],
  [
    "370 minutes for Kim and 120 for Tom",
    [
      { title: "Kim", length: 120 },
      { title: "Tom", length: 370 },
    ],
    [0, 1],
  ],
  [
    "370 minutes for Kim and 120 for Tom",
    [
      { title: "Kim", length: 370 },
      { title: "Tom", length: 120 },
    ],
    [],
  ],
  [
    "Kim and Tom 120 minutes each",
    [
      { title: "Kim", length: 120 },
      { title: "Tom", length: 120 },
    ],
    [],
  ],
  [
    "Kim is back on Friday, Tom on Monday",
    [
      { title: "Kim", back_on: "2026-01-19" },
      { title: "Tom", back_on: "2026-01-16" },
    ],
    [0, 1],
  ],
  [
    "Kim goes to the locked shelf. Tom to the open one",
    [
      { title: "Kim", shelf: "open" },
      { title: "Tom", shelf: "locked" },
    ],
    [0, 1],
  ],
  ["Kim 7,5 and 3 at the open shelf", [{ title: "Kim", rental_rate: 3 }], []],
])("selectSwapped() finds the value of another row: %s, %o", (message, rows, expected) => {
  const changes = rows.map((values, at) => ({
    ...makeChange("create", values),
    id: String(at),
    label: FILM.label(values),
  }));

  expect(selectSwapped(changes, [FILM], { words: say(message), others: [] })).toEqual(
    expected.map((at) => changes[at]),
  );
});

test("selectSwapped() tells rows by their codes", () => {
  const change = { ...makeChange("update", { length: 11 }, "K-101"), label: "K-101" };
  const others = [{ key: "film\n2", labels: ["K-103"] }];
  const words = say("Set K-101 to 9 minutes and K-103 to 11");

  expect(selectSwapped([change], [FILM], { words, others })).toEqual([change]);
  const right = { ...change, after: { ...change.after, length: 9 } };
  expect(selectSwapped([right], [FILM], { words, others })).toEqual([]);
});

test("selectSwapped() knows the rows that are not changed, too", () => {
  const change = { ...makeChange("update", { length: 120 }, "Kim"), label: "Kim" };
  const others = [{ key: "film\n2", labels: ["Tom"] }];
  const words = say("Kim has 370 minutes, Tom has 120");

  expect(selectSwapped([change], [FILM], { words, others })).toEqual([change]);
  expect(selectSwapped([change], [FILM], { words, others: [] })).toEqual([]);
});
