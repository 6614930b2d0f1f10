-- Runs of the HTTP server and their events.

-- One invocation of the graph for one message. The inbox has the message and its order; a run is
-- what a client sees of it. A message from the terminal has none.
create table runs (
  run_id text primary key,
  thread_id text not null,
  message_id text not null,
  user_id text not null,
  seq bigint generated always as identity,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'success', 'error', 'timeout', 'interrupted')),
  multitask_strategy text not null
    check (multitask_strategy in ('enqueue', 'reject', 'interrupt', 'rollback')),
  -- How a client wants it cancelled; the process that runs it gets a notification.
  cancel text check (cancel in ('interrupt', 'rollback')),
  -- The stream modes whose chunks are stored as events, besides the turn's own events.
  stream_modes jsonb not null default '[]',
  trace boolean not null default false,
  metadata jsonb not null default '{}',
  kwargs jsonb not null default '{}',
  -- { code, message } of a run that failed.
  error jsonb,
  -- The newest checkpoint before it, which a rollback returns to.
  base_checkpoint_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is null) = (status in ('pending', 'running'))),
  -- For `run_events`.
  constraint runs_of_users unique (run_id, user_id)
);
create index runs_by_thread on runs (thread_id, seq desc);
create index runs_unfinished on runs (thread_id, seq) where finished_at is null;
create index runs_by_message on runs (thread_id, message_id);
create index runs_by_age on runs (user_id, finished_at) where finished_at is not null;
select concierge_own_rows('runs');

-- The events of a run's stream, in order: `seq` counts from 1 without gaps.
create table run_events (
  run_id text not null,
  seq int not null,
  user_id text not null,
  -- The stream mode it belongs to; `custom` is the turn's own event.
  mode text not null,
  -- Nodes of subgraphs; empty for the graph's own.
  namespace jsonb not null default '[]',
  -- Not `jsonb`, which sorts keys: a replayed event has the bytes that were first sent. No query
  -- reads inside it.
  data json not null,
  primary key (run_id, seq),
  -- Foreign keys bypass row-level security: a key without the user would let anyone who knows a
  -- run's id add events to it.
  constraint run_events_of_own_run
    foreign key (run_id, user_id) references runs (run_id, user_id) on delete cascade
);
select concierge_own_rows('run_events');
