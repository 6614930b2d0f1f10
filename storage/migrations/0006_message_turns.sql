-- Which turn answered a message, so that its replies can be replayed later.

alter table inbox add column turn int;
