-- `jsonb` sorts an object's keys, so a replayed event had other bytes than when it was first sent.
-- No query reads inside it.

alter table run_events alter column data type json using data::json;
