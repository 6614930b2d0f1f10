-- A physiotherapist's practice.

create table patients (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  city text,
  phone text,
  insurance text,
  note text,
  status text not null default 'active' check (status in ('active', 'paused'))
);
select concierge_protect('patients');

create table therapists (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  room text
);
select concierge_protect('therapists');

create table appointments (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  date date,
  time text,
  status text not null default 'planned' check (status in ('planned', 'done', 'cancelled')),
  patient_id uuid references patients (id) on delete cascade,
  therapist_id uuid references therapists (id) on delete set null
);
create index appointments_of_patient on appointments (patient_id);
create index appointments_of_therapist on appointments (therapist_id);
select concierge_protect('appointments');

create table exercises (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  name text not null,
  level text check (level in ('easy', 'medium', 'hard')),
  repeats int
);
select concierge_protect('exercises');
