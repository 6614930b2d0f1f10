import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UsageError } from "../../app/usage-error.ts";

const UserSchema = z.looseObject({
  orders: z.array(z.string()),
  payment_methods: z.record(z.string(), z.looseObject({ id: z.string() })),
});

const OrderSchema = z.looseObject({
  order_id: z.string(),
  user_id: z.string(),
  status: z.string(),
  items: z.array(z.looseObject({ item_id: z.string(), product_id: z.string() })),
});

const ProductSchema = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  variants: z.record(z.string(), z.looseObject({ item_id: z.string(), price: z.number() })),
});

const TaskSchema = z.looseObject({
  user_id: z.string(),
  instruction: z.string(),
  actions: z.array(z.object({ name: z.string(), kwargs: z.record(z.string(), z.json()) })),
});

/** One recorded run of the benchmark: its task, and what was said. */
const RunSchema = z.looseObject({
  task_id: z.number().int(),
  info: z.looseObject({ task: TaskSchema }),
  traj: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
});

/** One task of τ-bench retail with the turns that a user has spoken in a recorded run. */
export interface RetailTask {
  readonly id: number;
  readonly userId: string;
  readonly instruction: string;
  readonly turns: readonly string[];
  /** The calls of the benchmark's own tools that lead to the wanted database. */
  readonly actions: z.infer<typeof TaskSchema>["actions"];
}

/** The benchmark's tables, each by id, and its tasks in ascending order. */
export interface RetailSet {
  readonly users: Readonly<Record<string, z.infer<typeof UserSchema>>>;
  readonly orders: Readonly<Record<string, z.infer<typeof OrderSchema>>>;
  readonly products: Readonly<Record<string, z.infer<typeof ProductSchema>>>;
  readonly tasks: readonly RetailTask[];
}

/** The last words of a simulated user: they end a run, and are no message. */
const STOP = "###STOP###";

/**
 * Reads τ-bench retail from a folder with the benchmark's `users.json`, `orders.json` and
 * `products.json`, and its recorded runs (a file of `historical_trajectories`) as `runs.json`. Of
 * several runs of a task the first counts.
 *
 * @throws UsageError that names the file that is missing, of another form, or at odds with another.
 */
export async function readRetail(folder: string): Promise<RetailSet> {
  const [users, orders, products, runs] = await Promise.all([
    readTable(folder, "users.json", z.record(z.string(), UserSchema)),
    readTable(folder, "orders.json", z.record(z.string(), OrderSchema)),
    readTable(folder, "products.json", z.record(z.string(), ProductSchema)),
    readTable(folder, "runs.json", z.array(RunSchema)),
  ]);
  const first = new Map(runs.toReversed().map((run) => [run.task_id, run]));
  const tasks = [...first.values()].map(toTask).toSorted((a, b) => a.id - b.id);
  const unknown = tasks.find(({ userId }) => users[userId] === undefined);
  if (unknown !== undefined) {
    throw new UsageError(
      `Cannot use the runs in "${folder}": task ${unknown.id} is of user "${unknown.userId}", who is not in users.json; take all files from one version of the benchmark`,
    );
  }
  const lost = Object.entries(users).flatMap(([user, { orders: own }]) =>
    own.filter((order) => orders[order] === undefined).map((order) => ({ user, order })),
  );
  const [one] = lost;
  if (one !== undefined) {
    throw new UsageError(
      `Cannot use the tables in "${folder}": order "${one.order}" of user "${one.user}" is not in orders.json; take all files from one version of the benchmark`,
    );
  }
  return { users, orders, products, tasks };
}

function toTask({ task_id: id, info: { task }, traj }: z.infer<typeof RunSchema>): RetailTask {
  const turns = traj
    .filter(({ role }) => role === "user")
    .map(({ content }) => (content ?? "").replaceAll(STOP, "").trim())
    .filter((text) => text !== "");
  const { user_id: userId, instruction, actions } = task;
  return { id, userId, instruction, turns, actions };
}

async function readTable<T>(folder: string, name: string, schema: z.ZodType<T>): Promise<T> {
  const file = join(folder, name);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `Cannot read "${file}" (${reason}): name a folder of the benchmark's files`,
    );
  });
  const table = schema.safeParse(parse(text));
  if (table.success) return table.data;
  const [issue] = table.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "the file" : issue.path.join(".");
  throw new UsageError(
    `Cannot use "${file}": ${place}: ${issue?.message ?? "it is of another form"}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
