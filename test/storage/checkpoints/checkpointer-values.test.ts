import { fc, test } from "@fast-check/vitest";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  emptyCheckpoint,
  uuid6,
  type BaseCheckpointSaver,
  type CheckpointMetadata,
} from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { expect } from "vitest";
import { toByteaArray, toTextArray } from "../../../storage/checkpoints/binary-array.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();
const saver = createCheckpointer(pool);
const stock = new PostgresSaver(owner, undefined, { schema: "concierge" });

const METADATA: CheckpointMetadata = { source: "loop", step: 1, parents: {} };

test.prop([fc.array(fc.option(fc.uint8Array(), { nil: null }))])(
  "toByteaArray() arrives as the same bytes and nulls, in order",
  async (values) => {
    const { rows } = await pool.query(
      "select value from unnest($1::bytea[]) with ordinality as part (value, position) order by position",
      [toByteaArray(values)],
    );
    expect(rows).toEqual(
      values.map((value) => ({ value: value === null ? null : Buffer.from(value) })),
    );
  },
);

test.prop([
  fc.array(fc.option(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")))),
])("toTextArray() arrives as the same texts and nulls, in order", async (values) => {
  const { rows } = await pool.query("select $1::text[] as value", [toTextArray(values)]);
  expect(rows).toEqual([{ value: values }]);
});

/** Values of channels and writes: JSON with any text (LangGraph's serializer loses a key `__proto__`), bytes, and nothing. */
const anyValue = fc.oneof(
  fc
    .json({ stringUnit: "binary" })
    .filter((text) => !text.includes("__proto__"))
    .map((text): unknown => JSON.parse(text)),
  fc.uint8Array(),
  fc.constant(undefined),
);
// With a backslash in a name the stock saver cannot read the checkpoint.
const anyName = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((name) => !/\\|^__proto__$/u.test(name));
const anyValues = fc.dictionary(anyName, anyValue, { maxKeys: 5 });

let version = 0;

async function save(
  checkpointer: BaseCheckpointSaver,
  { values = {}, metadata = METADATA }: { values?: object; metadata?: CheckpointMetadata },
): Promise<RunnableConfig> {
  version += 1;
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, version]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(1),
    channel_values: { ...values },
    channel_versions: versions,
  };
  const config = { configurable: { thread_id: "values", checkpoint_ns: "" } };
  const saved = await checkpointer.put(config, checkpoint, metadata, {
    ...versions,
    absent: version,
  });
  await checkpointer.putWrites(saved, Object.entries(values), "task");
  return saved;
}

test.prop([anyValues], { numRuns: 40 })(
  "values and writes come back as they were, and the stock saver reads the same",
  async (values) => {
    const writes = Object.entries(values).map(([channel, value]) => ["task", channel, value]);
    for (const writer of [saver, stock]) {
      const config = await save(writer, { values });
      const [ours, theirs] = [await saver.getTuple(config), await stock.getTuple(config)];
      expect(ours).toEqual(theirs);
      expect(plain(ours?.checkpoint.channel_values)).toEqual(plain(values));
      expect(plain(ours?.pendingWrites)).toEqual(plain(writes));
    }
  },
);

/** Bytes come as the driver's buffers. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

test("put() stores metadata without the characters that Postgres refuses", async () => {
  const metadata = { ...METADATA, note: "a\0b\ud800c" };
  const tuple = await saver.getTuple(await save(saver, { metadata }));
  expect(tuple?.metadata).toEqual({ ...METADATA, note: "ab\ufffdc" });
});

test("every method says that the database is gone", async () => {
  const nowhere = new Pool({ host: "127.0.0.1", port: 1 });
  const lost = createCheckpointer(nowhere);
  const config = { configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: uuid6(1) } };
  const calls = [
    lost.getTuple(config),
    lost.list(config).next(),
    lost.put(config, emptyCheckpoint(), METADATA, {}),
    lost.putWrites(config, [["word", "held"]], "task"),
    lost.putWrites(config, [["__error__", "at once"]], "task"),
    lost.deleteThread("t"),
    lost.prune("t", 1),
    lost.pruneTurns("t", 1),
  ];
  const reasons = (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === "rejected" ? (outcome.reason as unknown) : "it went through",
  );
  expect(reasons).toEqual(calls.map(() => expect.any(DatabaseUnavailableError)));
  await nowhere.end();
});
