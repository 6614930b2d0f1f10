-- Tokens and money that a user's turns have used. A thread's rows outlive it: deleting a conversation
-- gives nothing back.
create table spending (
  user_id text not null,
  -- The day on which the turn began, where the person is.
  day date not null,
  thread_id text not null,
  input_tokens bigint not null default 0,
  -- The part of the input that came from the endpoint's cache.
  cached_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- Millionths of a dollar; calls without a known price add nothing.
  cost_micros bigint not null default 0,
  primary key (user_id, day, thread_id)
);
select concierge_own_rows('spending');
