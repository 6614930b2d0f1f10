import type { Json } from "../../../state/json.ts";
import { ADVICE } from "../advice/general.ts";
import { needsOf, speaksOfStep } from "../advice/step-needs.ts";
import type { AnswerCall } from "../answer.ts";
import { datesIn, spanIn } from "../language/calendar.ts";
import { belongsTo, kindOf } from "../prompt/read-entities.ts";
import { columnOfKind, type ShownTable, tableOfKind } from "../prompt/read-tables.ts";
import { alteredRow, draftOf, changedParts } from "./drafts.ts";
import { fail } from "./ends.ts";
import { choicesIn, fieldsOfItem, itemsIn } from "./items.ts";
import type { Job } from "./job.ts";

/** A call of a tool. */
export function call(name: string, args: Readonly<Record<string, Json>>): AnswerCall {
  return { name, args };
}

/** The call that adds what a phrase names to a table. */
export function addItems(phrase: string, job: Job, table: ShownTable): AnswerCall {
  const items = speaksOfStep(phrase)
    ? needsOf(job.activePlan, ADVICE).map((name) => ({ name, quantity: null, unit: null }))
    : itemsIn(phrase, table, job.world);
  if (items.length === 0) return fail("It is not clear what is to be added");
  const dates = datesIn(phrase, job.calendar);
  const rows = items.map((item) => ({
    fields: fieldsOfItem(item, table, { phrase, dates, world: job.world }).map(
      ({ name, value }): Json => ({ name, value }),
    ),
    children: [],
  }));
  return call("db_create", { table: table.table, rows, drafts: null });
}

/** The call that sets a table's flag on rows. */
export function markDone(refs: readonly string[], table: ShownTable): AnswerCall {
  const flag = columnOfKind(table, "boolean");
  if (flag === null) return fail("Nothing here can be marked as done");
  return call("db_update", {
    table: table.table,
    refs,
    fields: [{ name: flag.name, value: true }],
    children: null,
  });
}

/** Choices on days: one each where there are as many, else every one on the day. */
export function schedule(refs: readonly string[], job: Job, table: ShownTable): AnswerCall {
  const phrase = /^Put .*?: (.+)$/.exec(job.description)?.[1] ?? job.description;
  const date = columnOfKind(table, "date");
  const choice = columnOfKind(table, "choice");
  const target = targetColumn(refs, table);
  if (date === null || target === null) return fail("Nothing can be put on days here");
  const days = datesIn(phrase, job.calendar);
  if (days.length === 0) return fail("It is not clear which day is meant");
  const times = choicesIn(phrase, choice?.values ?? [], job.world);
  const count = Math.max(refs.length, days.length);
  const rows = Array.from({ length: count }, (_, index) => {
    const ref = refs[index] ?? refs.at(-1) ?? "";
    const day = days[index] ?? days.at(-1) ?? "";
    const time = times.length === count ? times[index] : (times[0] ?? job.world.usualTime);
    const fields = [
      { name: date.name, value: day },
      ...(choice === null || time === undefined || time === null
        ? []
        : [{ name: choice.name, value: time }]),
      { name: target, value: ref },
      ...sizeField(phrase, job, table),
    ];
    return { fields, children: [] };
  });
  return call("db_create", { table: table.table, rows, drafts: null });
}

/** The call that puts rows on the day named last: "from tuesday to friday" goes to friday. */
export function move(refs: readonly string[], job: Job, table: ShownTable): AnswerCall {
  const date = columnOfKind(table, "date");
  const to = / to (?:the )?([^,]+)$/.exec(job.description)?.[1] ?? job.description;
  const day = datesIn(to, job.calendar).at(-1);
  if (date === null || day === undefined) return fail("It is not clear which day is meant");
  const fields: Json = [{ name: date.name, value: day }];
  return call("db_update", { table: table.table, refs, fields, children: null });
}

/** For as many as the words say, else as the household has. */
function sizeField(
  phrase: string,
  { profile, world }: Job,
  table: ShownTable,
): { name: string; value: number }[] {
  const { column } = world.size;
  const has = table.columns.some(({ name }) => name === column);
  const said =
    /\b(\d+) (?:people|persons|servings|portions|of us|guests)\b/.exec(phrase)?.[1] ??
    /\b(?:for|serves|serving) (\d+)\b(?! (?:day|night|week|hour|minute|more))/.exec(phrase)?.[1];
  const size = said === undefined ? profile.household : Number(said);
  return has && size !== null ? [{ name: column, value: size }] : [];
}

/** The column that points at what the refs name. */
function targetColumn(refs: readonly string[], table: ShownTable): string | null {
  const kind = kindOf(refs[0] ?? "");
  const pointing = table.columns.filter(({ references }) => references !== null);
  const exact = pointing.find(
    ({ references }) => references === kind || references?.startsWith(kind) === true,
  );
  return (exact ?? pointing[0])?.name ?? null;
}

/** The call that gets together what choices or planned days need. */
export function collect(what: string, job: Job): AnswerCall {
  const { world, calendar, refs, tools } = job;
  const span = spanIn(what, calendar) ?? datesIn(what, calendar);
  const days = span.length > 0 ? span : (spanIn("this week", calendar) ?? []);
  const chosen = refs.filter((ref) => belongsTo(ref, world.parts.choices));
  const collected = world.collect({
    refs: chosen,
    from: chosen.length > 0 ? null : (days[0] ?? null),
    to: chosen.length > 0 ? null : (days.at(-1) ?? null),
  });
  if (collected === null || !tools.has(collected.name))
    return fail("There is no tool that collects what is needed");
  return collected;
}

/** A row that is saved is changed where it stands. */
export function changeSaved(job: Job, table: ShownTable): AnswerCall {
  const [ref] = job.refs;
  const row = job.rows.find((candidate) => candidate.ref === ref);
  const own = ref === undefined ? null : (tableOfKind(kindOf(ref), job.tables) ?? table);
  if (ref === undefined || row === undefined || own === null)
    return fail("It is not there to be changed");
  const changed = alteredRow(row, job, own);
  if (changed === null) return fail(`I do not know how to change it that way: ${job.description}`);
  const whole = draftOf(changedParts({ fields: row.cells, children: null }, changed), {
    ref,
    table: own,
  });
  const { fields, children } = whole;
  return call("db_update", { table: own.table, refs: [ref], fields, children });
}
