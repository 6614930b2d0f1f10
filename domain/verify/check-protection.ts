import type { EntityType } from "../../state/entity.ts";
import { listGrants } from "../list-grants.ts";
import { literal, printTable } from "../table-tools/sql.ts";
import type { CataloguePolicy, CatalogueTable } from "./catalogue.ts";
import { describeTable } from "./check-columns.ts";
import { quoteNames, startSentence } from "./sentences.ts";

/** A table whose rows have to be protected, with the type that its rows belong to. */
export interface ProtectedTable {
  /** The table's name in the description. */
  readonly name: string;
  readonly type: EntityType;
  /** Null for rows of an inline list, whose key no description names. */
  readonly key: string | null;
}

/** Compares who may see and change rows, and how their changes are recorded, with the description. Pure. */
export function checkProtection(
  table: CatalogueTable,
  described: ProtectedTable,
): readonly string[] {
  const { name, type, key } = described;
  const isShared = type.ownership === "shared";
  if (isShared && hasOwner(table)) {
    return [
      `${startSentence(describeTable(table, name))} has a column "user_id", so its rows belong to persons, but type "${type.type}" shows everybody every row; leave ownership: "shared" out, or, if they belong to nobody, describe a view without that column`,
    ];
  }
  if (table.kind !== "table") return checkView(table, described);
  const place = `Table "${name}"`;
  const call = `select concierge_${isShared ? "share" : "protect"}(${literal(printTable(name))}${key === null || key === "id" ? "" : `, ${literal(key)}`})`;
  const hasJournal = table.triggers.some((one) => one.function === "concierge_journal_row");
  if (!isShared && !hasOwner(table)) {
    return [
      `${place} has no column "user_id", so its rows belong to nobody; add "user_id text not null" and ${call}, or write ownership: "shared" and ${call.replace("protect", "share")}`,
    ];
  }
  if (!table.rowSecurity && !hasJournal) {
    return [`${place} is not protected: it has no row-level security and no journal; ${call}`];
  }
  return [...checkPolicies(table, described), ...checkTriggers(table, described)];
}

function hasOwner({ columns }: CatalogueTable): boolean {
  return columns.some(({ name }) => name === "user_id");
}

function checkView(table: CatalogueTable, { name, type }: ProtectedTable): readonly string[] {
  const place = startSentence(describeTable(table, name));
  const isShared = type.ownership === "shared";
  const shared = `write ownership: "shared" at type "${type.type}"`;
  switch (table.kind) {
    case "foreign table":
      return [`${place} cannot be described itself; describe a view on it with security_invoker`];
    case "materialized view":
      return isShared
        ? []
        : [
            `${place} shows everybody the same rows; ${hasOwner(table) ? "describe a view with security_invoker on the tables that it reads" : shared}`,
          ];
    default:
  }
  if (!table.securityInvoker) {
    return [
      `${place} reads with its owner's rights, past row-level security; alter view ${printTable(name)} set (security_invoker = true)`,
    ];
  }
  const denied = table.unreadable.map(
    (base) =>
      `${place} reads "${base}", which the program may not read; grant usage on its schema and grant select on ${printTable(base)} to concierge_app`,
  );
  if (isShared || !table.readsUnprotected) return denied;
  return [
    ...denied,
    `${place} shows everybody every row: no table that it reads has row-level security; protect them${hasOwner(table) ? "" : `, or ${shared}`}`,
  ];
}

/** Statements as policies name them. */
const COMMANDS = { select: "r", insert: "a", update: "w", delete: "d" } as const;

function checkPolicies(table: CatalogueTable, { name, type }: ProtectedTable): readonly string[] {
  const place = `Table "${name}"`;
  const isShared = type.ownership === "shared";
  const own = table.policies.filter(({ isForProgram }) => isForProgram);
  const isDenied = (statement: keyof typeof COMMANDS): boolean =>
    own.every(({ command }) => command !== "*" && command !== COMMANDS[statement]);
  // Of the domain's own tools nobody knows which statements they run.
  const needs = listGrants({ entityTypes: [type], tools: [] }).find((one) => one.table === name);
  const denied = isDenied("select") ? [] : (needs?.rights ?? []).filter(isDenied);
  const open = table.policies.filter((policy) => !isShared && !isForOwnRows(policy));
  const remedy = `select concierge_${isShared ? "share" : "own"}_rows(${literal(printTable(name))})`;
  return [
    ...(table.rowSecurity
      ? []
      : [
          `${place} has row-level security switched off; alter table ${printTable(name)} enable row level security`,
        ]),
    ...(table.forced
      ? []
      : [
          `${place} does not force row-level security on its owner; alter table ${printTable(name)} force row level security`,
        ]),
    ...(isDenied("select") ? [`${place} has no policy that lets the program read; ${remedy}`] : []),
    ...(denied.length > 0
      ? [
          `${place} has no policy that lets the program ${quoteNames(denied)}; ${remedy}, or leave the rights out at type "${type.type}"`,
        ]
      : []),
    ...open.map(
      (policy) =>
        `Policy "${policy.name}" of table "${name}" shows or takes rows of others: ${policy.conditions.join(", ")}; write user_id = concierge_user(), and any other condition with "and" behind it or as a policy "as restrictive"`,
    ),
  ];
}

const SETTING = String.raw`current_setting\('concierge\.user_id'::text(?:, true)?\)`;
const CALL = String.raw`(?:concierge\.)?concierge_user\(\)`;
const USER = String.raw`(?:${CALL}|\( SELECT ${CALL} AS concierge_user\)|${SETTING}|NULLIF\(${SETTING}, ''::text\))`;
const CAST = "::(?:text|character varying|uuid|integer|bigint)";
const OWNER = String.raw`(?:user_id|\(user_id\)${CAST})`;
const OWN = String.raw`\((?:${OWNER} = (?:${USER}|\(${USER}\)${CAST})|${USER} = ${OWNER})\)`;
/** A condition that holds for a person's own rows alone, as PostgreSQL prints it: every `and` and `or` has brackets of its own. */
const OWN_ROWS = new RegExp(String.raw`^(?:${OWN}|\(${OWN} AND .*|.* AND ${OWN}\))$`, "us");

/** Returns true where a permissive policy lets a person see and change no rows but their own. */
function isForOwnRows({ conditions }: CataloguePolicy): boolean {
  return conditions.length > 0 && conditions.every((condition) => OWN_ROWS.test(condition));
}

function checkTriggers(
  table: CatalogueTable,
  { name, type, key }: ProtectedTable,
): readonly string[] {
  const place = `Table "${name}"`;
  const find = (wanted: string) => table.triggers.find((one) => one.function === wanted);
  const printed = printTable(name);
  const argument = literal(key ?? "id");
  const journals = [
    [
      "concierge_journal_row",
      "after every insert, update and delete",
      `create trigger concierge_journal_row after insert or update or delete on ${printed} for each row execute function concierge_journal_row(${argument})`,
    ],
    [
      "concierge_journal_truncate",
      "before every truncate",
      `select concierge_watch_truncate(${literal(printed)}, ${argument})`,
    ],
  ] as const;
  const problems = journals.flatMap(([wanted, times, sql]) => {
    const journal = find(wanted);
    if (journal === undefined) {
      return `${place} does not record its changes: the trigger ${wanted} is missing or disabled; ${sql}`;
    }
    const remedy = `drop the trigger ${wanted} and ${sql}`;
    if (key !== null && journal.argument !== key) {
      return `${place} records its changes by the column "${journal.argument}", but its key is "${key}"; ${remedy}`;
    }
    return journal.isWhole
      ? []
      : `${place} does not record all its changes: the trigger ${wanted} fires on a condition, or not ${times}; ${remedy}`;
  });
  const counts =
    key !== null &&
    type.version !== "content" &&
    table.columns.some((column) => column.name === "row_version");
  const touch = find("concierge_touch_row");
  const sql = `create trigger concierge_touch_row before update on ${printed} for each row execute function concierge_touch_row()`;
  if (counts && touch === undefined) {
    problems.push(
      `${place} does not count up row_version: the trigger concierge_touch_row is missing or disabled; ${sql}`,
    );
  }
  if (counts && touch?.isWhole === false) {
    problems.push(
      `${place} does not count up row_version with every change: the trigger concierge_touch_row fires on a condition, or not before every update; drop the trigger concierge_touch_row and ${sql}`,
    );
  }
  return problems;
}
