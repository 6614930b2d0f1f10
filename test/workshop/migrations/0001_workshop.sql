-- A shed of tools that neighbours lend each other, and the projects they are for.

create table tools (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  kind text not null check (kind in ('cutting', 'drilling', 'garden', 'measuring', 'sanding')),
  power text not null check (power in ('battery', 'mains', 'hand')),
  unique (user_id, id)
);

create table projects (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  hours numeric check (hours > 0),
  instructions text,
  unique (user_id, id)
);

create table project_materials (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  project_id uuid not null,
  position int not null default 1,
  name text not null check (btrim(name) <> ''),
  quantity numeric,
  unit text,
  foreign key (user_id, project_id) references projects (user_id, id) on delete cascade
);

create table loans (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  tool_id uuid not null,
  day date not null,
  borrower text not null default 'me',
  -- One tool goes to one person a day: the second loan of a day fails.
  unique (user_id, tool_id, day),
  foreign key (user_id, tool_id) references tools (user_id, id) on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['tools', 'projects', 'project_materials', 'loans'] loop
    perform concierge_protect(name::regclass);
  end loop;
end
$$;
