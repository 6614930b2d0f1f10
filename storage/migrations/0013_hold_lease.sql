-- For `storage/conversations/leases.ts`: a transaction that begins with this goes on only where the lease is its
-- own. It fails here, in the server, so the transaction's end may be sent before anyone has read
-- that it failed.

create function concierge_hold_lease(thread text, holder text, holders_fence bigint) returns void
  language plpgsql
as $$
begin
  -- The weakest lock that a take-over waits for: the holder's own heartbeat does not.
  perform from concierge.leases
    where thread_id = thread and owner = holder and fence = holders_fence
      for key share;
  if not found then
    raise exception 'the lease is not held' using errcode = 'ZL001';
  end if;
end
$$;
