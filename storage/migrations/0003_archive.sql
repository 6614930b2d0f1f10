-- The archive: what is kept of a conversation after its checkpoints are pruned.

-- Every turn, keyed by its run, since two branches of a thread have turns of the same number.
create table turns (
  thread_id text not null,
  run_id text not null,
  user_id text not null,
  turn int not null,
  -- The previous turn of its branch.
  parent_run_id text,
  -- Whether its branch is the conversation now.
  is_current boolean not null,
  message_id text not null,
  user_message text not null,
  -- [{ id, text, at }]
  replies jsonb not null,
  summary jsonb,
  usage jsonb not null,
  manifests jsonb not null,
  -- The turn as its reader saw it, reduced from its events when its run ended.
  view jsonb,
  -- When the confirmation that waited after it expires; null where none did, or where it was dropped.
  decision_until timestamptz,
  -- All text of message, replies and summary, for searching.
  words text not null,
  created_at timestamptz not null default now(),
  primary key (thread_id, run_id),
  -- Checked when the transaction ends: one statement replaces a turn by that of another branch.
  constraint turns_current exclude using btree (thread_id with =, turn with =)
    where (is_current) deferrable initially deferred
);
select concierge_own_rows('turns');

-- Refs that left a thread's registry.
create table registry_refs (
  thread_id text not null,
  ref text not null,
  user_id text not null,
  entry jsonb not null,
  primary key (thread_id, ref)
);
select concierge_own_rows('registry_refs');

-- The experts' prompts and answers, and the analysis of them.
create table batches (
  thread_id text not null,
  run_id text not null,
  batch_id text not null,
  -- The order in which batches were first stored: clocks of several machines may differ.
  seq bigint generated always as identity,
  turn int not null,
  user_id text not null,
  -- The journey for which they were asked; null where it is not known.
  journey_id text,
  purpose text not null,
  prompt text not null,
  batch jsonb not null,
  answers jsonb not null,
  -- Null where fewer than two experts answered; so is the analysis.
  map jsonb,
  analysis jsonb,
  created_at timestamptz not null default now(),
  primary key (thread_id, run_id, batch_id)
);
create index batches_by_seq on batches (thread_id, seq);
select concierge_own_rows('batches');

-- Journeys, append-only: a row for every turn that changed status, title or plan of one, so that
-- rolling a turn back deletes rows and restores none. The newest row of a journey counts.
create table journeys (
  thread_id text not null,
  journey_id text not null,
  changed_turn int not null,
  -- The run of that turn: two branches of a thread have turns of the same number.
  run_id text not null,
  user_id text not null,
  title text not null,
  opened_turn int not null,
  status text not null check (status in ('active', 'paused', 'closed')),
  -- Why it left the foreground: 'done', 'another question', or the person's words.
  reason text,
  -- Opening, concierge and plan; the concierge's transcript where it left the foreground.
  state jsonb not null,
  created_at timestamptz not null default now(),
  primary key (thread_id, journey_id, changed_turn, run_id)
);
select concierge_own_rows('journeys');
