-- A cinema: names in CamelCase, people by two names, and films that nothing can delete while they are shown.

create table categories (
  "CategoryId" int primary key generated always as identity,
  user_id text not null,
  "Name" text not null
);
select concierge_protect('categories', 'CategoryId');

create table actors (
  actor_id int primary key generated always as identity,
  user_id text not null,
  first_name text not null,
  last_name text not null
);
select concierge_protect('actors', 'actor_id');

create table films (
  film_id int primary key generated always as identity,
  user_id text not null,
  title text not null,
  category_id int references categories ("CategoryId")
);
select concierge_protect('films', 'film_id');
