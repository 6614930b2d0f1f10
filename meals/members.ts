import { isJsonObject, type JsonObject } from "../state/json.ts";
import { readListField, readTextField, readTextListField } from "./read-values.ts";

/** A person who eats here. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly diet: readonly string[];
  readonly allergies: readonly string[];
  readonly dislikes: readonly string[];
  readonly favourites: readonly string[];
  /** Last day of a guest; empty for those who live here. */
  readonly until: string;
}

/** The people of a profile, in the order in which they were added. */
export function readMembers(profile: JsonObject): readonly Member[] {
  return readListField(profile, "members").filter(isJsonObject).map(readMember);
}

/** A person from the values of a row. */
export function readMember(values: JsonObject): Member {
  return {
    id: readTextField(values, "id"),
    name: readTextField(values, "name"),
    diet: readTextListField(values, "diet"),
    allergies: readTextListField(values, "allergies"),
    dislikes: readTextListField(values, "dislikes"),
    favourites: readTextListField(values, "favourites"),
    until: readTextField(values, "until"),
  };
}

/** Returns true where a person eats a meal: they are among its eaters, or it has none and they are there on its day. */
export function isEater(member: Member, meal: JsonObject): boolean {
  const date = readTextField(meal, "date");
  const isThere = member.until === "" || date === "" || date <= member.until;
  const eaters = readListField(meal, "eaters").flatMap((eater) => {
    if (typeof eater === "string") return [eater];
    return isJsonObject(eater) ? [readTextField(eater, "member_id")] : [];
  });
  return isThere && (eaters.length === 0 || eaters.includes(member.id));
}
