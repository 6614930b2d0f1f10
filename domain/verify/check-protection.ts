import type { EntityType } from "../../state/entity.ts";
import { listGrants } from "../list-grants.ts";
import { literal, printTable } from "../table-tools/sql.ts";
import type { Catalogue, CatalogueTable } from "./catalogue.ts";
import { describeTable } from "./check-columns.ts";
import { checkPlace } from "./check-place.ts";
import { checkView } from "./check-view.ts";
import {
  adviseOpenPolicy,
  describeOpenPolicy,
  explainOwner,
  hasOwner,
  listOpenPolicies,
} from "./own-rows.ts";
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
  catalogue: Catalogue,
): readonly string[] {
  const { name, type, key } = described;
  const isShared = type.ownership === "shared";
  if (isShared && hasOwner(table)) {
    return [
      `${startSentence(describeTable(table, name))} has a column "user_id", so its rows belong to persons, but type "${type.type}" shows everybody every row; leave ownership: "shared" out, or, if they belong to nobody, describe a view without that column`,
    ];
  }
  if (table.kind !== "table") return checkView(table, described, catalogue);
  const misplaced = checkPlace(table, name);
  if (misplaced.length > 0) return misplaced;
  const place = `Table "${name}"`;
  const [owner] = explainOwner(table);
  if (owner !== undefined) return [`${place}: ${owner}`];
  const call = `select concierge_${isShared ? "share" : "protect"}(${literal(printTable(name))}${key === null || key === "id" ? "" : `, ${literal(key)}`})`;
  const hasJournal = table.triggers.some((one) => one.function === "concierge_journal_row");
  if (!isShared && !hasOwner(table)) {
    return [
      `${place} has no column "user_id", so its rows belong to nobody; add "user_id text not null" and ${call}${key === null ? "" : `, or write ownership: "shared" and ${call.replace("protect", "share")}`}`,
    ];
  }
  if (!table.rowSecurity && !hasJournal) {
    return [`${place} is not protected: it has no row-level security and no journal; ${call}`];
  }
  return [...checkPolicies(table, described), ...checkTriggers(table, described)];
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
  const open = isShared ? [] : listOpenPolicies(table);
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
        `${startSentence(describeOpenPolicy(policy, name))}; write user_id = concierge_user(), and any other condition with "and" behind it or as a policy "as restrictive"; or ${adviseOpenPolicy(policy, table)}`,
    ),
  ];
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
