-- As in 0001_users.sql, but a default that `user_id` has already stays for logins without a user:
-- other programs that write the table go on as before.
create or replace function concierge_own_rows(target regclass) returns void
  language plpgsql as $$
declare
  former text := (select pg_get_expr(adbin, adrelid) from pg_attrdef
                    join pg_attribute on attrelid = adrelid and attnum = adnum
                   where adrelid = target and attname = 'user_id');
begin
  execute format('alter table %s alter column user_id set not null', target);
  execute format('alter table %s alter column user_id set default %s', target,
    coalesce('coalesce(concierge.concierge_user(), ' || former || ')', 'concierge.concierge_user()'));
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy own_rows on %s using (user_id = concierge.concierge_user()) with check (user_id = concierge.concierge_user())',
    target);
end
$$;
