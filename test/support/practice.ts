import { join } from "node:path";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";

const NAME: Column = { name: "name", kind: "text", nullable: false, set: "always" };

function makeText(name: string): Column {
  return { name, kind: "text", set: "always" };
}

function makeChoice(name: string, ...values: readonly string[]): Column {
  return { name, kind: "choice", values, set: "always" };
}

function makeLink(type: string): Column {
  return { name: `${type}_id`, kind: "text", references: type, set: "always" };
}

function joinWords(...values: readonly (Json | undefined)[]): string {
  return values.filter((value) => typeof value === "string" || typeof value === "number").join(" ");
}

const RIGHTS = { rights: ["read", "create", "update", "delete"] } as const;

/** Everything may be read and changed, and nothing is asked about but by the rules that every domain has. */
const PRACTICE_TYPES: readonly EntityType[] = [
  {
    ...RIGHTS,
    type: "patient",
    table: "patients",
    words: { one: "patient", many: "patients" },
    columns: [
      NAME,
      ...["city", "phone", "insurance", "note"].map(makeText),
      { ...makeChoice("status", "active", "paused"), nullable: false, hasDefault: true },
    ],
    summary: ["name", "city", "status"],
    orderBy: ["name"],
    label: ({ name }) => joinWords(name),
    facts: ({ city, status }) => joinWords(city, status),
  },
  {
    ...RIGHTS,
    type: "therapist",
    table: "therapists",
    words: { one: "therapist", many: "therapists" },
    columns: [NAME, makeText("room")],
    summary: ["name", "room"],
    orderBy: ["name"],
    label: ({ name }) => joinWords(name),
  },
  {
    ...RIGHTS,
    type: "appointment",
    table: "appointments",
    words: { one: "appointment", many: "appointments" },
    columns: [
      { name: "date", kind: "date", set: "always" },
      makeText("time"),
      {
        ...makeChoice("status", "planned", "done", "cancelled"),
        nullable: false,
        hasDefault: true,
      },
      makeLink("patient"),
      makeLink("therapist"),
    ],
    summary: ["date", "time", "status", "patient_id", "therapist_id"],
    orderBy: ["date", "time"],
    label: ({ date, time }) => joinWords(date, time),
    facts: ({ status }) => joinWords(status),
  },
  {
    ...RIGHTS,
    type: "exercise",
    table: "exercises",
    words: { one: "exercise", many: "exercises" },
    columns: [
      NAME,
      makeChoice("level", "easy", "medium", "hard"),
      { name: "repeats", kind: "integer", set: "always" },
    ],
    summary: ["name", "level", "repeats"],
    orderBy: ["name"],
    label: ({ name }) => joinWords(name),
    facts: ({ level }) => joinWords(level),
  },
];

/** A physiotherapist's practice. */
export const practiceDomain: Domain = {
  ...NO_DOMAIN,
  name: "practice",
  entityTypes: PRACTICE_TYPES,
  subdomains: PRACTICE_TYPES.map(({ type, table }) => ({
    name: table,
    type,
    reads: type === "appointment" ? ["patient", "therapist"] : [],
    about: table,
  })),
  migrations: join(import.meta.dirname, "practice-tables"),
};
