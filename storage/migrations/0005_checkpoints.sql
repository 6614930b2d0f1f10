-- The tables of LangGraph's checkpointer, as `PostgresSaver.setup()` of
-- @langchain/langgraph-checkpoint-postgres 1.0.5 creates them (a test compares the two). Created
-- here because `setup()` fails when two processes call it at once and needs CREATE on the database.
-- Not protected: they have no user.

create table checkpoint_migrations (
  v integer primary key
);

create table checkpoints (
  thread_id text not null,
  checkpoint_ns text not null default '',
  checkpoint_id text not null,
  parent_checkpoint_id text,
  type text,
  checkpoint jsonb not null,
  metadata jsonb not null default '{}',
  primary key (thread_id, checkpoint_ns, checkpoint_id)
);

create table checkpoint_blobs (
  thread_id text not null,
  checkpoint_ns text not null default '',
  channel text not null,
  version text not null,
  type text not null,
  blob bytea,
  primary key (thread_id, checkpoint_ns, channel, version)
);

create table checkpoint_writes (
  thread_id text not null,
  checkpoint_ns text not null default '',
  checkpoint_id text not null,
  task_id text not null,
  idx integer not null,
  channel text not null,
  type text,
  blob bytea not null,
  primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);

insert into checkpoint_migrations (v) select generate_series(0, 4);
