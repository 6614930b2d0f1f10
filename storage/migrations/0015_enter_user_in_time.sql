-- An erasure takes as long as it takes: who wants to make something of that user's meanwhile is told
-- so, and does not keep a connection for it.

alter function concierge_enter_user(text) set lock_timeout = '3s';
