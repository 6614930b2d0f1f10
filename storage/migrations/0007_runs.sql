-- What the server keeps: runs and their events, keys, what clients note of a thread.

alter table threads add column metadata jsonb not null default '{}';

-- One run of the graph for one message. The inbox has the message and its order; a run says what a
-- client sees of it. A message that came through the terminal has none.
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
  -- What a client wants to become of it; the process that works on it gets a notification.
  cancel text check (cancel in ('interrupt', 'rollback')),
  -- The stream modes whose chunks are kept as events, besides the turn's own.
  stream_modes jsonb not null default '[]',
  trace boolean not null default false,
  metadata jsonb not null default '{}',
  kwargs jsonb not null default '{}',
  -- { code, message } of a run that failed.
  error jsonb,
  -- The newest checkpoint before it: where a rollback goes back to.
  base_checkpoint_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is null) = (status in ('pending', 'running')))
);
create index runs_by_thread on runs (thread_id, seq desc);
create index runs_unfinished on runs (thread_id, seq) where finished_at is null;
create index runs_by_message on runs (thread_id, message_id);
create index runs_by_age on runs (user_id, finished_at) where finished_at is not null;
select concierge_protect('runs');

-- What streams are made of, in order: `seq` counts from 1 without gaps.
create table run_events (
  run_id text not null references runs on delete cascade,
  seq int not null,
  user_id text not null,
  -- The stream mode it is part of; `custom` is the turn's own event.
  mode text not null,
  -- Nodes of subgraphs; empty for the graph's own.
  namespace jsonb not null default '[]',
  data jsonb not null,
  primary key (run_id, seq)
);
select concierge_protect('run_events');

-- Not protected: a key is looked up before anyone is known. Keys themselves are kept nowhere.
create table api_keys (
  key_id text primary key,
  user_id text not null,
  -- SHA-256 of the key, hexadecimal: a key has 256 random bits, so nothing slower is needed.
  hash text not null unique,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_user on api_keys (user_id);
