-- An erasure may take long. A transaction that wants to create rows of that user meanwhile fails after
-- three seconds instead of keeping a connection.

alter function concierge_enter_user(text) set lock_timeout = '3s';
