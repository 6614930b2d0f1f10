-- A library: authors are shared, loans a view.

create table authors (code text primary key, name text not null);
select concierge_share('authors', 'code');

create table books (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  title text not null,
  status text not null default 'unread' check (status in ('unread', 'read')),
  pages int check (pages > 0),
  author_id text references authors (code),
  search text generated always as (lower(title)) stored
);
select concierge_protect('books');

create table chapters (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  book_id uuid not null references books (id) on delete cascade,
  position int not null default 1,
  title text not null
);
create index chapters_in_order on chapters (user_id, book_id, position);
select concierge_protect('chapters');

create table notes (
  number int primary key generated always as identity,
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  text text,
  book_id uuid not null references books (id) on delete cascade
);
create index notes_of_book on notes (book_id);
select concierge_protect('notes', 'number');

grant select on books to concierge_app;
create view loans with (security_invoker = true) as
  select user_id || '/' || title as id, user_id, 'Ann' as borrower, id as book_id from books;
