import { z } from "zod";
import { JourneyStatusSchema } from "../../state/journey.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import { PhaseSchema } from "../../state/phase.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn, toTextColumn } from "../postgres/json-column.ts";
import { isOnCurrentBranch } from "./archive-rows.ts";

/** The columns of a journey that say what it is. */
const JourneyHeadSchema = z.object({
  journeyId: z.string(),
  /** The turn after which it was stored. */
  changedTurn: z.number().int(),
  title: z.string(),
  openedTurn: z.number().int(),
  status: JourneyStatusSchema,
  reason: z.string().nullable(),
});

/** A journey as a turn left it. */
export const JourneyRowSchema = JourneyHeadSchema.extend({
  threadId: z.string(),
  runId: z.string(),
  state: JsonObjectSchema,
});
export type JourneyRow = z.infer<typeof JourneyRowSchema>;

/** A journey as it was stored last, without most of its state. */
const JourneySummarySchema = JourneyHeadSchema.extend({
  phase: PhaseSchema,
  /** Null without one. */
  plan: JsonObjectSchema.nullable(),
});
export type JourneySummary = z.infer<typeof JourneySummarySchema>;

/** Stores a journey as a turn left it; the row of the same turn and run is replaced. `tx` carries the user. */
export async function saveJourney(tx: Queryable, row: JourneyRow): Promise<void> {
  await tx.query(
    `insert into journeys (thread_id, journey_id, changed_turn, run_id, title, opened_turn, status, reason, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (thread_id, journey_id, changed_turn, run_id) do update
       set title = excluded.title, opened_turn = excluded.opened_turn, status = excluded.status,
           reason = excluded.reason, state = excluded.state`,
    [
      row.threadId,
      row.journeyId,
      row.changedTurn,
      row.runId,
      toTextColumn(row.title),
      row.openedTurn,
      row.status,
      row.reason === null ? null : toTextColumn(row.reason),
      toJsonColumn(row.state),
    ],
  );
}

const HEAD = `journey_id as "journeyId", changed_turn as "changedTurn", title, opened_turn as "openedTurn",
  status, reason`;

/** A journey of a thread. */
export interface StoredJourneyQuery {
  readonly threadId: string;
  readonly journeyId: string;
}

/** Returns the newest row of a journey on the current branch, or null. */
export async function findJourney(
  tx: Queryable,
  { threadId, journeyId }: StoredJourneyQuery,
): Promise<JourneyRow | null> {
  const { rows } = await tx.query(
    `select ${HEAD}, thread_id as "threadId", run_id as "runId", state
       from journeys
      where thread_id = $1 and journey_id = $2 and ${isOnCurrentBranch("journeys")}
      order by changed_turn desc, created_at desc
      limit 1`,
    [threadId, journeyId],
  );
  return rows[0] === undefined ? null : JourneyRowSchema.parse(rows[0]);
}

/** Returns the journeys of the current branch, each as it was stored last, the newest first. */
export async function listJourneys(tx: Queryable, threadId: string): Promise<JourneySummary[]> {
  const { rows } = await tx.query(
    `select * from (
       select distinct on (journey_id) ${HEAD}, state -> 'concierge' ->> 'current_phase' as phase,
              nullif(state -> 'plan', 'null') as plan
         from journeys
        where thread_id = $1 and ${isOnCurrentBranch("journeys")}
        order by journey_id, changed_turn desc, created_at desc) as newest
      order by "changedTurn" desc, "openedTurn" desc`,
    [threadId],
  );
  return JourneySummarySchema.array().parse(rows);
}

/** Returns the plan of each row of a journey on the current branch, null where it had none, oldest first. */
export async function listPlans(
  tx: Queryable,
  { threadId, journeyId }: StoredJourneyQuery,
): Promise<JourneySummary["plan"][]> {
  const { rows } = await tx.query(
    `select nullif(state -> 'plan', 'null') as plan
       from journeys
      where thread_id = $1 and journey_id = $2 and ${isOnCurrentBranch("journeys")}
      order by changed_turn, created_at`,
    [threadId, journeyId],
  );
  return JourneySummarySchema.pick({ plan: true })
    .array()
    .parse(rows)
    .map(({ plan }) => plan);
}
