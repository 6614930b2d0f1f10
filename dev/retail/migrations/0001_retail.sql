-- A retail shop as the benchmark has it: what is sold is shared, customers and their orders are their own.

create table products (id text primary key, name text not null);

create table variants (
  id text primary key,
  product_id text not null references products (id),
  options jsonb not null,
  price numeric not null,
  available boolean not null
);
create index on variants (product_id);

create table customers (
  id text primary key,
  user_id text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, country text not null, zip text not null,
  unique (user_id, id)
);

create table payment_methods (
  id text primary key,
  user_id text not null,
  customer_id text not null,
  source text not null check (source in ('credit_card', 'gift_card', 'paypal')),
  brand text,
  last_four text,
  balance numeric,
  foreign key (user_id, customer_id) references customers (user_id, id)
);
create index on payment_methods (user_id, customer_id);

create table orders (
  id text primary key,
  user_id text not null,
  position int not null,
  status text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, country text not null, zip text not null,
  cancel_reason text,
  exchange_items text[],
  exchange_new_items text[],
  exchange_payment_method_id text references payment_methods (id),
  exchange_price_difference numeric,
  return_items text[],
  return_payment_method_id text references payment_methods (id),
  unique (user_id, id)
);
create index on orders (exchange_payment_method_id);
create index on orders (return_payment_method_id);

create table order_items (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  order_id text not null,
  position int not null,
  variant_id text not null references variants (id),
  name text not null,
  price numeric not null,
  foreign key (user_id, order_id) references orders (user_id, id) on delete cascade
);
create index on order_items (user_id, order_id, position);
create index on order_items (variant_id);

create table order_payments (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  order_id text not null,
  position int not null,
  transaction_type text not null check (transaction_type in ('payment', 'refund')),
  amount numeric not null,
  payment_method_id text not null references payment_methods (id),
  foreign key (user_id, order_id) references orders (user_id, id) on delete cascade
);
create index on order_payments (user_id, order_id, position);
create index on order_payments (payment_method_id);

create table order_fulfilments (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  order_id text not null,
  position int not null,
  tracking_ids text[] not null,
  item_ids text[] not null,
  foreign key (user_id, order_id) references orders (user_id, id) on delete cascade
);
create index on order_fulfilments (user_id, order_id, position);

select concierge_share(shared) from unnest(array['products', 'variants']::regclass[]) as shared;
select concierge_protect(own)
  from unnest(array['customers', 'payment_methods', 'orders', 'order_items', 'order_payments', 'order_fulfilments']::regclass[]) as own;
