import {
  TASKS,
  maxChannelVersion,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import { JsonSchema } from "../../state/json.ts";
import { toByteaArray, toTextArray } from "./binary-array.ts";
import { toJsonColumn } from "../postgres/json-column.ts";

/** Writes of a task in one call. */
export interface TaskWrites {
  readonly taskId: string;
  readonly writes: readonly PendingWrite[];
}

/** A checkpoint to be stored, and where. */
export interface DumpedCheckpoint {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  readonly parentId: string | null;
  /** JSON without the channels' values. */
  readonly checkpoint: string;
  /** JSON that the column accepts. */
  readonly metadata: string;
  /** The values that are new in it. */
  readonly values: readonly DumpedValue[];
}

interface DumpedValue {
  readonly channel: string;
  readonly version: string;
  readonly type: string;
  readonly bytes: Uint8Array | null;
}

/** A checkpoint as LangGraph saves it. */
interface SavedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly newVersions: ChannelVersions;
}

/** Serialises a checkpoint. */
export async function dumpCheckpoint(
  serde: SerializerProtocol,
  saved: SavedCheckpoint,
): Promise<Pick<DumpedCheckpoint, "checkpoint" | "metadata" | "values">> {
  const { channel_values: values, ...checkpoint } = saved.checkpoint;
  const dumpedValues = await Promise.all(
    Object.entries(saved.newVersions).map(async ([channel, version]) => {
      const [type, bytes] = Object.hasOwn(values, channel)
        ? await serde.dumpsTyped(values[channel])
        : EMPTY;
      return { channel, version: version.toString(), type, bytes };
    }),
  );
  const [, metadata] = await serde.dumpsTyped(saved.metadata);
  return {
    checkpoint: JSON.stringify(checkpoint),
    metadata: toMetadataColumn(Buffer.from(metadata).toString()),
    values: dumpedValues,
  };
}

/** A checkpoint as `PUT_CHECKPOINT` takes it. */
export function toPutValues(put: DumpedCheckpoint): unknown[] {
  return [
    put.threadId,
    put.checkpointNs,
    put.checkpointId,
    put.parentId,
    put.checkpoint,
    put.metadata,
    put.values.map(({ channel }) => channel),
    put.values.map(({ version }) => version),
    put.values.map(({ type }) => type),
    toByteaArray(put.values.map(({ bytes }) => bytes)),
  ];
}

/** Several as `PUT_CHECKPOINTS` takes them. */
export function toPutColumns(puts: readonly DumpedCheckpoint[]): Buffer[] {
  const values = puts.flatMap((put, index) =>
    put.values.map((value) => ({ ...value, number: String(index + 1) })),
  );
  return [
    toTextArray(puts.map(({ threadId }) => threadId)),
    toTextArray(puts.map(({ checkpointNs }) => checkpointNs)),
    toTextArray(puts.map(({ checkpointId }) => checkpointId)),
    toTextArray(puts.map(({ parentId }) => parentId)),
    toTextArray(puts.map(({ checkpoint }) => checkpoint)),
    toTextArray(puts.map(({ metadata }) => metadata)),
    toTextArray(values.map(({ number }) => number)),
    toTextArray(values.map(({ channel }) => channel)),
    toTextArray(values.map(({ version }) => version)),
    toTextArray(values.map(({ type }) => type)),
    toByteaArray(values.map(({ bytes }) => bytes)),
  ];
}

/** JSON escapes that the column rejects. */
const REFUSED = /\\u(?:0000|d[89a-f])/iu;

function toMetadataColumn(json: string): string {
  return REFUSED.test(json) ? toJsonColumn(JsonSchema.parse(JSON.parse(json))) : json;
}

/** A channel that has a version and no value. */
const EMPTY = ["empty", null] as const;

/** Writes as `PUT_WRITES` takes them, from its fourth parameter on. */
export async function dumpWrites(
  serde: SerializerProtocol,
  written: readonly TaskWrites[],
): Promise<unknown[]> {
  const rows = written.flatMap(({ taskId, writes }) =>
    writes.map(([channel, value], index) => ({
      taskId,
      position: WRITES_IDX_MAP[channel] ?? index,
      channel,
      value,
    })),
  );
  const dumped = await Promise.all(rows.map(({ value }) => serde.dumpsTyped(value)));
  return [
    rows.map(({ taskId }) => taskId),
    rows.map(({ position }) => position),
    rows.map(({ channel }) => channel),
    dumped.map(([type]) => type),
    toByteaArray(dumped.map(([, bytes]) => bytes)),
  ];
}

const ValueParts = z.array(z.tuple([z.string(), z.string(), z.int()]));
const WriteParts = z.array(z.tuple([z.string(), z.string(), z.string(), z.int()]));
const Bytes = z.instanceof(Uint8Array);

const Versions: z.ZodType<ChannelVersions> = z.record(
  z.string(),
  z.union([z.number(), z.string()]),
);

/** As LangGraph's older versions left it, too. */
const StoredCheckpoint = z.looseObject({
  v: z.number(),
  id: z.string(),
  ts: z.string(),
  channel_versions: Versions.nullish(),
  versions_seen: z.record(z.string(), Versions).nullish(),
});

const CheckpointRow = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string(),
  checkpoint_id: z.string(),
  parent_checkpoint_id: z.string().nullable(),
  checkpoint: StoredCheckpoint,
  metadata: z.string(),
  values: ValueParts.nullable(),
  value_bytes: Bytes.nullable(),
  writes: WriteParts.nullable(),
  write_bytes: Bytes.nullable(),
  sends: WriteParts.nullable(),
  send_bytes: Bytes.nullable(),
});

/** Makes a row of `readText` what LangGraph gets to see. */
export async function loadCheckpoint(
  serde: SerializerProtocol,
  found: unknown,
): Promise<CheckpointTuple> {
  const row = CheckpointRow.parse(found);
  const values = await loadParts(serde, { parts: row.values, bytes: row.value_bytes });
  const writes = await loadParts(serde, { parts: row.writes, bytes: row.write_bytes });
  const sends = await loadParts(serde, { parts: row.sends, bytes: row.send_bytes });
  const metadata: CheckpointMetadata = await serde.loadsTyped("json", row.metadata);
  const place = { thread_id: row.thread_id, checkpoint_ns: row.checkpoint_ns };
  const parentId = row.parent_checkpoint_id;
  const checkpoint = {
    ...row.checkpoint,
    channel_versions: row.checkpoint.channel_versions ?? {},
    versions_seen: row.checkpoint.versions_seen ?? {},
    channel_values: Object.fromEntries(
      values.map(({ names: [channel], value }) => [channel, value]),
    ),
  };
  return {
    config: { configurable: { ...place, checkpoint_id: row.checkpoint_id } },
    checkpoint:
      row.checkpoint.v < 4 && parentId !== null ? withSends(checkpoint, sends) : checkpoint,
    metadata,
    ...(parentId !== null && {
      parentConfig: { configurable: { ...place, checkpoint_id: parentId } },
    }),
    pendingWrites: writes.map(({ names: [taskId = "", channel = ""], value }) => [
      taskId,
      channel,
      value,
    ]),
  };
}

interface Part {
  readonly names: readonly string[];
  readonly value: unknown;
}

/** Takes the blobs of one kind apart again and reads each. */
async function loadParts(
  serde: SerializerProtocol,
  packed: {
    /** Of each: names, type and number of bytes. */
    readonly parts: readonly (readonly (string | number)[])[] | null;
    readonly bytes: Uint8Array | null;
  },
): Promise<Part[]> {
  const bytes = packed.bytes ?? new Uint8Array();
  let start = 0;
  return Promise.all(
    (packed.parts ?? []).map(async (part) => {
      const names = part.slice(0, -2).map(String);
      const end = start + Number(part.at(-1));
      const blob = bytes.subarray(start, end);
      start = end;
      const value: unknown = await serde.loadsTyped(String(part.at(-2)), blob);
      return { names, value };
    }),
  );
}

/** Before format 4 what a step sent was kept with its parent's writes; now it is a channel. */
function withSends(checkpoint: Checkpoint, sends: readonly Part[]): Checkpoint {
  if (sends.length === 0) return checkpoint;
  const versions = Object.values(checkpoint.channel_versions);
  return {
    ...checkpoint,
    channel_values: { ...checkpoint.channel_values, [TASKS]: sends.map(({ value }) => value) },
    channel_versions: {
      ...checkpoint.channel_versions,
      [TASKS]: versions.length === 0 ? 1 : maxChannelVersion(...versions),
    },
  };
}
