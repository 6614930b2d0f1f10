import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { domainFolder } from "../../domain/list-grants.ts";
import type { RowCall } from "../../state/row-call.ts";
import { openConversation } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptedRoles } from "../support/node-services.ts";
import { practiceDomain } from "../support/practice.ts";
import {
  makeRowCall,
  makeStep,
  NARRATIVE_ANSWER,
  setRow,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";

const RowSchema = z.object({
  type: z.enum(["patient", "therapist", "appointment", "exercise"]),
  name: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
const ChangeSchema = RowSchema.extend({ op: z.enum(["create", "update", "delete"]) });
const EntrySchema = z.object({
  id: z.string(),
  lang: z.string(),
  say: z.string(),
  rows: z.array(RowSchema),
  orders: z.array(ChangeSchema),
  lies: z.array(ChangeSchema),
});

type Row = z.infer<typeof RowSchema>;
type Change = z.infer<typeof ChangeSchema>;
type Entry = z.infer<typeof EntrySchema>;
type Values = Readonly<Record<string, string | number | null>>;

const ENTRIES = z
  .array(EntrySchema)
  .parse(JSON.parse(readFileSync(new URL("orders.json", import.meta.url), "utf8")));

// 200 messages to the assistant of a practice, written by somebody who had seen neither the rules nor the code,
// before any was played: 100 order changes, 100 none. `orders` are the changes that a message orders, `lies` some
// that it does not. The set is fixed: no message is added, changed or left out. At first the odd numbers were
// looked at while causes were mended and the even ones only counted; since values are asked about, all were looked at.
//
// First run: 152 of 269 lies were carried out (odd numbers 74 of 138, even ones 78 of 131), and 20 of 100 messages
// with orders were asked about (6 of 51, 14 of 49). A further column that no message speaks of was set beside an
// ordered update in 115 of 163 plays before a rule asked for its words.

/** `ORDERS_EVERY=1 npm test -- test/conversations/orders.test.ts` plays all of them. */
const EVERY = Number(process.env["ORDERS_EVERY"] ?? 3);
/** Lies carried out, messages asked about, and columns set besides, when these bounds were set: of every third, and of all. */
const MOST = EVERY === 3 ? { done: 23, asked: 6, besides: 1 } : { done: 83, asked: 11, besides: 4 };
/** A value for each column of a patient, an appointment and an exercise, for the first change in which no message has it. */
const VALUES: Row["values"] = {
  city: "Leeds",
  phone: "0221 445566",
  insurance: "Allianz",
  note: "very friendly and always early",
  status: "paused",
  date: "2026-09-17",
  time: "16:20",
  level: "hard",
  repeats: 17,
};
const PLAYED = ENTRIES.filter((_, index) => index % EVERY === 0);

const TYPES = practiceDomain.entityTypes;
const database = await testDatabase({ migrations: [domainFolder(practiceDomain)] });

const findTable = (type: string): string => TYPES.find((one) => one.type === type)?.table ?? "";

/** Returns values by the columns of the tables, empty ones as null, and a row for the name of one that is linked. */
function toColumns(values: Row["values"], find: (row: string) => string | null): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      name === "patient" || name === "therapist"
        ? [`${name}_id`, find(`${name} ${value}`)]
        : [name, value === "" ? null : value],
    ),
  );
}

/** Returns the values of a row as its table has them: an appointment has no name. */
function listValues({ type, name, values }: Row): Row["values"] {
  return type === "appointment" ? values : { name, ...values };
}

/** Stores rows of a user, and returns their ids by type and name. */
async function storeRows(userId: string, rows: readonly Row[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // An appointment links the others.
  const inOrder = rows.toSorted(
    (one, other) => Number(one.type === "appointment") - Number(other.type === "appointment"),
  );
  for (const row of inOrder) {
    const find = (linked: string): string | null => ids.get(linked) ?? null;
    const columns = { user_id: userId, ...toColumns(listValues(row), find) };
    const places = Object.keys(columns).map((_, at) => `$${at + 1}`);
    const { rows: stored } = await database.owner.query<{ id: string }>(
      `insert into ${findTable(row.type)} (${Object.keys(columns).join()}) values (${places.join()}) returning id`,
      Object.values(columns),
    );
    ids.set(`${row.type} ${row.name}`, stored[0]?.id ?? "");
  }
  return ids;
}

/** Lists the rows of a user by their values. */
async function listRows(userId: string): Promise<readonly string[]> {
  const { rows } = await database.owner.query<{ row: string }>(
    `select concat_ws('|', 'patient', name, city, phone, insurance, note, status) as row
       from patients where user_id = $1
     union all select concat_ws('|', name, room) from therapists where user_id = $1
     union all select concat_ws('|', name, level, repeats) from exercises where user_id = $1
     union all
     select concat_ws('|', date, time, appointments.status, patients.name, therapists.name)
       from appointments left join patients on patients.id = patient_id
       left join therapists on therapists.id = therapist_id where appointments.user_id = $1`,
    [userId],
  );
  return rows.map(({ row }) => row).toSorted();
}

/** Lists the rows that there are once changes of an entry's rows are carried out. */
async function listExpected(rows: readonly Row[], changes: readonly Change[]) {
  const userId = randomUUID();
  const after = rows.flatMap((row) => {
    const own = changes.filter(({ type, name }) => type === row.type && name === row.name);
    if (own.some(({ op }) => op === "delete")) return [];
    return [{ ...row, values: Object.assign({ ...row.values }, ...own.map((one) => one.values)) }];
  });
  await storeRows(userId, [...after, ...changes.filter(({ op }) => op === "create")]);
  return listRows(userId);
}

/** The calls of a plan with a step for each change. */
function makeCalls(changes: readonly Change[], find: (row: string) => string | null) {
  return changes.map((change, step): RowCall => {
    const { op, type, name, values } = change;
    const ref = op === "create" ? null : find(`${type} ${name}`);
    const set = toColumns(op === "create" ? listValues(change) : values, find);
    return makeRowCall({
      do: op,
      step,
      type,
      refs: ref === null ? [] : [ref],
      set: op === "delete" ? null : setRow(set),
    });
  });
}

/** The references to the rows of changes, by the words of their names that a message has. */
function refer(say: string, changes: readonly Change[], find: (row: string) => string | null) {
  const text = say.toLowerCase();
  return changes.flatMap(({ op, type, name }) => {
    const ref = op === "create" ? null : find(`${type} ${name}`);
    const words = name.split(" ").filter((word) => text.includes(word.toLowerCase()));
    return ref === null ? [] : [{ text: words.join(" "), ref }];
  });
}

/** A play, and the rows of its user before and after the message. */
interface Played {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly isAsked: boolean;
}

/** Says a message, behind a turn that shows the models all rows; both claim that it orders the changes. */
async function play({ say, rows }: Entry, claimed: readonly Change[]): Promise<Played> {
  const [userId, threadId] = [randomUUID(), randomUUID()];
  const ids = await storeRows(userId, rows);
  const before = await listRows(userId);
  const refs = new Map<string, string>();
  const find = (row: string): string | null => refs.get(row) ?? null;
  const types = TYPES.filter(({ type }) => rows.some((row) => row.type === type));
  const models = scriptedRoles({
    understand: [
      { json: understandAnswer({ needs: "work" }) },
      () => ({
        json: understandAnswer({ needs: "change", references: refer(say, claimed, find) }),
      }),
    ],
    think: [
      {
        json: thinkAnswer({
          steps: types.map(({ table }) => makeStep({ subdomain: table })),
          calls: types.map(({ type }, step) =>
            makeRowCall({ step, type, find: { all: true, where: [] } }),
          ),
        }),
      },
      () => ({
        json: thinkAnswer({
          steps: claimed.map(({ type }) =>
            makeStep({ stepType: "write", subdomain: findTable(type), writes: [] }),
          ),
          calls: makeCalls(claimed, find),
        }),
      }),
    ],
    reply: ["All right.", "All right."],
    summarize: [{ json: NARRATIVE_ANSWER }, { json: NARRATIVE_ANSWER }],
  });
  const stage = { database, domain: practiceDomain, models };
  const conversation = openConversation(stage, { userId, threadId });
  await conversation.send("good morning");
  const { registry } = await conversation.state();
  for (const [row, id] of ids) {
    const entry = registry.entries.find((one) => one.id === id);
    if (entry !== undefined) refs.set(row, entry.ref);
  }
  const { failure } = await conversation.send(say);
  if (failure !== null) throw new Error(`Cannot play "${say}"`, { cause: failure });
  return {
    before,
    after: await listRows(userId),
    isAsked: (await conversation.state()).pending !== null,
  };
}

/** Lists the lies of an entry that were carried out, each played alone. */
async function findDone(entry: Entry): Promise<readonly string[]> {
  const done: string[] = [];
  for (const lie of entry.lies) {
    const { before, after } = await play(entry, [lie]);
    if (before.join() !== after.join()) done.push(`${entry.id} ${lie.op} ${lie.name}`);
  }
  return done;
}

/** Lists the columns that were set beside those of an ordered update, each played alone. */
async function findBesides(entry: Entry): Promise<readonly string[]> {
  const done: string[] = [];
  for (const [column, value] of Object.entries(VALUES)) {
    const order = entry.orders.find(
      ({ op, type, values }) =>
        op === "update" && !(column in values) && mayHave(type, column, value),
    );
    const row = entry.rows.find(({ type, name }) => type === order?.type && name === order.name);
    if (order === undefined || row?.values[column] === value) continue;
    const { before, after } = await play(entry, [
      { ...order, values: { ...order.values, [column]: value } },
    ]);
    if (before.join() !== after.join()) done.push(`${entry.id} ${column} ${order.name}`);
  }
  return done;
}

/** Returns true where a type has a column that may have a value. */
function mayHave(name: string, column: string, value: string | number): boolean {
  const type = TYPES.find((one) => one.type === name);
  const found = type?.columns.find((one) => one.name === column);
  return found !== undefined && (found.values?.includes(String(value)) ?? true);
}

/** Lists the entry where its orders were asked about. */
async function findAsked({ id, ...entry }: Entry): Promise<readonly string[]> {
  if (entry.orders.length === 0) return [];
  const { after, isAsked } = await play({ id, ...entry }, entry.orders);
  const isDone = after.join() === (await listExpected(entry.rows, entry.orders)).join();
  if (!isDone && !isAsked)
    throw new Error(`The orders of ${id} were neither stored nor asked about`);
  return isDone ? [] : [id];
}

test("createConciergeGraph() asks about changes that no clause orders, and carries out those that one does", async () => {
  const done: string[] = [];
  const asked: string[] = [];
  const besides: string[] = [];
  const waiting = [...PLAYED];
  const playNext = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      done.push(...(await findDone(entry)));
      asked.push(...(await findAsked(entry)));
      besides.push(...(await findBesides(entry)));
    }
  };
  await Promise.all([playNext(), playNext(), playNext()]);

  expect(ENTRIES).toHaveLength(200);
  expect(done.toSorted().slice(MOST.done)).toEqual([]);
  expect(asked.toSorted().slice(MOST.asked)).toEqual([]);
  expect(besides.toSorted().slice(MOST.besides)).toEqual([]);
}, 300_000);
