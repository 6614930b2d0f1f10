-- Wishes of a person that hold in every conversation. Rows are only added: the newest of a text
-- counts, and a turn that is rolled back takes its rows along.
create table wishes (
  wish_id bigint generated always as identity primary key,
  user_id text not null,
  thread_id text not null,
  run_id text not null,
  text text not null,
  kind text not null,
  count int,
  until text,
  turn int not null,
  is_withdrawn boolean not null,
  created_at timestamptz not null default now()
);
create unique index wishes_by_text on wishes (user_id, text, thread_id, run_id);
select concierge_own_rows('wishes');
