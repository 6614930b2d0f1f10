-- Row-level security for every table, and API keys.
--
-- Migrations run as the database's owner with `search_path = concierge, public`. Leave names
-- unqualified, except in the bodies of plpgsql functions: those are resolved on every call and
-- would follow the caller's search_path. Migrations need no GRANT: after all folders have run, the
-- program's role (`concierge_app`) is granted what its own tables and the domain's description need,
-- and `concierge_admin`, which seeds and erases, all rights on every table of the schema.
--
-- For domain migrations (defined in 0006_effects.sql):
--
--   concierge_protect(target regclass, key text default 'id')   select concierge_protect('recipes');
--       For a table with `user_id text not null`: rows that belong to a user. Enables and forces
--       row-level security with one policy, gives `user_id` the default `concierge_user()`, so
--       inserts need not name it, counts up `row_version` and `updated_at` where the table declares
--       them as `row_version int not null default 1` and `updated_at timestamptz not null default now()`,
--       and records every change in the journal.
--
--   concierge_share(target regclass, key text default 'id')     select concierge_share('products');
--       For a table that everybody reads and only `concierge_admin` writes.
--
--   concierge_own_rows(target regclass), concierge_share_rows(target regclass)
--       The row-level security of these two alone, for tables that views read. `user_id` may have any
--       type then. Each takes the other's place, however often they are called.
--
--   concierge_user()
--       The user of the current transaction, null where none is set.
--
-- Policies are forced on the owner too: a migration that changes rows of a protected table sees
-- none of them unless it runs as a superuser, so it must disable row-level security before the
-- change and enable it afterwards.

create function concierge_user() returns text
  language sql stable parallel safe
  return nullif(current_setting('concierge.user_id', true), '');

-- Switches row-level security on, for the owner too, without the policies that a call of the functions
-- below has left. Another program may have policies there: so their names begin with "concierge_", and
-- they show its logins nothing.
create function concierge_secure_rows(target regclass) returns void
  language plpgsql as $$
declare
  former name;
begin
  execute format('alter table %s enable row level security, force row level security', target);
  for former in
    select polname from pg_policy where polrelid = target
       and polname in ('concierge_own_rows', 'concierge_everybody_reads', 'concierge_admin_writes')
  loop
    execute format('drop policy %I on %s', former, target);
  end loop;
end
$$;

-- Gives each row of a table with a column `user_id` to its user: other users' rows do not exist. As a
-- text it is never null, and inserts need not name it. A default that it has already stays for logins
-- without a user: other programs that write the table go on as before.
create function concierge_own_rows(target regclass) returns void
  language plpgsql as $$
declare
  is_text boolean;
  is_computed boolean;
  former text;
begin
  select format_type(coalesce(nullif(typbasetype, 0), atttypid), null) = 'text', attgenerated <> '',
         pg_get_expr(adbin, adrelid)
    into is_text, is_computed, former
    from pg_attribute join pg_type on pg_type.oid = atttypid
         left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attrelid = target and attname = 'user_id';
  if is_text is null then
    raise undefined_column using
      message = format('table %s has no column "user_id", so its rows belong to nobody', target),
      hint = format('Add "user_id text not null", or select concierge_share(%L).', target);
  end if;
  if is_text then
    execute format('alter table %s alter column user_id set not null', target);
  end if;
  if is_text and not is_computed and coalesce(former, '') !~ 'concierge_user\(\)' then
    execute format('alter table %s alter column user_id set default %s', target,
      coalesce('coalesce(concierge.concierge_user(), ' || former || ')', 'concierge.concierge_user()'));
  end if;
  perform concierge.concierge_secure_rows(target);
  execute format(
    'create policy concierge_own_rows on %1$s to concierge_app, concierge_admin, current_user using (%2$s = concierge.concierge_user()) with check (%2$s = concierge.concierge_user())',
    target, case when is_text then 'user_id' else 'user_id::text' end);
end
$$;

-- Shows each person all rows of a table; only `concierge_admin` writes it.
create function concierge_share_rows(target regclass) returns void
  language plpgsql as $$
begin
  perform concierge.concierge_secure_rows(target);
  execute format('create policy concierge_everybody_reads on %s for select to concierge_app, concierge_admin, current_user using (true)', target);
  execute format('create policy concierge_admin_writes on %s to concierge_admin using (true) with check (true)', target);
end
$$;

-- Not protected: a key is looked up before its user is known. The keys themselves are not stored.
create table api_keys (
  key_id text primary key,
  user_id text not null,
  -- SHA-256 of the key, hexadecimal: a key has 256 random bits, so nothing slower is needed.
  hash text not null unique,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_user on api_keys (user_id);

-- Serialises erasing a user with transactions that create rows for that user.
create function concierge_user_lock() returns bigint
  language sql stable
  -- A fixed seed, so that this lock differs from other locks on a hashed text.
  return hashtextextended(concierge.concierge_user(), 7302418655);

-- A transaction that creates rows for a user begins with this (`storage/users/user-entry.ts`). It
-- runs before the user's erasure, which waits for it to end, or after it; and it fails once the key
-- that the request was sent with is no longer valid.
--
-- An erasure may take long. A transaction that waits for it fails after three seconds instead of
-- holding a connection.
create function concierge_enter_user(key text) returns void
  language plpgsql set lock_timeout = '3s'
as $$
begin
  perform pg_advisory_xact_lock_shared(concierge.concierge_user_lock());
  -- Checked after the wait: the erasure may have deleted the key.
  if key is not null and not exists (
    select from concierge.api_keys
     where key_id = key and user_id = concierge.concierge_user() and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp()))
  then
    raise exception 'the key is not valid' using errcode = 'ZK001';
  end if;
end
$$;
