-- What was learned about models: it holds no personal data, so no row-level security.
create table model_profiles (
  -- Origin and path of the base URL; never a key.
  endpoint text not null,
  model text not null,
  profile jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (endpoint, model)
);
