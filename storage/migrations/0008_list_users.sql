-- For `storage/conversations/remove-old-rows.ts`, which goes from user to user: their names, and nothing else.
-- Policies are forced on the owner too, so what runs with the owner's rights sees no row; this
-- policy lets it see whose threads there are. The program's role is no member of the owner.

create policy owner_lists_users on threads for select to current_user using (true);

create function concierge_users(after text, at_most int) returns setof text
  language sql stable security definer
begin atomic
  select distinct user_id from threads where user_id > after order by user_id limit at_most;
end;

revoke all on function concierge_users(text, int) from public;
grant execute on function concierge_users(text, int) to concierge_app;
