/** An amount for people: `250 g`, `3`, `2 cans`; empty where nothing was measured. */
export function amountWords(quantity: number | null, unit: string | null): string {
  if (quantity === null) return unit ?? "";
  const number = String(Math.round(quantity * 100) / 100);
  return unit === null || unit === "" ? number : `${number} ${unit}`;
}
