-- Foreign keys pass row-level security: one that does not carry the user lets events be added to
-- another's run, by whoever knows its id.

alter table runs add constraint runs_of_users unique (run_id, user_id);

alter table run_events
  drop constraint run_events_run_id_fkey,
  add constraint run_events_of_own_run
    foreign key (run_id, user_id) references runs (run_id, user_id) on delete cascade;
