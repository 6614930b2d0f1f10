-- Where the try under way began, so that the next one can tell whether a process that died of it got further.

alter table inbox add column tried_from text;

comment on column inbox.tried_from is
  'Newest checkpoint when the last try began, empty where there was none; null when it ended in a known way.';
