import type { Benchmark, RecordedAction, RecordedTask } from "./benchmark.ts";
import { compareRows } from "./compare-rows.ts";
import { openCustomer, type PlayedCustomer, type RetailStage } from "./customer.ts";
import { planWrite } from "./plan-write.ts";
import type { Statement } from "./statement.ts";
import type { BenchmarkData, StoredData } from "./stored-data.ts";
import { RETAIL_TOOLS } from "./tools.ts";

/** One write of a task as it was played. */
interface PlayedWrite {
  readonly isAsked: boolean;
  /** True where rows had changed before the "yes". */
  readonly isEarly: boolean;
  readonly isStored: boolean;
  /** True where the benchmark's own tool refuses it. */
  readonly isRefusable: boolean;
  readonly problem: string | null;
}

interface PlayedTask {
  readonly writes: readonly PlayedWrite[];
  readonly differences: readonly string[];
  /** Rows that differ from those before the task, after all of it has been undone. */
  readonly leftovers: readonly string[];
}

const TOOLS = new Set(RETAIL_TOOLS.map(({ name }) => name));

/**
 * Plays every task as a conversation of its customer: each write is a turn that asks and one that
 * says yes. Compares all rows with what the benchmark's own tools make of them, undoes all of the
 * task, and compares again.
 */
export async function replayTasks(
  stage: RetailStage,
  { data, tasks }: Pick<Benchmark, "data" | "tasks">,
): Promise<readonly Statement[]> {
  await stage.stored.load(data);
  const played: PlayedTask[] = [];
  for (const task of tasks) {
    const result = await playTask(stage, task, data);
    if (result.leftovers.length > 0) await stage.stored.load(data);
    played.push(result);
  }
  const writes = played.flatMap((task) => task.writes);
  const countTasks = (key: "differences" | "leftovers"): string =>
    `${played.filter((task) => task[key].length === 0).length} of ${played.length}`;
  const differences = played.flatMap((task, number) =>
    [...task.differences, ...task.leftovers].map((text) => `task ${number}: ${text}`),
  );
  const asked = writes.filter(({ isAsked }) => isAsked).length;
  const early = writes.filter(({ isEarly }) => isEarly).length;
  const refusable = writes.filter(({ isRefusable }) => isRefusable);
  const refused = refusable.filter(({ problem }) => problem === null).length;
  return [
    {
      text: `${countTasks("differences")} tasks equal (${writes.length} writes, ${asked} asked first, ${early} stored before a yes, undone again ${countTasks("leftovers")})`,
      differences,
    },
    {
      text: `${refused} of ${refusable.length} refusals`,
      differences: writes.flatMap(({ problem }) => problem ?? []),
    },
  ];
}

async function playTask(
  stage: RetailStage,
  task: RecordedTask,
  data: BenchmarkData,
): Promise<PlayedTask> {
  const customer = openCustomer(stage, task.customer);
  const writes: PlayedWrite[] = [];
  for (const action of task.actions.filter(({ name }) => TOOLS.has(name))) {
    writes.push(await playWrite(customer, action, stage.stored));
  }
  const { users, orders, products } = task.changed;
  const expected = {
    users: { ...data.users, ...users },
    orders: { ...data.orders, ...orders },
    products: { ...data.products, ...products },
  };
  const differences = compareRows(expected, await stage.stored.read());
  for (const { isStored } of writes) {
    if (isStored) await customer.play({ text: "Undo that", plan: "undo" });
  }
  return { writes, differences, leftovers: compareRows(data, await stage.stored.read()) };
}

async function playWrite(
  customer: PlayedCustomer,
  action: RecordedAction,
  stored: StoredData,
): Promise<PlayedWrite> {
  const before = await stored.countChanges();
  const asked = await customer.play(planWrite(action));
  const isEarly = (await stored.countChanges()) !== before;
  const isAsked = asked.question !== null;
  const answered = isAsked ? await customer.play({ text: "yes", plan: "yes" }) : asked;
  const isStored = answered.stored > 0;
  const isRefusable = action.refusal !== null;
  const isRefused = answered.refusals.length > 0;
  const problem =
    isRefused === isRefusable
      ? null
      : `${action.name}: ${action.refusal ?? "is done"}, but: ${answered.refusals.join("; ") || answered.reply}`;
  return { isAsked, isEarly, isStored, isRefusable, problem };
}
