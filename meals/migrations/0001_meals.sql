-- The tables of the meals domain. Every row belongs to a user, and so does every row it points at:
-- foreign keys carry the user, so that no row can point at another user's.

create table recipes (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  servings int not null default 2 check (servings between 1 and 100),
  prep_minutes int check (prep_minutes between 0 and 10000),
  cook_minutes int check (cook_minutes between 0 and 10000),
  cuisine text,
  tags text[] not null default '{}',
  instructions text,
  source_url text,
  parent_id uuid,
  unique (user_id, id),
  foreign key (user_id, parent_id) references recipes (user_id, id) on delete set null (parent_id)
);
create index recipes_in_order on recipes (user_id, created_at);
create index recipes_by_parent on recipes (user_id, parent_id) where parent_id is not null;

create table recipe_ingredients (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  recipe_id uuid not null,
  position int not null default 1,
  name text not null check (btrim(name) <> ''),
  quantity numeric check (quantity >= 0),
  unit text,
  note text,
  optional boolean not null default false,
  foreign key (user_id, recipe_id) references recipes (user_id, id) on delete cascade
);
create index recipe_ingredients_in_order on recipe_ingredients (user_id, recipe_id, position);

create table ingredients (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  aliases text[] not null default '{}',
  category text check (category in ('produce', 'meat', 'fish', 'dairy', 'bakery', 'grains', 'canned', 'spices', 'condiments', 'frozen', 'drinks', 'household', 'other')),
  grams_per_ml numeric check (grams_per_ml > 0)
);
create unique index ingredients_name_key on ingredients (user_id, lower(name));

create table inventory (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  quantity numeric check (quantity >= 0),
  unit text,
  location text not null default 'pantry' check (location in ('pantry', 'fridge', 'freezer', 'counter')),
  expires_on date
);
create index inventory_in_order on inventory (user_id, location, created_at);

create table meal_plans (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  date date not null,
  slot text not null check (slot in ('breakfast', 'lunch', 'dinner', 'snack', 'other')),
  recipe_id uuid,
  title text,
  servings int check (servings between 1 and 100),
  leftovers boolean not null default false,
  notes text,
  constraint meal_plans_title_check check (title is not null or recipe_id is not null),
  unique (user_id, id),
  foreign key (user_id, recipe_id) references recipes (user_id, id) on delete set null (recipe_id)
);
create index meal_plans_in_order on meal_plans (user_id, date);
create index meal_plans_by_recipe on meal_plans (user_id, recipe_id);

-- The people of the household, and guests until a day.
create table members (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  diet text[] not null default '{}',
  allergies text[] not null default '{}',
  dislikes text[] not null default '{}',
  favourites text[] not null default '{}',
  until date,
  unique (user_id, id)
);
create index members_in_order on members (user_id, created_at);
create unique index members_name_key on members (user_id, lower(name));

-- Who eats a meal; a meal without eaters is for everybody who is there on its day.
create table meal_eaters (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  meal_id uuid not null,
  position int not null default 1,
  member_id uuid not null,
  foreign key (user_id, meal_id) references meal_plans (user_id, id) on delete cascade,
  foreign key (user_id, member_id) references members (user_id, id) on delete cascade
);
create index meal_eaters_in_order on meal_eaters (user_id, meal_id, position);
create index meal_eaters_by_member on meal_eaters (user_id, member_id);

create table shopping_list (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  name text not null check (btrim(name) <> ''),
  quantity numeric check (quantity >= 0),
  unit text,
  category text check (category in ('produce', 'meat', 'fish', 'dairy', 'bakery', 'grains', 'canned', 'spices', 'condiments', 'frozen', 'drinks', 'household', 'other')),
  purchased boolean not null default false,
  sources text[] not null default '{}'
);
create index shopping_list_in_order on shopping_list (user_id, created_at);

create table tasks (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  title text not null check (btrim(title) <> ''),
  due_on date,
  category text not null default 'other' check (category in ('prep', 'shopping', 'cleaning', 'other')),
  done boolean not null default false
);
create index tasks_in_order on tasks (user_id, due_on);

create table preferences (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  household_size int not null default 1 check (household_size between 1 and 100),
  equipment text[] not null default '{}',
  skill text check (skill in ('beginner', 'intermediate', 'advanced'))
);
create unique index preferences_one_a_user on preferences (user_id);

create table cooking_log (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  cooked_on date not null,
  recipe_id uuid,
  title text,
  servings int check (servings between 1 and 100),
  rating int check (rating between 1 and 5),
  notes text,
  constraint cooking_log_title_check check (title is not null or recipe_id is not null),
  foreign key (user_id, recipe_id) references recipes (user_id, id) on delete set null (recipe_id)
);
create index cooking_log_in_order on cooking_log (user_id, cooked_on);
create index cooking_log_by_recipe on cooking_log (user_id, recipe_id);

-- A meal with a recipe and no title takes the recipe's name, also when the recipe changes.
create function meal_title_from_recipe() returns trigger
  language plpgsql as $$
begin
  if new.recipe_id is null then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.recipe_id is distinct from old.recipe_id
     and new.title is not distinct from old.title then
    new.title := null;
  end if;
  if new.title is null then
    select name into new.title from concierge.recipes where id = new.recipe_id;
  end if;
  return new;
end
$$;

create trigger fill_title before insert or update on meal_plans
  for each row execute function meal_title_from_recipe();
create trigger fill_title before insert or update on cooking_log
  for each row execute function meal_title_from_recipe();

-- A change of its ingredients counts as a change of the recipe: a conversation that relies on the
-- recipe then notices it.
create function recipe_changes_with_ingredients() returns trigger
  language plpgsql as $$
begin
  update concierge.recipes set updated_at = now() where id in (select recipe_id from changed_rows);
  return null;
end
$$;

create trigger recipe_changes_insert after insert on recipe_ingredients
  referencing new table as changed_rows
  for each statement execute function recipe_changes_with_ingredients();
create trigger recipe_changes_update after update on recipe_ingredients
  referencing new table as changed_rows
  for each statement execute function recipe_changes_with_ingredients();
create trigger recipe_changes_delete after delete on recipe_ingredients
  referencing old table as changed_rows
  for each statement execute function recipe_changes_with_ingredients();

-- So does a change of its eaters for the meal.
create function meal_changes_with_eaters() returns trigger
  language plpgsql as $$
begin
  update concierge.meal_plans set updated_at = now() where id in (select meal_id from changed_rows);
  return null;
end
$$;

create trigger meal_changes_insert after insert on meal_eaters
  referencing new table as changed_rows
  for each statement execute function meal_changes_with_eaters();
create trigger meal_changes_update after update on meal_eaters
  referencing new table as changed_rows
  for each statement execute function meal_changes_with_eaters();
create trigger meal_changes_delete after delete on meal_eaters
  referencing old table as changed_rows
  for each statement execute function meal_changes_with_eaters();

do $$
declare
  name text;
begin
  foreach name in array array['recipes', 'recipe_ingredients', 'ingredients', 'inventory',
    'members', 'meal_plans', 'meal_eaters', 'shopping_list', 'tasks', 'preferences', 'cooking_log'] loop
    perform concierge_protect(name::regclass);
  end loop;
end
$$;
