import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { UsageError } from "../../app/usage-error.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { BenchmarkData } from "./stored-data.ts";

const RowsSchema = z.record(z.string(), JsonObjectSchema);
const TasksSchema = z.array(
  z.object({
    customer: z.string(),
    actions: z.array(
      z.object({ name: z.string(), args: JsonObjectSchema, refusal: z.string().nullable() }),
    ),
    changed: z.object({ users: RowsSchema, orders: RowsSchema, products: RowsSchema }),
  }),
);
/** A task as the benchmark's own tools play it: who it is about, what they refuse, and the rows that they change. */
export type RecordedTask = z.output<typeof TasksSchema>[number];
export type RecordedAction = RecordedTask["actions"][number];

/** The messages of a customer in a recorded dialogue; null for one who never signed in. */
export interface RecordedDialogue {
  readonly customer: string | null;
  readonly messages: readonly string[];
}

/** The parts of a checkout that are played. */
export interface Benchmark {
  readonly data: BenchmarkData;
  readonly tasks: readonly RecordedTask[];
  readonly dialogues: readonly RecordedDialogue[];
}

/**
 * Reads data, tasks and dialogues from a checkout of the benchmark.
 *
 * @throws UsageError where the folder is no such checkout, or python3 is missing.
 */
export async function readBenchmark(
  folder: string,
  playTasks: (folder: string) => Promise<unknown> = runTools,
): Promise<Benchmark> {
  if (!existsSync(folder)) throw new UsageError(`Cannot find the folder "${folder}"`);
  const [users, orders, products] = await Promise.all(
    ["users", "orders", "products"].map(async (name) =>
      RowsSchema.parse(JSON.parse(await readPart(folder, `${RETAIL}/data/${name}.json`))),
    ),
  );
  const data = { users: users ?? {}, orders: orders ?? {}, products: products ?? {} };
  const recorded = await readPart(folder, "few_shot_data/MockRetailDomainEnv-few_shot.jsonl");
  const lines = recorded.split("\n").filter((line) => line.trim() !== "");
  const tasks = TasksSchema.parse(await playTasks(folder));
  return { data, tasks, dialogues: lines.map((line) => readDialogue(line, data)) };
}

const RETAIL = "tau_bench/envs/retail";

async function readPart(folder: string, path: string): Promise<string> {
  try {
    return await readFile(join(folder, path), "utf8");
  } catch (cause) {
    const message = `Cannot read "${folder}" as a checkout of tau-bench: it has no file ${path}`;
    throw new UsageError(message, { cause });
  }
}

async function runTools(folder: string): Promise<unknown> {
  const program = join(import.meta.dirname, "run_tools.py");
  try {
    // -B: nothing is written to the checkout.
    const { stdout } = await promisify(execFile)("python3", ["-B", program, folder], {
      maxBuffer: 2 ** 28,
    });
    return JSON.parse(stdout);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw error;
    throw new UsageError(
      'Cannot run "python3", which plays the benchmark\'s own tools: install it',
    );
  }
}

const DialogueSchema = z.object({ messages_display: z.string() });

/** Reads a transcript: a line "role: text" begins each message, and a tool's answer that is a customer's id signs one in. */
function readDialogue(line: string, { users }: BenchmarkData): RecordedDialogue {
  const { messages_display: shown } = DialogueSchema.parse(JSON.parse(line));
  const messages = shown.split(/^(?=(?:user|assistant|tool): )/mu).map((message) => {
    const [, role = "", text = ""] = /^(\w+): (.*)$/su.exec(message) ?? [];
    return { role, text: text.trim() };
  });
  const signedIn = messages.find(({ role, text }) => role === "tool" && Object.hasOwn(users, text));
  return {
    customer: signedIn?.text ?? null,
    messages: messages.filter(({ role }) => role === "user").map(({ text }) => text),
  };
}
