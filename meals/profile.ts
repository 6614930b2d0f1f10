import { z } from "zod";
import type { JsonObject } from "../state/json.ts";
import type { Queryable } from "../state/store.ts";
import type { Profile } from "../state/domain.ts";
import { readTextListField } from "./read-values.ts";

const PreferencesRow = z.object({
  household_size: z.number().int(),
  diet: z.array(z.string()),
  allergies: z.array(z.string()),
  dislikes: z.array(z.string()),
  favourites: z.array(z.string()),
  equipment: z.array(z.string()),
  skill: z.string().nullable(),
});

/** Loads the preferences of a user: as a text for prompts and, under their column names, as data for checks. */
export async function loadProfile(db: Queryable, userId: string): Promise<Profile> {
  const { rows } = await db.query(
    `select household_size, diet, allergies, dislikes, favourites, equipment, skill
       from preferences where user_id = $1`,
    [userId],
  );
  if (rows[0] === undefined) return { text: "", facts: {} };
  const facts = PreferencesRow.parse(rows[0]);
  return { text: profileText(facts), facts };
}

/** The profile in one line; what is empty is left out. */
export function profileText(facts: JsonObject): string {
  const size = facts["household_size"];
  const skill = facts["skill"];
  const list = (name: string, words: string): string[] => {
    const values = readTextListField(facts, name);
    return values.length === 0 ? [] : [`${words}: ${values.join(", ")}`];
  };
  const parts = [
    ...(typeof size === "number" ? [`Household of ${size}`] : []),
    ...list("allergies", "ALLERGIES (hard)"),
    ...list("diet", "Diet"),
    ...list("dislikes", "Dislikes"),
    ...list("favourites", "Likes"),
    ...list("equipment", "Has"),
    ...(typeof skill === "string" ? [`Skill: ${skill}`] : []),
  ];
  return parts.length === 0 ? "" : `${parts.join(". ")}.`;
}
