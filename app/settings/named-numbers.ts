import { z } from "zod";
import { LIMITS, limitsWith, type LimitName, type Limits } from "../../state/limits.ts";
import { didYouMean } from "../../text/nearest.ts";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "../../server/settings.ts";
import { commaList } from "./schemas.ts";

/** Reads replacements of limits, `name=number` separated by commas. */
export const limits = commaList.transform((pairs, context): Partial<Limits> => {
  const given: [LimitName, number][] = [];
  for (const pair of pairs) {
    const { name, number } = splitPair(pair);
    if (!isLimitName(name)) {
      context.addIssue(`names no limit with "${name}"${didYouMean(name, Object.keys(LIMITS))}`);
      return z.NEVER;
    }
    if (number === null) {
      const example = `${name}=${LIMITS[name].default}`;
      context.addIssue(`must give "${name}" a whole number from 1 on, as in ${example}`);
      return z.NEVER;
    }
    given.push([name, number]);
  }
  const replaced = Object.fromEntries(given);
  try {
    limitsWith(replaced);
  } catch {
    context.addIssue("must keep recordTurns from 1 to 5");
    return z.NEVER;
  }
  return replaced;
});

/** Reads the limits of a server, `name=number` separated by commas; others keep their defaults. */
export const serverLimits = commaList.transform((pairs, context): ServerLimits => {
  const names = Object.keys(DEFAULT_SERVER_LIMITS);
  const given: [string, number][] = [];
  for (const pair of pairs) {
    const { name, number } = splitPair(pair);
    if (!names.includes(name)) {
      context.addIssue(`has no limit "${name}"; the limits are ${names.join(", ")}`);
      return z.NEVER;
    }
    if (number === null) {
      context.addIssue(`must give "${name}" a whole number from 1 to 999999999`);
      return z.NEVER;
    }
    given.push([name, number]);
  }
  return { ...DEFAULT_SERVER_LIMITS, ...Object.fromEntries(given) };
});

/** Splits `name=number`; the number is null where it is not a whole one from 1 on. */
function splitPair(pair: string): { readonly name: string; readonly number: number | null } {
  const [name = "", number = ""] = pair.split("=", 2).map((part) => part.trim());
  return { name, number: /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null };
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}
