import { z } from "zod";
import type { JsonObject } from "../state/json.ts";
import type { Queryable } from "../state/store.ts";
import type { Profile } from "../state/domain.ts";
import { readMembers, type Member } from "./members.ts";
import { readNumberField, readTextField, readTextListField } from "./read-values.ts";

const PreferencesRow = z.object({
  household_size: z.number().int(),
  equipment: z.array(z.string()),
  skill: z.string().nullable(),
});

const MemberRow = z.object({
  id: z.string(),
  name: z.string(),
  diet: z.array(z.string()),
  allergies: z.array(z.string()),
  dislikes: z.array(z.string()),
  favourites: z.array(z.string()),
  until: z.string().nullable(),
});

/** Loads a household and its people: as a text for prompts and, under their column names, as data for checks. */
export async function loadProfile(db: Queryable, userId: string): Promise<Profile> {
  const preferences = await db.query(
    "select household_size, equipment, skill from preferences where user_id = $1",
    [userId],
  );
  const members = await db.query(
    `select id::text as id, name, diet, allergies, dislikes, favourites, until::text as until
       from members where user_id = $1 order by created_at, id`,
    [userId],
  );
  const [row] = preferences.rows;
  const facts = {
    ...(row === undefined ? {} : PreferencesRow.parse(row)),
    members: members.rows.map((member) => MemberRow.parse(member)),
  };
  return { text: profileText(facts), forExperts: textForExperts(facts), facts };
}

/** The profile in one line; what is empty is left out. */
export function profileText(facts: JsonObject): string {
  const size = readNumberField(facts, "household_size");
  const people = readMembers(facts).map(describeMember).join(", ");
  const household = size === null ? "People" : `Household of ${size}`;
  const equipment = readTextListField(facts, "equipment").join(", ");
  const skill = readTextField(facts, "skill");
  const parts = [
    people === "" ? (size === null ? "" : household) : `${household}: ${people}`,
    equipment === "" ? "" : `Has: ${equipment}`,
    skill === "" ? "" : `Skill: ${skill}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(". ")}.`;
}

/** The profile for experts: how many there are, and what nobody may eat, without names. */
export function textForExperts(facts: JsonObject): string {
  const size = readNumberField(facts, "household_size");
  const people = readMembers(facts).flatMap(({ allergies, diet }) => {
    const rules = [describeList("allergies:", allergies), describeList("diet:", diet)];
    const about = rules.filter((part) => part !== "");
    return about.length === 0 ? [] : [`One person has ${about.join("; ")}.`];
  });
  return [size === null ? "" : `Household of ${size}.`, ...people]
    .filter((part) => part !== "")
    .join(" ");
}

/** A person with what counts at the table: `Anna (ALLERGIES (hard): peanuts; dislikes olives)`. */
function describeMember({ name, until, ...member }: Member): string {
  const about = [
    until === "" ? "" : `guest until ${until}`,
    describeList("ALLERGIES (hard):", member.allergies),
    describeList("diet (hard):", member.diet),
    describeList("dislikes", member.dislikes),
    describeList("likes", member.favourites),
  ].filter((part) => part !== "");
  return about.length === 0 ? name : `${name} (${about.join("; ")})`;
}

function describeList(words: string, values: readonly string[]): string {
  return values.length === 0 ? "" : `${words} ${values.join(", ")}`;
}
