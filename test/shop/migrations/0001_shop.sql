-- A shop: what it sells is shared, what a customer has bought is the customer's.

create table products (
  id text primary key,
  name text not null,
  category text not null check (category in ('keyboards', 'lamps', 'thermostats', 'bottles', 'shoes'))
);
select concierge_share('products');

create table variants (
  id text primary key,
  product_id text not null references products (id),
  options text not null,
  price numeric not null check (price > 0),
  available boolean not null default true
);
create index variants_of_product on variants (product_id);
select concierge_share('variants');

create table payment_methods (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  kind text not null check (kind in ('card', 'gift card', 'paypal')),
  name text not null,
  -- Of a gift card only.
  balance numeric check (balance >= 0),
  check ((kind = 'gift card') = (balance is not null)),
  unique (user_id, id)
);
select concierge_protect('payment_methods');

create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  number text not null,
  status text not null check (status in ('pending', 'processed', 'delivered', 'cancelled', 'return requested', 'exchange requested')),
  address text not null,
  payment_id uuid not null,
  cancel_reason text,
  unique (user_id, id),
  unique (user_id, number),
  foreign key (user_id, payment_id) references payment_methods (user_id, id)
);
create index orders_by_payment on orders (user_id, payment_id);
select concierge_protect('orders');

create table order_items (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  order_id uuid not null,
  position int not null,
  variant_id text not null references variants (id),
  -- The product's, as it was bought.
  name text not null,
  price numeric not null,
  returned boolean not null default false,
  unique (user_id, id),
  foreign key (user_id, order_id) references orders (user_id, id) on delete cascade
);
create index order_items_in_order on order_items (user_id, order_id, position);
create index order_items_by_variant on order_items (variant_id);
select concierge_protect('order_items');

create table handovers (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  summary text not null check (btrim(summary) <> '')
);
create index handovers_in_order on handovers (user_id, created_at);
select concierge_protect('handovers');
