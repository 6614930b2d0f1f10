-- A thread that was made for one run alone goes some time after that run's end, whichever process
-- is there then: see `storage/conversations/temporary-threads.ts`.

alter table threads add column remove_at timestamptz;

comment on column threads.remove_at is
  'When to look whether a thread that was made for one run alone can go; null: it stays.';

create index threads_to_remove on threads (remove_at) where remove_at is not null;

-- Names of users, and nothing else, as in `concierge_users`; the policy there lets the owner look.
create function concierge_users_of_temporary_threads(at_most int) returns setof text
  language sql stable security definer
begin atomic
  select distinct user_id from threads where remove_at <= now() order by user_id limit at_most;
end;

revoke all on function concierge_users_of_temporary_threads(int) from public;
grant execute on function concierge_users_of_temporary_threads(int) to concierge_app;
