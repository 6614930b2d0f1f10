-- For `storage/users/user-entry.ts`: a transaction that makes something of a user's begins with this. It
-- comes before the user's erasure, which waits for its end, or after it; and not after the end of
-- the key that it was asked for with.

create function concierge_user_lock() returns bigint
  language sql stable
  -- The number was chosen once; it tells this lock from others on a hashed text.
  return hashtextextended(concierge.concierge_user(), 7302418655);

create function concierge_enter_user(key text) returns void
  language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(concierge.concierge_user_lock());
  -- Looked up after the wait: the erasure may have taken it.
  if key is not null and not exists (
    select from concierge.api_keys
     where key_id = key and user_id = concierge.concierge_user() and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp()))
  then
    raise exception 'the key is not valid' using errcode = 'ZK001';
  end if;
end
$$;
