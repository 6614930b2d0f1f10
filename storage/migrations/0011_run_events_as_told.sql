-- `jsonb` sorts an object's keys, so an event that was told again had other bytes than when it was
-- told first. Nothing looks into it.

alter table run_events alter column data type json using data::json;
