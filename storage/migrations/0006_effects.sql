-- What was done, and what it changed: each effect once, and every row as it was before and after.

-- One row for each applied change of the domains' data and each outside call; `result` is null while it runs, and
-- stays so for a call whose answer never came.
create table effects (
  key text primary key,
  effect_id bigint generated always as identity,
  thread_id text,
  turn int,
  run_id text,
  user_id text not null,
  -- Who asked for it, where that is another than the owner of the rows.
  caller text not null,
  -- tool, domain-tool, call, undo or seed.
  origin text not null,
  tool text not null,
  result jsonb,
  -- Why it cannot be undone; null where it can.
  final text,
  -- The effects that it took back.
  undoes bigint[] not null default '{}',
  -- The effect that took it back; null while it is in force.
  undone_by bigint,
  created_at timestamptz not null default now()
);
create index effects_by_thread on effects (thread_id, turn);
create index effects_by_age on effects (user_id, created_at);
-- Made last: without statistics PostgreSQL takes these indexes for equally good and uses the newest,
-- and the journal's trigger looks up the effect of every changed row.
create unique index effects_by_id on effects (effect_id);
select concierge_own_rows('effects');

-- Every change of a row of the domains' tables, written by triggers: cascades, other triggers, plain
-- SQL and other programs included.
create table journal (
  -- In the order of the inserts, not of the commits: a reader that remembers its place stops below
  -- pg_snapshot_xmin(pg_current_snapshot()).
  seq bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  -- Null for another program's change.
  effect_id bigint,
  -- The row's owner; empty for a shared row.
  user_id text not null,
  table_name text not null,
  row_key text not null,
  -- insert, update, delete; touch: nothing but version and time.
  action text not null,
  before jsonb,
  after jsonb,
  -- Whether a foreign key or a trigger caused it, not a statement.
  follows boolean not null,
  created_at timestamptz not null default now()
);
create index journal_by_effect on journal (effect_id, seq) where effect_id is not null;
create index journal_by_row on journal (table_name, row_key, seq);
create index journal_by_user on journal (user_id, seq);
-- Not forced: the trigger function writes as the owner, and nobody else writes.
alter table journal enable row level security;
-- Written so that no index serves it: PostgreSQL would join `journal_by_user` to the index of an effect,
-- and read all entries of a user to find those of one call.
create policy own_rows on journal using (array[concierge.concierge_user(), ''] @> array[user_id]);

-- The columns of a table that say only how often and when its rows changed: those that
-- `concierge_touch_row` sets. Of another table's columns of these names the program knows nothing.
create function concierge_counted_columns(target regclass) returns text[]
  language sql stable parallel safe as $$
  select case when exists (select from pg_trigger where tgrelid = target and tgname = 'concierge_touch_row')
    then array['row_version', 'updated_at'] else '{}' end
$$;

-- Records a change of a row, that of a partition as one of its table. The program's own login must have said for which effect it works, in the
-- setting `concierge.effect`; every other login writes on freely. The table's key column is the
-- trigger's argument.
create function concierge_journal_row() returns trigger
  language plpgsql security definer set search_path = concierge, pg_catalog, pg_temp as $$
declare
  effect bigint := nullif(current_setting('concierge.effect', true), '')::bigint;
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  old_key text := old_row ->> tg_argv[0];
  new_key text := new_row ->> tg_argv[0];
  own text := coalesce(coalesce(new_row, old_row) ->> 'user_id', '');
  source regclass := coalesce(pg_partition_root(tg_relid), tg_relid);
  caused boolean := pg_trigger_depth() > 1;
begin
  if effect is null and 'concierge_app' in (session_user, current_setting('role')) then
    raise exception 'Cannot change "%": the program changes data for an effect only; write through UserData.write',
      tg_table_name using errcode = 'ZE001';
  end if;
  -- An effect is its user's, and row-level security hides it from every other: a handler that changes
  -- the setting `concierge.user_id`, and a foreign key into another user's rows, change nothing.
  if effect is not null and own <> ''
     and not exists (select from effects where effect_id = effect and user_id = own) then
    raise exception 'Cannot change "%": the row belongs to another user than the effect', tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  if old_key <> new_key then
    insert into journal (effect_id, user_id, table_name, row_key, action, before, after, follows)
    values (effect, own, source::text, old_key, 'delete', old_row, null, caused),
           (effect, own, source::text, new_key, 'insert', null, new_row, caused);
    return null;
  end if;
  insert into journal (effect_id, user_id, table_name, row_key, action, before, after, follows)
  values (effect, own, source::text, coalesce(new_key, old_key),
    case when tg_op <> 'UPDATE' or old_row - array['row_version', 'updated_at'] <> new_row - array['row_version', 'updated_at']
         then lower(tg_op)
         when old_row - concierge_counted_columns(source) = new_row - concierge_counted_columns(source)
         then 'touch' else 'update' end,
    old_row, new_row, caused);
  return null;
end
$$;

-- Records all rows of a table as deleted before another program empties it with `truncate`, which
-- the program's own login may not do.
create function concierge_journal_truncate() returns trigger
  language plpgsql security definer set search_path = concierge, pg_catalog, pg_temp as $$
begin
  if 'concierge_app' in (session_user, current_setting('role')) then
    raise exception 'Cannot truncate "%": the program deletes rows for an effect only', tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  perform set_config('concierge.truncating', 'on', true);
  execute format(
    'insert into journal (user_id, table_name, row_key, action, before, follows)
     select coalesce(gone ->> ''user_id'', ''''), $1, gone ->> $2, ''delete'', gone, $3
       from (select to_jsonb(t) as gone from %s as t) as rows', tg_relid::regclass)
    using tg_relid::regclass::text, tg_argv[0], pg_trigger_depth() > 1;
  perform set_config('concierge.truncating', 'off', true);
  return null;
end
$$;

-- Counts up the version of a changed row and sets its time.
create function concierge_touch_row() returns trigger
  language plpgsql as $$
begin
  new.updated_at := now();
  new.row_version := old.row_version + 1;
  return new;
end
$$;

-- Adds the trigger for `truncate`, and lets its function see the rows of all users: policies hold for
-- an owner, too, who is no superuser.
create function concierge_watch_truncate(target regclass, key text) returns void
  language plpgsql as $$
begin
  execute format(
    'create or replace trigger concierge_journal_truncate before truncate on %s execute function concierge.concierge_journal_truncate(%L)',
    target, key);
  if not exists (select from pg_policy where polrelid = target and polname = 'concierge_truncated_rows') then
    execute format(
      'create policy concierge_truncated_rows on %s for select to current_user using (current_setting(''concierge.truncating'', true) = ''on'')',
      target);
  end if;
end
$$;

-- Adds the triggers of a table: the journal, and the version where the columns for it are the program's:
-- declared as its own are, and left alone by triggers of the table's own.
create function concierge_watch_rows(target regclass, key text) returns void
  language plpgsql as $$
begin
  execute format(
    'create or replace trigger concierge_journal_row after insert or update or delete on %s for each row execute function concierge.concierge_journal_row(%L)',
    target, key);
  perform concierge.concierge_watch_truncate(target, key);
  if (select count(*) from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum
       where attrelid = target and attnotnull and attgenerated = ''
         and (attname = 'row_version' and atttypid = 'integer'::regtype and pg_get_expr(adbin, adrelid) = '1'
              or attname = 'updated_at' and atttypid = 'timestamptz'::regtype)) = 2
     -- Types 1, 2 and 16: for each row, before, update.
     and not exists (
       select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
        where tgrelid = target and tgtype & 19 = 19 and proname <> 'concierge_touch_row'
          and prosrc || encode(tgargs, 'escape') ~ 'row_version|updated_at')
  then
    execute format(
      'create or replace trigger concierge_touch_row before update on %s for each row execute function concierge.concierge_touch_row()',
      target);
  end if;
end
$$;

create function concierge_protect(target regclass, key text default 'id') returns void
  language plpgsql as $$
begin
  perform concierge.concierge_own_rows(target);
  perform concierge.concierge_watch_rows(target, key);
end
$$;

create function concierge_share(target regclass, key text default 'id') returns void
  language plpgsql as $$
begin
  perform concierge.concierge_share_rows(target);
  perform concierge.concierge_watch_rows(target, key);
end
$$;
