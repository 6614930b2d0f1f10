-- Code's own sentences in other languages. Templates without data, shared by all users, so no row-level security.
create table sentences (
  -- A language of BCP 47, without a region.
  language text not null,
  id text not null,
  -- Of the English template that it was translated from.
  mark text not null,
  text text not null,
  primary key (language, id)
);
