import { expect, test } from "vitest";
import { SpokenTimes } from "../../nodes/steps/spoken-times.ts";

test.each<[string, string, string, string]>([
  ["en", "twenty to five in the afternoon", "16:40", "04:40"],
  ["en", "8pm", "20:00", "08:00"],
  ["de", "um halb acht abends", "19:30", "20:30"],
  ["de", "um Viertel vor neun", "08:45", "09:15"],
  ["de", "17 Uhr 30", "17:30", "17:00"],
  ["nl", "om half vijf", "16:30", "17:30"],
  ["nl", "tien voor zes", "17:50", "18:10"],
  ["fr", "à neuf heures et demie du soir", "21:30", "09:30"],
  ["fr", "à 15h30", "15:30", "03:30"],
  ["es", "a las cinco menos veinte", "16:40", "17:20"],
  ["it", "alle otto e mezza di sera", "20:30", "19:30"],
  ["pt", "às nove e um quarto", "09:15", "09:45"],
])(
  "SpokenTimes holds the times that a message means: %s, %s",
  (language, message, meant, other) => {
    const times = new SpokenTimes({ message, language });
    expect([times.holds(meant, null), times.holds(other, null)]).toEqual([true, false]);
  },
);

test.each<[string, string, string]>([
  ["half an hour later", "19:00", "en"],
  ["trois quarts d'heure plus tard", "19:15", "fr"],
  ["eine Stunde früher", "17:30", "de"],
  ["20 minutes later", "18:50", "en"],
])("SpokenTimes counts from the time that was there before: %s", (message, time, language) => {
  const times = new SpokenTimes({ message, language });
  expect([times.holds(time, "18:30"), times.holds("21:07", "18:30")]).toEqual([true, false]);
});

test("SpokenTimes reads times with seconds, as columns of times have them", () => {
  const times = new SpokenTimes({ message: "at half past five", language: "en" });
  expect([times.holds("17:30:00", null), times.holds("18:30:00", null)]).toEqual([true, false]);
});

test("SpokenTimes holds no time where the message has none", () => {
  const times = new SpokenTimes({ message: "move it to 14 February", language: "en" });
  expect([times.holds("14:00", null), times.holds("later", null)]).toEqual([false, false]);
});

const HOURS = ["06:30", "09:00", "20:00"];

test.each<[string, string, string | null, readonly string[], boolean]>([
  ["acht uhr", "20:00", "07:30", [], false],
  ["acht uhr", "08:00", "07:30", [], true],
  ["at 9", "21:00", "09:00", [], false],
  ["at 8", "08:00", "19:00", [], false],
  ["at 8", "20:00", "19:00", [], true],
  ["at 8 in the evening", "20:00", "07:30", [], true],
  ["at 5", "17:00", "09:00", [], true],
  ["at 5", "05:00", "09:00", [], false],
  ["at 10", "22:00", "20:00", [], true],
  ["at seven", "19:00", "12:00", [], true],
  ["at seven", "07:00", "12:00", [], true],
  ["at 3", "03:00", null, HOURS, false],
  ["at 3", "15:00", null, HOURS, true],
  ["at 8", "20:00", null, HOURS, true],
  ["at 3", "03:00", null, [], true],
])(
  "SpokenTimes holds no time whose other half of the day is plain: %s, %s after %s",
  (message, time, before, known, expected) => {
    expect(new SpokenTimes({ message, language: "de" }).holds(time, before, known)).toBe(expected);
  },
);
