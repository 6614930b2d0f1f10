-- A kennel, with its guests, the people who bring them, the books in its waiting room, and the cages.

create table dogs (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  weight numeric,
  vaccinated boolean not null default false,
  born date
);
select concierge_protect('dogs');

create table cats (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  age int
);
select concierge_protect('cats');

create table clients (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  phone text
);
select concierge_protect('clients');

create table books (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  title text not null,
  pages int
);
select concierge_protect('books');

create table cages (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  no int,
  marking text not null,
  room text,
  occupied boolean not null default false
);
select concierge_protect('cages');
