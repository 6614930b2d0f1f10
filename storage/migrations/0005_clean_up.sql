-- For `storage/conversations/clean-up.ts`, which looks for a user's oldest rows: a few of many, so by age.

create index effects_by_age on effects (user_id, created_at);
create index inbox_by_age on inbox (user_id, finished_at) where finished_at is not null;
