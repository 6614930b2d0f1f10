-- What every domain may rely on, and the program's own tables.
--
-- Migrations run as the database's owner with `search_path = concierge, public`: leave names
-- unqualified, except in the bodies of plpgsql functions, which are looked up each time they run
-- and would follow the caller's search_path. They need no GRANT: after all folders have run, the program's role
-- (`concierge_app`) is granted select, insert, update and delete on every table of the schema.
--
-- For domain migrations:
--
--   concierge_protect(target regclass)   select concierge_protect('recipes');
--       For a table with `user_id text not null`. Enables and forces row-level security, with one
--       policy: a row is visible and writable where `user_id = concierge_user()`. Also gives
--       `user_id` the default `concierge_user()`, so inserts need not name it.
--
--   concierge_touch_row()                create trigger touch_row before update on recipes
--                                          for each row execute function concierge_touch_row();
--       For a table with `row_version int not null default 1` and
--       `updated_at timestamptz not null default now()`: every update raises the one and sets the other.
--
--   concierge_user()
--       The user of the running transaction, null where none is set.
--
-- Policies are forced: a migration that changes rows of a protected table sees none of them unless
-- it runs as a superuser, so it has to disable and enable row-level security around the change.

create function concierge_user() returns text
  language sql stable parallel safe
  return nullif(current_setting('concierge.user_id', true), '');

create function concierge_protect(target regclass) returns void
  language plpgsql as $$
begin
  execute format('alter table %s alter column user_id set not null', target);
  execute format('alter table %s alter column user_id set default concierge.concierge_user()', target);
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_rows on %s using (user_id = concierge.concierge_user()) with check (user_id = concierge.concierge_user())',
    target);
end
$$;

create function concierge_touch_row() returns trigger
  language plpgsql as $$
begin
  new.updated_at := now();
  new.row_version := old.row_version + 1;
  return new;
end
$$;

-- Who a conversation belongs to. Not protected: it is what ownership is decided by.
create table threads (
  thread_id text primary key,
  user_id text not null,
  title text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index threads_by_user on threads (user_id, updated_at desc);

-- Messages waiting for their turn in a thread, processed in the order of `seq`.
create table inbox (
  thread_id text not null,
  message_id text not null,
  seq bigint generated always as identity,
  user_id text not null,
  text text not null,
  run jsonb not null,
  attempts int not null default 0,
  outcome text check (outcome in ('answered', 'given-up', 'stopped')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (thread_id, message_id),
  check ((outcome is null) = (finished_at is null))
);
create index inbox_waiting on inbox (thread_id, seq) where finished_at is null;

-- One run a thread. The row stays when the lease ends, so that the fence only ever rises.
create table leases (
  thread_id text primary key,
  owner text,
  fence bigint not null,
  expires_at timestamptz not null
);

-- One row an applied write; `result` is null only while the write's transaction runs.
create table effects (
  key text primary key,
  thread_id text not null,
  user_id text not null,
  result jsonb,
  created_at timestamptz not null default now()
);
create index effects_by_thread on effects (thread_id);
select concierge_protect('effects');

-- The archive: every turn, kept after its checkpoints are gone. Its key is its run, since two
-- branches of a thread have turns of the same number.
create table turns (
  thread_id text not null,
  run_id text not null,
  user_id text not null,
  turn int not null,
  -- The turn before it on its branch.
  parent_run_id text,
  -- On the branch that is the conversation now.
  is_current boolean not null,
  message_id text not null,
  user_message text not null,
  -- [{ id, text, at }]
  replies jsonb not null,
  summary jsonb,
  usage jsonb not null,
  manifests jsonb not null,
  -- Every text of message, replies and summary, for looking things up.
  words text not null,
  created_at timestamptz not null default now(),
  primary key (thread_id, run_id),
  -- At the end of a transaction: a turn of another branch takes another's place in one statement.
  constraint turns_current exclude using btree (thread_id with =, turn with =)
    where (is_current) deferrable initially deferred
);
select concierge_protect('turns');

-- Refs that left a thread's registry.
create table registry_refs (
  thread_id text not null,
  ref text not null,
  user_id text not null,
  entry jsonb not null,
  primary key (thread_id, ref)
);
select concierge_protect('registry_refs');
