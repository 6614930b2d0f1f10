import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

const CatalogueColumnSchema = z.object({
  name: z.string(),
  /** `text`, `integer`, `text[]`, `timestamp with time zone`; a domain's type is that beneath it. */
  type: z.string(),
  /** The values of an enum; empty for other types. */
  labels: z.array(z.string()),
  required: z.boolean(),
  /** A creation may leave it out: it has a default, or a trigger that may give it a value. */
  filled: z.boolean(),
  /** Computed, or an identity that takes no other value. */
  generated: z.boolean(),
});
/** One column as the database has it. */
export type CatalogueColumn = z.infer<typeof CatalogueColumnSchema>;

const FollowingTableSchema = z.object({
  /** Without the schema where it is the default one. */
  name: z.string(),
  /** Its key, where that is one column. */
  key: z.string().nullable(),
  /** Its changes are in the journal. */
  recorded: z.boolean(),
  /** The role that undoes may write it: in the program's own schema it always may. */
  restorable: z.boolean(),
});
/** A table whose rows are deleted, or lose what they point at, with rows of another. */
export type FollowingTable = z.infer<typeof FollowingTableSchema>;

const GrantSchema = z.object({
  right: z.enum(["insert", "update", "delete", "truncate"]),
  /** The role that has it, as SQL writes it, or `public`: the program's own, or one that it is a member of. */
  to: z.string(),
});
/** A right to change rows that the program's role has, by itself or through another role. */
export type CatalogueGrant = z.infer<typeof GrantSchema>;

const PolicySchema = z.object({
  name: z.string(),
  /** `*`, `r`, `a`, `w` or `d`. */
  command: z.string(),
  /** `using` and `with check`, where they are there. */
  conditions: z.array(z.string()),
  /** False where it holds for the administrator's role alone. */
  isForProgram: z.boolean(),
});
/** A permissive policy for one of the program's roles. */
export type CataloguePolicy = z.infer<typeof PolicySchema>;

const CatalogueTableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  kind: z.enum(["table", "view", "materialized view", "foreign table"]),
  /** False for what a description names, true for what its views read beside that. */
  isBeneath: z.boolean(),
  /** Views only: it reads with the rights of who asks. */
  securityInvoker: z.boolean(),
  /** The current user may read it. */
  readable: z.boolean(),
  /** Views only: the tables and views that it reads itself, with their schemas. */
  reads: z.array(z.string()),
  /** The table that it is a partition of; null for others. */
  partOf: z.string().nullable(),
  /** The columns by which it is partitioned, null for an expression; empty for others. */
  partitionKey: z.array(z.string().nullable()),
  /** Tables that inherit from it, and are no partitions: reading it shows their rows. */
  heirs: z.array(z.string()),
  rowSecurity: z.boolean(),
  forced: z.boolean(),
  /** The login that owns it, as SQL writes it; null for one that row-level security does not hold for. */
  owner: z.string().nullable(),
  /** The owner and the other logins with rights on it, which row-level security would hold for. */
  logins: z.array(z.string()),
  columns: z.array(CatalogueColumnSchema),
  primaryKey: z.array(z.string()),
  /** Names of columns that are unique alone. */
  unique: z.array(z.string()),
  /** The columns of each index, in order. */
  indexes: z.array(z.array(z.string().nullable())),
  /** `isWhole`: on no condition, for each row after every insert, update and delete; before every truncate; or for each row before every update: whichever its function needs. */
  triggers: z.array(z.object({ function: z.string(), argument: z.string(), isWhole: z.boolean() })),
  policies: z.array(PolicySchema),
  grants: z.array(GrantSchema),
  checks: z.array(z.string()),
  /** Along foreign keys with an action on delete, however many. */
  following: z.array(FollowingTableSchema),
  /** Foreign keys: each of the columns points at the one of the target in the same place. */
  references: z.array(
    z.object({
      columns: z.array(z.string()),
      schema: z.string(),
      table: z.string(),
      targets: z.array(z.string()),
      /** The program sees the rows of the target for one person at a time. */
      isOwned: z.boolean(),
    }),
  ),
  /** The columns to which foreign keys lead from one, one after the other; `table` has its schema. */
  leads: z.array(z.object({ from: z.string(), table: z.string(), column: z.string() })),
});
/** One table or view as the database has it. */
export type CatalogueTable = z.infer<typeof CatalogueTableSchema>;

/** The tables that were asked for and exist, what their views read, and the names of all there are. */
export interface Catalogue {
  /** The schema of names without one: the program's own, whether it is there yet or not. */
  readonly schema: string;
  /** Those that were asked for come first. */
  readonly tables: readonly CatalogueTable[];
  /** Every table and view, without the schema where it is the default one. */
  readonly names: readonly string[];
}

const CatalogueSchema = z.object({
  schema: z.string(),
  tables: z.array(CatalogueTableSchema),
  names: z.array(z.string()),
});

/** Reads the database's description of tables and views in one query. Names are `orders` or `shop.orders`. */
export async function readCatalogue(db: Queryable, tables: readonly string[]): Promise<Catalogue> {
  const { rows } = await db.query(CATALOGUE_SQL, [[...new Set(tables)]]);
  return CatalogueSchema.parse(rows[0]);
}

/** Finds a table by its name in a description; undefined where there is none. */
export function findCatalogueTable(catalogue: Catalogue, name: string): CatalogueTable | undefined {
  return catalogue.tables.find(
    (table) => !table.isBeneath && qualifyName(catalogue, name) === joinName(table),
  );
}

/** Lists the tables and views that a view reads, those of the views beneath it included, each once. */
export function listBeneath(catalogue: Catalogue, { reads }: CatalogueTable): CatalogueTable[] {
  const found = new Set<CatalogueTable>();
  const names = [...reads];
  for (const name of names) {
    const table = catalogue.tables.find((one) => joinName(one) === name);
    if (table === undefined || found.has(table)) continue;
    found.add(table);
    names.push(...table.reads);
  }
  return [...found];
}

/** A table's name with its schema. */
export function joinName({ schema, name }: CatalogueTable): string {
  return `${schema}.${name}`;
}

/** The name with its schema. */
export function qualifyName({ schema }: Pick<Catalogue, "schema">, name: string): string {
  return name.includes(".") ? name : `${schema}.${name}`;
}

const CATALOGUE_SQL = `
with recursive relation as (
  select c.oid, n.nspname::text as schema, c.relname::text as name, c.relkind, c.reloptions, c.relispartition,
         c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'f')
     and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'),
-- What a view reads itself.
source as (
  select distinct r.ev_class as reader, base.oid, base.schema || '.' || base.name as name
    from pg_rewrite r join pg_class c on c.oid = r.ev_class and c.relkind = 'v'
         join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
         join relation base on base.oid = d.refobjid
   where base.oid <> r.ev_class),
described as (
  select oid from relation
   where case when schema = 'concierge' then name end = any($1::text[])
      or schema || '.' || name = any($1::text[])),
reached as (select oid from described union select source.oid from reached join source on reader = reached.oid),
wanted as (
  select relation.*, oid not in (select oid from described) as beneath from relation where oid in (select oid from reached)),
-- Each column of a foreign key, and the one that it points at.
pair as (
  select k.conrelid as "table", own.attname::text as own, k.confrelid as target, key.attname::text as key
    from pg_constraint k cross join lateral unnest(k.conkey, k.confkey) as at(own, key)
         join pg_attribute own on own.attrelid = k.conrelid and own.attnum = at.own
         join pg_attribute key on key.attrelid = k.confrelid and key.attnum = at.key
   where k.contype = 'f' and k.conparentid = 0),
-- The roles that the program works as, where they are there yet.
program as (select to_regrole('concierge_app') as app, to_regrole('concierge_admin') as admin),
login as (
  select oid, quote_ident(rolname) as name, rolcanlogin from pg_roles
   where not rolsuper and not rolbypassrls and rolname not in ('concierge_app', 'concierge_admin'))
select 'concierge' as schema,
       array(select case when schema = 'concierge' then name else schema || '.' || name end
               from relation order by 1) as names,
       (select coalesce(json_agg(json_build_object(
          'schema', w.schema, 'name', w.name,
          'kind', case w.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
          'isBeneath', w.beneath,
          'securityInvoker', exists (
             select from unnest(w.reloptions) o where o like 'security_invoker=%' and split_part(o, '=', 2)::boolean),
          'readable', has_any_column_privilege(w.oid, 'select') and has_schema_privilege(w.schema, 'usage'),
          'reads', array(select source.name from source where reader = w.oid order by 1),
          'partOf', (select p.schema || '.' || p.name from pg_inherits i join relation p on p.oid = i.inhparent
                      where i.inhrelid = w.oid and w.relispartition),
          'partitionKey', array(select a.attname::text from pg_partitioned_table p, unnest(p.partattrs::int[]) with ordinality as k(attnum, at)
                                  left join pg_attribute a on a.attrelid = w.oid and a.attnum = k.attnum
                                 where p.partrelid = w.oid order by k.at),
          'heirs', array(select h.schema || '.' || h.name from pg_inherits i join relation h on h.oid = i.inhrelid
                          where i.inhparent = w.oid and not h.relispartition order by 1),
          'rowSecurity', w.relrowsecurity, 'forced', w.relforcerowsecurity,
          'owner', (select login.name from login where login.oid = w.relowner),
          'logins', array(
             select login.name from login
              where login.oid = w.relowner
                 or exists (select from aclexplode(w.relacl) a where a.grantee = login.oid)
                 or exists (select from pg_attribute c, aclexplode(c.attacl) a where c.attrelid = w.oid and a.grantee = login.oid)
                 -- What everybody may read, a login may that reaches the schema.
                 or login.rolcanlogin and has_schema_privilege(login.oid, w.schema, 'usage')
                    and exists (select from aclexplode(w.relacl) a where a.grantee = 0)
              order by 1),
          'columns', (select coalesce(json_agg(json_build_object(
               'name', a.attname,
               'type', format_type(t.oid, null),
               'labels', array(select enumlabel::text from pg_enum e where e.enumtypid = t.oid order by enumsortorder),
               'required', a.attnotnull or t.required,
               'filled', a.atthasdef or a.attidentity <> '' or t.filled or exists (
                  -- Types 1, 2 and 4: for each row, before, insert.
                  select from pg_trigger g where g.tgrelid = w.oid and g.tgtype & 7 = 7 and g.tgenabled in ('O', 'A')),
               'generated', a.attgenerated <> '' or a.attidentity = 'a') order by a.attnum), '[]')
             from pg_attribute a, lateral (
                    -- A domain may be of another one.
                    with recursive beneath as (
                      select a.atttypid as oid union
                      select d.typbasetype from beneath join pg_type d on d.oid = beneath.oid where d.typtype = 'd')
                    select max(p.oid) filter (where p.typtype <> 'd') as oid, bool_or(p.typnotnull) as required,
                           bool_or(p.typdefault is not null) as filled
                      from beneath join pg_type p using (oid)) as t
            where a.attrelid = w.oid and a.attnum > 0 and not a.attisdropped),
          'primaryKey', array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality as k(attnum, at)
                                join pg_attribute a on a.attnum = k.attnum
                               where i.indrelid = w.oid and i.indisprimary and a.attrelid = w.oid order by k.at),
          'unique', array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = w.oid and a.attnum = i.indkey[0]
                           where i.indrelid = w.oid and i.indisunique and i.indnkeyatts = 1 and i.indpred is null and i.indisvalid),
          'indexes', (select coalesce(json_agg(array(
               select a.attname::text from unnest(i.indkey) with ordinality as k(attnum, at)
                 left join pg_attribute a on a.attrelid = w.oid and a.attnum = k.attnum order by k.at)), '[]')
             from pg_index i where i.indrelid = w.oid and i.indisvalid),
          'triggers', (select coalesce(json_agg(json_build_object(
               'function', p.proname,
               'argument', split_part(encode(g.tgargs, 'escape'), '\\000', 1),
               -- Types 1, 4, 8 and 16: for each row, insert, delete, update; 2 and 32: before, truncate.
               'isWhole', g.tgtype = case p.proname when 'concierge_touch_row' then 19 when 'concierge_journal_truncate' then 34 else 29 end
                 and g.tgqual is null and g.tgattr::text = '')), '[]')
             from pg_trigger g join pg_proc p on p.oid = g.tgfoid
            where g.tgrelid = w.oid and g.tgenabled in ('O', 'A')),
          'policies', (select coalesce(json_agg(json_build_object(
               'name', o.polname, 'command', o.polcmd,
               'conditions', array_remove(array[pg_get_expr(o.polqual, w.oid), pg_get_expr(o.polwithcheck, w.oid)], null),
               'isForProgram', app.has) order by o.polname), '[]')
             from pg_policy o, program,
                  lateral (select 0 = any(o.polroles) or exists (
                     select from unnest(o.polroles) r where pg_has_role(program.app, r, 'member')) as has) as app
            where o.polrelid = w.oid and o.polpermissive
              and (app.has or exists (select from unnest(o.polroles) r where pg_has_role(program.admin, r, 'member')))),
          'grants', (select coalesce(json_agg(json_build_object('right', "right", 'to', "to") order by "to", "right"), '[]') from (
             select distinct lower(a.privilege_type) as "right", coalesce(quote_ident(r.rolname), 'public') as "to"
               from (select a.* from aclexplode(coalesce(w.relacl, acldefault('r', w.relowner))) a
                     union all
                     select a.* from pg_attribute c, aclexplode(c.attacl) a where c.attrelid = w.oid) as a
                    left join pg_roles r on r.oid = a.grantee
              where a.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
                and (a.grantee = 0 or pg_has_role((select app from program), a.grantee, 'member'))
             union
             select "right", 'pg_write_all_data' from program, unnest(array['insert', 'update', 'delete']) as "right"
              where pg_has_role(program.app, 'pg_write_all_data', 'member')) as g),
          'checks', array(select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = w.oid and k.contype = 'c'),
          'following', (with recursive deleted as (
               select w.oid union
               select k.conrelid from deleted join pg_constraint k on k.confrelid = deleted.oid
                where k.contype = 'f' and k.confdeltype = 'c' and k.conparentid = 0)
             select coalesce(json_agg(json_build_object(
               'name', case when f.schema = 'concierge' then f.name else f.schema || '.' || f.name end,
               'key', (select a.attname from pg_index i join pg_attribute a on a.attrelid = f.oid and a.attnum = i.indkey[0]
                        where i.indrelid = f.oid and i.indisprimary and i.indnkeyatts = 1),
               'recorded', exists (
                  select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
                   where g.tgrelid = f.oid and g.tgenabled in ('O', 'A') and p.proname = 'concierge_journal_row'),
               'restorable', f.schema = 'concierge' or not exists (
                  select from unnest(array['select', 'insert', 'update', 'delete']) as needed
                   -- Without that role there is no right of it yet.
                   where has_table_privilege(to_regrole('concierge_admin'), f.oid, needed) is not true)) order by f.schema, f.name), '[]')
             from relation f where f.oid <> w.oid and exists (
               select from pg_constraint k join deleted on deleted.oid = k.confrelid
                where k.conrelid = f.oid and k.contype = 'f' and k.conparentid = 0 and k.confdeltype in ('c', 'n', 'd'))),
          'references', (select coalesce(json_agg(json_build_object(
               'columns', array(select a.attname::text from unnest(k.conkey) with ordinality as x(attnum, at)
                                  join pg_attribute a on a.attrelid = w.oid and a.attnum = x.attnum order by x.at),
               'schema', target.schema, 'table', target.name,
               'targets', array(select a.attname::text from unnest(k.confkey) with ordinality as x(attnum, at)
                                  join pg_attribute a on a.attrelid = target.oid and a.attnum = x.attnum order by x.at),
               'isOwned', exists (select from pg_attribute a where a.attrelid = target.oid and a.attname = 'user_id' and not a.attisdropped)
                 or target.relrowsecurity and not exists (
                   select from pg_policy o, program
                    where o.polrelid = target.oid and o.polpermissive and o.polcmd in ('*', 'r') and pg_get_expr(o.polqual, target.oid) = 'true'
                      and (0 = any(o.polroles) or exists (select from unnest(o.polroles) r where pg_has_role(program.app, r, 'member')))))), '[]')
             from pg_constraint k join relation target on target.oid = k.confrelid
            where k.conrelid = w.oid and k.contype = 'f' and k.conparentid = 0),
          'leads', (with recursive lead as (
               select pair.own as "from", pair.target, pair.key from pair where pair.table = w.oid union
               select lead."from", pair.target, pair.key from lead join pair on pair.table = lead.target and pair.own = lead.key)
             select coalesce(json_agg(json_build_object(
               'from', lead."from", 'table', target.schema || '.' || target.name, 'column', lead.key)), '[]')
             from lead join relation target on target.oid = lead.target)) order by w.beneath), '[]')
          from wanted w) as tables`;
