import {
  addAmounts,
  compareAmounts,
  readAmount,
  type Amount,
  type StoredAmount,
} from "../amounts.ts";
import type { IngredientIndex } from "../ingredient-index.ts";
import { commonAmount, storedAmount, type ShoppingNeed } from "./shopping-math.ts";

/** A line that is on the shopping list and not bought yet. */
export interface ListedLine extends StoredAmount {
  readonly id: string;
  readonly name: string;
  /** The dishes it is for; empty for a line that a person wrote. */
  readonly sources: readonly string[];
}

/** The change to the shopping list for one need. */
export type ListChange =
  | { readonly kind: "add"; readonly need: ShoppingNeed; readonly amount: StoredAmount }
  | {
      readonly kind: "change";
      readonly need: ShoppingNeed;
      readonly line: ListedLine;
      readonly amount: StoredAmount;
      readonly sources: readonly string[];
    }
  | { readonly kind: "keep"; readonly need: ShoppingNeed; readonly line: ListedLine };

/**
 * Brings what has to be bought together with what the list has already.
 *
 * A line for the same dishes is set to the new amount, so that asking twice changes nothing. A line
 * for other dishes is added to: it was listed because the stock did not cover it, so the stock is
 * not taken off again. A line that a person wrote is raised where it is too small, and else kept.
 */
export function mergeShopping(
  needs: readonly ShoppingNeed[],
  listed: readonly ListedLine[],
  find: IngredientIndex,
): readonly ListChange[] {
  return needs.flatMap((need) => {
    const line = findLine(need, listed, find);
    if (line === undefined) {
      return need.covered ? [] : [{ kind: "add", need, amount: storedAmount(need.net) } as const];
    }
    const change = mergeLine(need, line);
    return change === null ? [] : [change];
  });
}

interface Found {
  readonly line: ListedLine;
  /** In the dimension of the need; null for "some". */
  readonly amount: Amount | null;
}

function findLine(
  need: ShoppingNeed,
  listed: readonly ListedLine[],
  find: IngredientIndex,
): Found | undefined {
  const weighed = need.gross?.unit.dimension === "weight";
  return listed
    .filter((line) => find(line.name).key === need.ingredient.key)
    .map((line) => {
      const amount = readAmount(line);
      const common = amount === null ? null : commonAmount(amount, need.ingredient, weighed);
      return { line, amount: common };
    })
    .find(({ amount }) => {
      const isSome = amount === null || need.gross === null;
      return isSome || amount.unit.dimension === need.gross?.unit.dimension;
    });
}

function mergeLine(need: ShoppingNeed, { line, amount }: Found): ListChange | null {
  const isForOthers =
    line.sources.length > 0 && !line.sources.some((one) => need.sources.includes(one));
  if (need.covered && !isForOthers) return null;
  const wanted = wantedAmount(need, { line, amount, isForOthers });
  if (wanted === null) return { kind: "keep", need, line };
  const stored = storedAmount(wanted);
  const sources = [...new Set([...line.sources, ...need.sources])];
  const isSame = stored.quantity === line.quantity && stored.unit === line.unit;
  if (isSame && sources.length === line.sources.length) return { kind: "keep", need, line };
  return { kind: "change", need, line, amount: stored, sources };
}

/** The amount that the line should say; null where it is to be left alone. */
function wantedAmount(
  need: ShoppingNeed,
  { line, amount, isForOthers }: Found & { readonly isForOthers: boolean },
): Amount | null {
  const { net, gross, sources } = need;
  if (net === null || gross === null) return null;
  if (isForOthers) return amount === null ? gross : addAmounts(amount, gross);
  const isForThese = line.sources.length > 0 && line.sources.every((one) => sources.includes(one));
  if (amount === null || isForThese) return net;
  // Partly for other dishes: the line cannot be taken apart, so it only grows.
  return compareAmounts(amount, net) >= 0 ? null : net;
}
