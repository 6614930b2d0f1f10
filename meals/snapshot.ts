import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import { dayWords } from "./read-values.ts";

/** Days before expiry from which food is mentioned. */
const SOON = 3;

const SnapshotRow = z.object({
  recipes: z.number().int(),
  inventory: z.number().int(),
  shopping: z.number().int(),
  tasks: z.number().int(),
  due: z.number().int(),
  meals: z.number().int(),
  next_date: z.string().nullable(),
  next_slot: z.string().nullable(),
  next_title: z.string().nullable(),
  expiring: z.array(z.string()),
});

interface SnapshotUser {
  readonly userId: string;
  readonly today: string;
}

/** Loads how things stand in a user's kitchen: counts, the next meal, what goes off soon. */
export async function loadSnapshot(db: Queryable, user: SnapshotUser): Promise<string> {
  const { rows } = await db.query(
    `select (select count(*)::int from recipes where user_id = $1) as recipes,
            (select count(*)::int from inventory where user_id = $1) as inventory,
            (select count(*)::int from shopping_list where user_id = $1 and not purchased) as shopping,
            (select count(*)::int from tasks where user_id = $1 and not done) as tasks,
            (select count(*)::int from tasks where user_id = $1 and not done and due_on <= $2::date) as due,
            (select count(*)::int from meal_plans where user_id = $1 and date >= $2::date) as meals,
            next.date::text as next_date, next.slot as next_slot, next.title as next_title,
            array(select name from inventory
                   where user_id = $1 and expires_on <= $2::date + $3::int
                   order by expires_on, name limit 6) as expiring
       from (select 1) as one
       left join lateral (
         select date, slot, title from meal_plans
          where user_id = $1 and date >= $2::date
          order by date, array_position(array['breakfast', 'lunch', 'dinner', 'snack', 'other'], slot)
          limit 1) as next on true`,
    [user.userId, user.today, SOON],
  );
  return snapshotText(SnapshotRow.parse(rows[0]));
}

function snapshotText(row: z.infer<typeof SnapshotRow>): string {
  const counts = [
    `${row.recipes} recipes`,
    `${row.inventory} inventory items`,
    `${row.shopping} things to buy`,
    `${row.tasks} open tasks${row.due === 0 ? "" : ` (${row.due} due)`}`,
    `${row.meals} planned meals from today`,
  ];
  const next =
    row.next_date === null
      ? []
      : [`Next meal: ${row.next_title ?? ""}, ${dayWords(row.next_date)} ${row.next_slot ?? ""}.`];
  const expiring = row.expiring.length === 0 ? [] : [`Use soon: ${row.expiring.join(", ")}.`];
  return [`${counts.join(", ")}.`, ...next, ...expiring].join("\n");
}
