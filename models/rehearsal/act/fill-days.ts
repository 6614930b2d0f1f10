import { datesIn, weekdayOf } from "../language/calendar.ts";
import { PATTERNS } from "../language/patterns.ts";
import { countedTimes } from "../language/world-words.ts";
import { belongsTo, readRefs } from "../prompt/read-entities.ts";
import { columnOfKind, type ShownTable } from "../prompt/read-tables.ts";
import type { Slot } from "../world/world.ts";
import { isWanted } from "./analyze.ts";
import type { AnswerCall } from "../answer.ts";
import { draftOf } from "./drafts.ts";
import { complete, fail } from "./ends.ts";
import { choicesIn } from "./items.ts";
import type { Job } from "./job.ts";

/** Fills the days that are asked for, gaps left out, from what is viable and wanted. */
export function draftDays(job: Job, table: ShownTable): AnswerCall {
  const [, size, phrase = ""] = /^Draft the days(?: for (\d+))?: (.+)$/.exec(job.description) ?? [];
  const slots = slotsIn(phrase, table, job);
  if (slots.length === 0) return fail("It is not clear which days are meant");
  const viable = new Set(viableRefs(job));
  const options = job.rows
    .filter((row) => viable.has(row.ref) && isWanted(row, job))
    .map(({ ref, cells }) => ({ ref, cells, label: cells["name"] ?? cells["title"] ?? ref }));
  if (options.length === 0) return fail("There is nothing to fill the days with");
  const people = size === undefined ? job.world.size.usual : Number(size);
  const rows = job.world.fillSlots({ slots, options, size: people });
  return complete({
    summary: `Drafted ${rows.length} for ${new Set(slots.map(({ date }) => date)).size} days`,
    artifacts: rows.map((fields) => draftOf({ fields, children: null }, { ref: null, table })),
  });
}

/** What the plan names, else what the step before found viable. */
function viableRefs(job: Job): readonly string[] {
  const own = job.refs.filter((ref) => belongsTo(ref, job.world.parts.choices));
  if (own.length > 0) return own;
  const named = job.before.map((line) =>
    readRefs(/ → (.+)$/.exec(line)?.[1] ?? "").filter((ref) =>
      belongsTo(ref, job.world.parts.choices),
    ),
  );
  return named.findLast((refs) => refs.length > 0) ?? [];
}

/** What a phrase says of the days to fill. */
interface Wanted {
  readonly days: readonly string[];
  readonly times: readonly (string | null)[];
  readonly gaps: readonly Gap[];
  readonly count: number | null;
}

interface Gap {
  /** A weekday or a date. */
  readonly day: string;
  readonly time: string;
}

/** Days and times of a phrase in order, less those that are to stay empty, as many as are wanted. */
function slotsIn(phrase: string, table: ShownTable, job: Job): Slot[] {
  const { days, times, gaps, count } = readWanted(phrase, table, job);
  const free = days
    .flatMap((date) => times.map((time): Slot => ({ date, time })))
    .filter((slot) => !gaps.some((gap) => isAt(gap, slot)));
  return count === null ? free : free.slice(0, count);
}

function isAt({ day, time }: Gap, slot: Slot): boolean {
  return time === slot.time && (day === slot.date || day === weekdayOf(slot.date));
}

function readWanted(phrase: string, table: ShownTable, job: Job): Wanted {
  const values = columnOfKind(table, "choice")?.values ?? [];
  const clauses = phrase.split(/ ?, /).map((text) => ({ text, gaps: gapsIn(text, values, job) }));
  const wanted = clauses.filter(({ gaps }) => gaps.length === 0).map(({ text }) => text);
  const text = wanted.join(" , ");
  const count = countedTimes(text, job.world);
  const days = daysIn(text, count, job);
  const named = new Set(choicesIn(text, values, job.world));
  const times =
    named.size > 0
      ? values.filter((value) => named.has(value))
      : usualTimes({ values, days, count, job });
  return { days, times, count, gaps: clauses.flatMap(({ gaps }) => gaps) };
}

const WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const GAP = new RegExp(
  `\\b(${WEEKDAY}|\\d{4}-\\d{2}-\\d{2}) (\\w+)\\b|\\b(\\w+) on (${WEEKDAY})\\b`,
  "g",
);

/** "leave wednesday dinner and friday lunch empty". */
function gapsIn(clause: string, values: readonly string[], { world }: Job): Gap[] {
  if (!PATTERNS.gap.test(clause)) return [];
  return [...clause.matchAll(GAP)].flatMap(([, day, word, wordFirst, dayLast]) => {
    const [time] = choicesIn(word ?? wordFirst ?? "", values, world);
    return time === undefined ? [] : [{ day: day ?? dayLast ?? "", time }];
  });
}

/** The days that are named; where only a number is, that many from tomorrow on. */
function daysIn(phrase: string, count: number | null, { calendar }: Job): string[] {
  const named = datesIn(phrase, calendar);
  if (named.length > 0 || count === null) return named;
  return datesIn(`next ${count} days`, calendar);
}

/** The usual time of day; times before it as well where one a day is too few. */
function usualTimes(facts: {
  readonly values: readonly string[];
  readonly days: readonly string[];
  readonly count: number | null;
  readonly job: Job;
}): (string | null)[] {
  const { values, days, count, job } = facts;
  const usual = job.world.usualTime ?? values[0];
  if (values.length === 0 || usual === undefined) return [null];
  const perDay = Math.ceil((count ?? days.length) / Math.max(1, days.length));
  const last = values.indexOf(usual);
  return values.slice(Math.max(0, last - perDay + 1), last + 1);
}
