-- What experts were asked and said, and what was made of it.
create table batches (
  thread_id text not null,
  run_id text not null,
  batch_id text not null,
  -- The order in which they were first stored: clocks of several machines may differ.
  seq bigint generated always as identity,
  turn int not null,
  user_id text not null,
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
select concierge_protect('batches');

-- Journeys that were put aside, each with its plan, at the turn in which that happened.
create table journeys (
  thread_id text not null,
  run_id text not null,
  turn int not null,
  user_id text not null,
  opening jsonb,
  concierge jsonb not null,
  created_at timestamptz not null default now(),
  primary key (thread_id, run_id)
);
select concierge_protect('journeys');
