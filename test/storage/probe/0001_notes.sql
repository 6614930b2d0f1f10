create table notes (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  text text not null unique,
  row_version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select concierge_protect('notes');
