import { TASKS } from "@langchain/langgraph-checkpoint";

/** A statement that each connection parses once: `name` stands for `text`. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the first part of a statement: SQL that selects and locks the lease's row. `owner` is the
 * number of the parameter that holds its owner, null where nothing is checked; the next one is the
 * fencing token, the first the thread.
 *
 * Contract: the row is locked until the statement ends, so taking the lease over, or renewing it,
 * waits; if the lease was taken over before, there is no row.
 */
export function lockLease(owner: number): string {
  return `lease as materialized (
      select 1 from (
        select from leases where thread_id = $1::text and owner = $${owner}::text and fence = $${owner + 1}::bigint
           for share) as held
      union all
      select 1 where $${owner}::text is null)`;
}

const IN_FORCE = "where exists (select from lease)";

/**
 * Stores a checkpoint and the channel values that are new in it. One row is affected; none when the lease is lost.
 *
 * Parameters: thread, namespace, id, parent's id, checkpoint, metadata; of the values channels,
 * versions, types, blobs; owner and fence of the lease, null where nothing is checked.
 */
export const PUT_CHECKPOINT: NamedStatement = {
  name: "checkpoint-put",
  text: `with ${lockLease(11)}, stored_values as (
      insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
      select $1::text, $2::text, stored.*
        from unnest($7::text[], $8::text[], $9::text[], $10::bytea[]) as stored (channel, version, type, blob)
        ${IN_FORCE}
          on conflict do nothing)
    insert into checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    select $1::text, $2::text, $3::text, $4::text, $5::jsonb, $6::jsonb ${IN_FORCE}
        on conflict (thread_id, checkpoint_ns, checkpoint_id)
        do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata`,
};

/**
 * Turns arrays into rows and hides their lengths from the planner: if it saw them, it would plan every
 * call anew, which costs more than it saves.
 */
function unnest(...arrays: readonly string[]): string {
  return `unnest(${arrays.map((array) => `(select ${array})`).join(", ")})`;
}

/**
 * Stores several checkpoints at once; for a single one it costs the server half as much again as
 * `PUT_CHECKPOINT`. Returns the numbers of those that were stored, from 1 on: checkpoints whose lease
 * is lost are left out.
 *
 * Parameters: of the checkpoints threads, namespaces, ids, parents' ids, checkpoints, metadata; of
 * the values the numbers of their checkpoints, channels, versions, types, blobs; of the checkpoints
 * owners and fences of their leases, null where nothing is checked.
 */
export const PUT_CHECKPOINTS: NamedStatement = {
  name: "checkpoints-put",
  text: `with given as materialized (
      select * from ${unnest("$1::text[]", "$2::text[]", "$3::text[]", "$4::text[]", "$5::text[]", "$6::text[]", "$12::text[]", "$13::bigint[]")}
             with ordinality as given (thread_id, checkpoint_ns, checkpoint_id, parent_id, checkpoint, metadata, owner, fence, number)),
    put as materialized (
      select given.* from given cross join lateral (
        select 1 from (
          select from leases
           where leases.thread_id = given.thread_id and leases.owner = given.owner and leases.fence = given.fence
             for share) as held
        union all
        select 1 where given.owner is null) as lease),
    stored_values as (
      insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
      select put.thread_id, put.checkpoint_ns, stored.channel, stored.version, stored.type, stored.blob
        from ${unnest("$7::text[]", "$8::text[]", "$9::text[]", "$10::text[]", "$11::bytea[]")}
             as stored (number, channel, version, type, blob)
        join put on put.number = stored.number::bigint
          on conflict do nothing),
    stored as (
      insert into checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
      select thread_id, checkpoint_ns, checkpoint_id, parent_id, checkpoint::jsonb, metadata::jsonb from put
          on conflict (thread_id, checkpoint_ns, checkpoint_id)
          do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata)
    select number::int from put`,
};

function writesText(onConflict: string): string {
  return `with ${lockLease(9)}, stored_writes as (
      insert into checkpoint_writes
             (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
      select $1::text, $2::text, $3::text, stored.*
        from unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::bytea[])
             as stored (task_id, idx, channel, type, blob)
        ${IN_FORCE}
          on conflict ${onConflict})
    select from lease`;
}

/**
 * Stores what tasks wrote, where nothing is stored for their positions yet. One row comes back; none when the lease is lost.
 *
 * Parameters: thread, namespace, checkpoint's id; of the writes tasks, positions, channels, types,
 * blobs; owner and fence of the lease, null where nothing is checked.
 */
export const PUT_WRITES: NamedStatement = { name: "writes-put", text: writesText("do nothing") };

/** The same, where what is stored already gives way. */
export const REPLACE_WRITES: NamedStatement = {
  name: "writes-replace",
  text: writesText(`(thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
          do update set channel = excluded.channel, type = excluded.type, blob = excluded.blob`),
};

/**
 * Reads the checkpoints that `selection` (the rest of a `select * from checkpoints`) names, each
 * with its values, its pending writes and, where its format is older than 4, its parent's sends.
 *
 * Blobs come as one per checkpoint and kind, beside a list that says what is in it and how long:
 * the driver decodes that at once, and an array of blobs character by character.
 */
export function readText(selection: string): string {
  return `select cp.thread_id, cp.checkpoint_ns, cp.checkpoint_id, cp.parent_checkpoint_id,
         cp.checkpoint, cp.metadata::text as metadata,
         stored.parts as values, stored.bytes as value_bytes,
         pending.parts as writes, pending.bytes as write_bytes,
         sent.parts as sends, sent.bytes as send_bytes
    from (select * from checkpoints ${selection}) as cp
    left join lateral (
           select jsonb_agg(jsonb_build_array(blobs.channel, blobs.type, octet_length(blobs.blob))
                            order by blobs.channel) as parts,
                  string_agg(blobs.blob, '' order by blobs.channel) as bytes
             from jsonb_each_text(cp.checkpoint -> 'channel_versions') as versions
             join checkpoint_blobs as blobs
               on blobs.thread_id = cp.thread_id and blobs.checkpoint_ns = cp.checkpoint_ns
              and blobs.channel = versions.key and blobs.version = versions.value
            where blobs.type <> 'empty') as stored on true
    left join lateral (${selectWrites("cp.checkpoint_id")}) as pending on true
    left join lateral (${selectWrites("cp.parent_checkpoint_id")}
              and (cp.checkpoint ->> 'v')::numeric < 4 and writes.channel = '${TASKS}') as sent on true
   order by cp.checkpoint_id desc, cp.thread_id desc, cp.checkpoint_ns desc`;
}

function selectWrites(checkpointId: string): string {
  return `select jsonb_agg(jsonb_build_array(writes.task_id, writes.channel, writes.type, octet_length(writes.blob))
                            order by writes.task_id collate "C", writes.idx) as parts,
                  string_agg(writes.blob, '' order by writes.task_id collate "C", writes.idx) as bytes
             from checkpoint_writes as writes
            where writes.thread_id = cp.thread_id and writes.checkpoint_ns = cp.checkpoint_ns
              and writes.checkpoint_id = ${checkpointId}`;
}

/** Reads one checkpoint. Parameters: thread, namespace, id. */
export const READ_CHECKPOINT: NamedStatement = {
  name: "checkpoint-read",
  text: readText("where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3"),
};

/** Reads the newest one. Parameters: thread, namespace. */
export const READ_NEWEST: NamedStatement = {
  name: "checkpoint-read-newest",
  text: readText("where thread_id = $1 and checkpoint_ns = $2 order by checkpoint_id desc limit 1"),
};

/** Reads the newest one of each of several places, those that have one. Parameters: their threads, their namespaces. */
export const READ_NEWEST_OF_MANY: NamedStatement = {
  name: "checkpoints-read-newest",
  text: readText(`where (thread_id, checkpoint_ns, checkpoint_id) in (
      select place.thread_id, place.checkpoint_ns, newest.checkpoint_id
        from ${unnest("$1::text[]", "$2::text[]")} as place (thread_id, checkpoint_ns)
       cross join lateral (select checkpoint_id from checkpoints as found
                            where found.thread_id = place.thread_id and found.checkpoint_ns = place.checkpoint_ns
                            order by checkpoint_id desc limit 1) as newest)`),
};

/** Deletes everything of a thread. Parameter: thread. */
export const DELETE_THREAD = `with
    deleted_values as (delete from checkpoint_blobs where thread_id = $1),
    deleted_writes as (delete from checkpoint_writes where thread_id = $1)
  delete from checkpoints where thread_id = $1`;
