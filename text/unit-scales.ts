import { CHANGE_FIELDS } from "./change-words.ts";
import { foldWords } from "./fold-words.ts";

/** Units of one kind, as `Intl` calls them, with further words for them, and the factors between them. */
interface UnitKind {
  readonly units: readonly string[];
  readonly words: string;
  readonly factors: readonly number[];
}

const MONEY =
  "€ $ £ ¢ euro euros eur dollar dollars usd pound pounds gbp cent cents pence franken chf centimes centimos centavos reais";

const KINDS: readonly UnitKind[] = [
  {
    units: ["gram", "kilogram", "liter", "milliliter", "meter", "kilometer", "millimeter"],
    words: "kilo kilos mg dl cl tonne tonnes tonnen",
    factors: [1_000],
  },
  { units: ["centimeter", "meter"], words: "cl dl l", factors: [100, 10] },
  {
    units: ["hour", "minute", "second"],
    words: "h hrs hr mins min std stunde uur",
    factors: [60, 3_600],
  },
  { units: [], words: MONEY, factors: [100] },
  {
    units: [],
    words:
      "dozen dozens dutzend docena docenas douzaine douzaines dozzina dozzine dozijn duzia duzias",
    factors: [12],
  },
];

const UNIT_LOCALES = [...CHANGE_FIELDS.keys(), "en-GB"];

let factorsByWord: ReadonlyMap<string, readonly number[]> | null = null;

/** Lists the factors of the words for units in the shipped languages: made once, when a number first needs them. */
function listFactors(): ReadonlyMap<string, readonly number[]> {
  if (factorsByWord !== null) return factorsByWord;
  const found = new Map<string, readonly number[]>();
  for (const { units, words, factors } of KINDS) {
    const own = new Set([...words.split(" "), ...units.flatMap(listUnitWords)]);
    for (const word of own) found.set(word, [...(found.get(word) ?? []), ...factors]);
  }
  factorsByWord = found;
  return found;
}

function listUnitWords(unit: string): readonly string[] {
  return UNIT_LOCALES.flatMap((language) =>
    (["long", "short", "narrow"] as const).flatMap((unitDisplay) => {
      const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay });
      return [1, 2].flatMap((count) =>
        foldWords(format.format(count)).map((word) => word.replaceAll(/\d/gu, "")),
      );
    }),
  ).filter((word) => word !== "");
}

/** "10 %", "10 percent", "10 por ciento", behind the number. */
const PERCENT = /^[\s-]?(?:%|pct|percent|prozent|procent|p(?:or|our|er) c(?:ien|en)t)/iu;

/** Returns true for a text, behind a number, that makes it hundredth parts. Pure. */
export function isPercent(after: string): boolean {
  return PERCENT.test(after);
}

/**
 * Returns the factors by which a number between two texts may be given otherwise, by the unit that stands
 * behind it, or before it as a sign: 60 and 1/60 of hours. 1 alone where there is none. Pure.
 */
export function listUnitScales(before: string, after: string): readonly number[] {
  if (isPercent(after)) return [1, 100, 1 / 100];
  const factors = readUnits(before, after).flatMap((word) => listFactors().get(word) ?? []);
  return [1, ...factors, ...factors.map((factor) => 1 / factor)];
}

/** The words for a unit between two texts: a sign before the number, and the sign or word behind it. */
function readUnits(before: string, after: string): readonly string[] {
  const sign = /[€$£¢]\s?$/u.exec(before)?.[0].trim() ?? "";
  const behind = /^[\s-]?([€$£¢]|[\p{L}\p{M}]+)/u.exec(after)?.[1] ?? "";
  return [sign, /^\p{L}/u.test(behind) ? (foldWords(behind)[0] ?? "") : behind];
}

const MONEY_WORDS: ReadonlySet<string> = new Set(MONEY.split(" "));

/** Returns true for a number between two texts that is a sum of money: "15 euros", "$15". Pure. */
export function isMoney(before: string, after: string): boolean {
  return readUnits(before, after).some((word) => MONEY_WORDS.has(word));
}
