import { expect, test } from "vitest";
import { selectUnrelated } from "../../nodes/steps/related-rows.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { makePlan, makeUnderstanding } from "../support/turn-state.ts";

const column = (name: string, kind: Column["kind"] = "text"): Column => ({
  name,
  kind,
  set: "always",
});

function join(...values: readonly (Json | undefined)[]): string {
  return values.map((value) => (typeof value === "string" ? value : "")).join(" ");
}

/** A lesson's label begins with its number; an exam has the name of its student only behind a link. */
const TYPES: readonly EntityType[] = [
  {
    type: "lesson",
    table: "lessons",
    words: { one: "lesson", many: "lessons", also: ["Stunde", "cours"] },
    columns: [
      ...["number", "student", "time", "room"].map((name) => column(name)),
      column("day", "date"),
      { ...column("status", "choice"), values: ["planned", "held"] },
    ],
    summary: [],
    orderBy: [],
    label: ({ number, student }) => join(number, student),
  },
  {
    type: "exam",
    table: "exams",
    words: { one: "exam", many: "exams" },
    columns: [column("day", "date"), { ...column("student_id"), references: "student" }],
    summary: [],
    orderBy: [],
    label: ({ day }) => join(day),
  },
  {
    type: "student",
    table: "students",
    words: { one: "student", many: "students" },
    columns: [column("name"), column("city")],
    summary: [],
    orderBy: [],
    label: ({ name }) => join(name),
  },
];

const LESSONS = {
  1: { number: "1", student: "Anna Weber", day: "2026-01-13", time: "15:00", room: "Blue" },
  2: { number: "2", student: "Paul Roth", day: "2026-01-13", time: "09:00", room: "Red" },
  3: { number: "3", student: "Paul Roth", day: "2026-01-16", time: "17:00", room: "Red" },
  4: { number: "4", student: "Lea Hansen", day: "2026-01-14", time: "10:30", room: "Blue" },
  5: { number: "5", student: "Leo Hanson", day: "2026-01-22", time: "14:00", room: "Blue" },
};
const ROWS: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(Object.entries(LESSONS).map(([key, row]) => [`lesson_${key}`, row])),
  student_1: { name: "Anna Weber", city: "Bern" },
  student_2: { name: "Paul Roth", city: "Bern" },
  exam_1: { day: "2026-02-03", student_id: "student_1" },
  exam_2: { day: "2026-02-04", student_id: "student_2" },
};
const ENTRIES = Object.entries(ROWS).map(([ref, row]) => {
  const type = TYPES.find((one) => ref.startsWith(one.type));
  return {
    ref,
    type: type?.type ?? "",
    id: ref,
    label: type?.label(row) ?? "",
    facts: "",
    action: "read" as const,
    byUser: false,
    detail: "full" as const,
    createdTurn: 1,
    referencedTurn: 1,
    readTurn: 1,
    retention: null,
    demotion: null,
    restoredTurn: null,
    row,
    rowVersion: 1,
  };
});

/** Returns true where an update of a row is asked about. 12 January 2026 is a Monday. */
function asks(message: string, [ref, values]: Update, language = "en"): boolean {
  const entry = ENTRIES.find((one) => one.ref === ref);
  const before = entry?.row ?? {};
  const update = {
    action: "update",
    type: entry?.type ?? "",
    id: ref,
    ref,
    label: entry?.label ?? "",
    version: 1,
    before,
    after: { ...before, ...values },
    changed: Object.keys(values),
    cause: "named",
  } as const;
  const asked = selectUnrelated([update], {
    message,
    lastReply: "",
    topic: null,
    // The model takes the words of the message for the row.
    understanding: makeUnderstanding({
      needs: "change",
      references: [{ text: message.slice(message.indexOf(" ") + 1), ref }],
    }),
    plan: makePlan({ steps: [] }),
    effects: [],
    registry: { listed: [], entries: ENTRIES },
    entityTypes: TYPES,
    drafts: new Map(),
    ownTool: null,
    isIrrevocable: false,
    today: "2026-01-12",
    language,
  });
  return asked.length > 0;
}

type Update = readonly [ref: string, values: JsonObject];

const THURSDAY = { day: "2026-01-15" };

test.each<[string, Update, Update, string?]>([
  ["Move Paul Roth's Tuesday lesson to Thursday", ["lesson_2", THURSDAY], ["lesson_1", THURSDAY]],
  ["Move Paul's Tuesday lesson to Thursday", ["lesson_2", THURSDAY], ["lesson_3", THURSDAY]],
  ["Move lesson 2 to Thursday", ["lesson_2", THURSDAY], ["lesson_1", THURSDAY]],
  [
    "Verschiebe die Stunde am Mittwoch auf Donnerstag",
    ["lesson_4", THURSDAY],
    ["lesson_1", THURSDAY],
    "de",
  ],
  [
    "Mets le cours de 17:00 en Blue",
    ["lesson_3", { room: "Blue" }],
    ["lesson_2", { room: "Blue" }],
    "fr",
  ],
  ["Mark Lea's lesson as held", ["lesson_4", { status: "held" }], ["lesson_2", { status: "held" }]],
  [
    "Mark Hansen's lesson as held",
    ["lesson_4", { status: "held" }],
    ["lesson_5", { status: "held" }],
  ],
  [
    "Move Paul's exam to 5 February",
    ["exam_2", { day: "2026-02-05" }],
    ["exam_1", { day: "2026-02-05" }],
  ],
  [
    "The student Paul lives in Ulm now",
    ["student_2", { city: "Ulm" }],
    ["student_1", { city: "Ulm" }],
  ],
])(
  "an update is asked about where the message points at another row: %s",
  (message, meant, other, language) => {
    expect(asks(message, meant, language)).toBe(false);
    expect(asks(message, other, language)).toBe(true);
  },
);

test.each<[string, Update]>([
  // What the message sets points at no other row that has it.
  ["Move Paul's Tuesday lesson to Friday", ["lesson_2", { day: "2026-01-16" }]],
  ["Move Anna's lesson to Thursday", ["lesson_1", THURSDAY]],
  ["Move the lesson of Anna to Red", ["lesson_1", { room: "Red" }]],
  ["Set the student of lesson 1 to Paul Roth", ["lesson_1", { student: "Paul Roth" }]],
  // "Half past ten" is the row's own time, and "on the 9th" no other row's.
  ["Move Lea's half past ten lesson to 11:00", ["lesson_4", { time: "11:00" }]],
  ["Lessons of Paul on 9 January or later are held", ["lesson_3", { status: "held" }]],
  ["Move all lessons to Thursday", ["lesson_1", THURSDAY]],
])(
  "an update is not asked about where the message points at no other row: %s",
  (message, meant) => {
    expect(asks(message, meant)).toBe(false);
  },
);
