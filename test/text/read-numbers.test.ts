import { expect, test } from "vitest";
import { readNumbers } from "../../text/read-numbers.ts";

function read(text: string, language = "en"): readonly (readonly number[])[] {
  return readNumbers(text, language).map(({ readings }) => readings);
}

test.each<[string, string, readonly (readonly number[])[]]>([
  ["7,500 pages", "en", [[7500]]],
  ["7,500 kg", "de", [[7.5]]],
  ["1.000 Seiten", "de", [[1000]]],
  ["1.000 m", "en", [[1]]],
  ["1.000 pages", "fr", [[1000, 1]]],
  ["1.000 páginas", "es", [[1000, 1]]],
  ["1 000 pages", "fr", [[1000]]],
  ["1 150,50 euros", "fr", [[1150.5]]],
  ["2,99 und 1.000", "en", [[2.99], [1000, 1]]],
  ["2.99 und 1.000", "de", [[2.99], [1000, 1]]],
  ["1,234.50", "de", [[1234.5]]],
  ["1.234.567", "en", [[1234567]]],
  ["1’000 Franken", "de", [[1000]]],
  ["0,500 l", "en", [[0.5]]],
  ["7,5", "en", [[7.5]]],
  ["8k pages, 8 kg", "en", [[8000], [8]]],
  ["1.5k", "en", [[1500]]],
  ["zwei Stunden, one egg", "de", [[2]]],
  ["sixty-five pages of two hundred and ten", "en", [[65], [210]]],
  ["a hundred, one hundred and one", "en", [[100], [101]]],
  ["hundertfünfzig, achtunddreissig, dreißig", "de", [[150], [38], [30]]],
  ["treinta y cinco, doscientas", "es", [[35], [200]]],
  ["vingt et un, quatre-vingts, deux cents", "fr", [[21], [80], [200]]],
  ["quarantacinque e cinquecento", "it", [[45], [500]]],
  ["tweeëntwintig en honderd, onze", "nl", [[22], [100]]],
  ["setecentos e quarenta, duzentas", "pt", [[740], [200]]],
  ["elf, once", "en", []],
  [
    "four fifty, three twenty-five",
    "en",
    [
      [450, 4.5],
      [325, 3.25],
    ],
  ],
  [
    "one fifty, nineteen eighty-four",
    "en",
    [
      [150, 1.5],
      [1984, 19.84],
    ],
  ],
  ["two three, four, fifty", "en", [[2], [3], [4], [50]]],
  ["four fifty thousand, four fifty pm", "en", [[4], [50], [1000], [4], [50]]],
  ["ten twenty thirty", "en", [[10], [20], [30]]],
  ["um fifty, five four fifty", "en", [[50], [5], [4], [50]]],
  ["4 and a half pages, two hours and a half", "en", [[4.5], [2.5]]],
  ["one and a half, a page and a half", "en", [[1.5], [1.5]]],
  ["twelve and a half", "en", [[12.5]]],
  ["one point two, three point twenty-five", "en", [[1.2], [3.25]]],
  ["the point two of them made", "en", [[2]]],
  ["eins Komma zwei", "de", [[1.2]]],
  ["dos coma cinco", "es", [[2.5]]],
  ["deux virgule cinq", "fr", [[2.5]]],
  ["due virgola cinque", "it", [[2.5]]],
  ["twee komma vijf", "nl", [[2.5]]],
  ["dois vírgula cinco", "pt", [[2.5]]],
  ["half past four", "en", [[4]]],
  ["anderthalb, viereinhalb Seiten, eineinhalb", "de", [[1.5], [4.5], [1.5]]],
  ["vier fünfzig", "de", [[4], [50]]],
  ["quatre et demie, deux pages et demie", "fr", [[4.5], [2.5]]],
  ["cuatro y media", "es", [[4.5]]],
  ["quattro e mezzo", "it", [[4.5]]],
  ["vier en een half, tweeënhalf, anderhalve", "nl", [[4.5], [2.5], [1.5]]],
  ["quatro e meia", "pt", [[4.5]]],
  ["16.1.2026", "de", [[16], [1], [2026]]],
  ["INV-2026-0005", "en", [[2026], [5]]],
])(
  "readNumbers() reads separators as the language or the text has them: %s (%s)",
  (text, language, expected) => {
    expect(read(text, language)).toEqual(expected);
  },
);

test.each<[string, readonly number[]]>([
  ["500 g", [1, 1_000, 1 / 1_000]],
  ["2 hours", [1, 60, 3_600, 1 / 60, 1 / 3_600]],
  ["zwei Dutzend", [1, 12, 1 / 12]],
  ["$5", [1, 100, 1 / 100]],
  ["8k pages", [1]],
  ["7,500 pages", [1]],
])("readNumbers() lets a unit be given otherwise, and nothing else: %s", (text, expected) => {
  expect(readNumbers(text, "en")[0]?.scales).toEqual(expected);
});
