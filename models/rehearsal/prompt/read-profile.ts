/** What a profile says that matters for planning and making. */
export interface ProfileFacts {
  /** How many people it is for; null where it does not say. */
  readonly household: number | null;
  readonly allergies: readonly string[];
  readonly dislikes: readonly string[];
  readonly diets: readonly string[];
}

/** Reads "Household of 2. ALLERGIES (hard): peanuts. Dislikes: olives." */
export function readProfile(text: string): ProfileFacts {
  const household = /\b(?:household|group|family|party) of (\d+)/i.exec(text)?.[1];
  return {
    household: household === undefined ? null : Number(household),
    allergies: listAfter(text, /ALLERG\w*[^:]*/i),
    dislikes: listAfter(text, /Dislikes?/i),
    diets: listAfter(text, /Diets?/i),
  };
}

function listAfter(text: string, name: RegExp): string[] {
  const found = new RegExp(`${name.source}: ([^.\\n]+)`, name.flags).exec(text)?.[1];
  return (found ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "");
}
