-- Conversations are a user's rows like any other: a thread that is another's is not there, so
-- ownership is decided by whether the user who asks can see the row. `leases` holds nothing of a
-- user's, and the checkpointer's tables have no user: they stay as they are.

select concierge_protect('threads');
select concierge_protect('inbox');
