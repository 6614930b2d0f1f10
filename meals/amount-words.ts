/** An amount for people: `250 g`, `3`, `2 cans`; empty where nothing was measured. */
export function amountWords(quantity: number | null, unit: string | null): string {
  if (quantity === null) return unit ?? "";
  const rounded = Math.round(quantity * 100) / 100;
  // A number that rounding would make another one is shown as it is stored.
  const isLost = !Number.isFinite(rounded) || (rounded === 0 && quantity !== 0);
  const number = String(isLost ? quantity : rounded);
  return unit === null || unit === "" ? number : `${number} ${unit}`;
}
