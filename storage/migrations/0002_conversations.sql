-- Conversations: threads, their inboxes, the leases of those who write to them, and receipts of writes.

create table threads (
  thread_id text primary key,
  user_id text not null,
  title text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata jsonb not null default '{}',
  remove_at timestamptz
);
create index threads_by_user on threads (user_id, updated_at desc);
create index threads_to_remove on threads (remove_at) where remove_at is not null;
select concierge_own_rows('threads');

-- A thread made for a single run is removed some time after that run ends, by whichever process
-- runs then: see `storage/conversations/temporary-threads.ts`.
comment on column threads.remove_at is
  'When to check whether a thread that was made for a single run can be removed; null: it is kept.';

-- Lets functions with the owner's rights list the users who have threads: forced policies hide
-- every row from the owner. The program's role is not a member of the owner.
create policy owner_lists_users on threads for select to current_user using (true);

-- Names of users and nothing else, for `storage/conversations/remove-old-rows.ts`, which handles
-- one user after another.
create function concierge_users(after text, at_most int) returns setof text
  language sql stable security definer
begin atomic
  select distinct user_id from threads where user_id > after order by user_id limit at_most;
end;

revoke all on function concierge_users(text, int) from public;
grant execute on function concierge_users(text, int) to concierge_app;

-- Names of users and nothing else, for `storage/conversations/temporary-threads.ts`.
create function concierge_users_of_temporary_threads(at_most int) returns setof text
  language sql stable security definer
begin atomic
  select distinct user_id from threads where remove_at <= now() order by user_id limit at_most;
end;

revoke all on function concierge_users_of_temporary_threads(int) from public;
grant execute on function concierge_users_of_temporary_threads(int) to concierge_app;

-- Messages that wait for their turn in a thread, processed in the order of `seq`.
create table inbox (
  thread_id text not null,
  message_id text not null,
  seq bigint generated always as identity,
  user_id text not null,
  text text not null,
  -- A person's answer to a confirmation, which `text` puts into words; null for a message of words.
  decision jsonb,
  run jsonb not null,
  attempts int not null default 0,
  outcome text check (outcome in ('answered', 'given-up', 'stopped')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The turn that answered the message, so that its replies can be replayed later.
  turn int,
  tried_from text,
  primary key (thread_id, message_id),
  check ((outcome is null) = (finished_at is null))
);
create index inbox_waiting on inbox (thread_id, seq) where finished_at is null;
-- `storage/conversations/clean-up.ts` removes a user's oldest rows, a few at a time.
create index inbox_by_age on inbox (user_id, finished_at) where finished_at is not null;
select concierge_own_rows('inbox');

-- Shows the next attempt whether a process that died during the last one got further.
comment on column inbox.tried_from is
  'Newest checkpoint when the last attempt began, empty where there was none; null when that attempt ended in a known way.';

-- One lease a thread. The row stays when the lease ends, so that the fencing token only ever rises.
-- Not protected: it holds nothing of a user's.
create table leases (
  thread_id text primary key,
  owner text,
  fence bigint not null,
  expires_at timestamptz not null
);

-- A transaction that begins with this continues only while the lease is held
-- (`storage/conversations/leases.ts`). It fails here, in the server, so the transaction's end may
-- be sent before anyone has read that it failed.
create function concierge_hold_lease(thread text, holder text, holders_fence bigint) returns void
  language plpgsql
as $$
begin
  -- The weakest lock that a take-over waits for, while the holder's own heartbeat does not.
  perform from concierge.leases
    where thread_id = thread and owner = holder and fence = holders_fence
      for key share;
  if not found then
    raise exception 'the lease is not held' using errcode = 'ZL001';
  end if;
end
$$;
