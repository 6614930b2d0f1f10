import type { CatalogueColumn } from "../verify/catalogue.ts";
import { findKind, fitsKey } from "../verify/column-kinds.ts";
import { listAllowedValues } from "../verify/listed-values.ts";
import type { Draft } from "./draft.ts";

/** Columns of the program, which no model needs. */
const PROGRAM_COLUMNS: ReadonlySet<string> = new Set(["user_id", "row_version", "updated_at"]);
/** Words of the names of columns that hold a secret, in English and German: single ones, and two in a row. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd passphrase passcode kennwort pwd secret geheimnis credential token apikey
  salt otp totp mfa pin ssn iban cvv cvc creditcard kreditkarte`.split(/\s+/),
);
const SECRET_PAIRS: ReadonlySet<string> = new Set([
  "api key",
  "private key",
  "access key",
  "encryption key",
  "credit card",
  "card number",
  "security code",
  "social security",
  "bank account",
]);
/** Words for what people call a row by, and for texts that are too long to tell rows apart by. */
const NAME_WORDS: ReadonlySet<string> = new Set(
  "name title label subject caption titel bezeichnung betreff".split(" "),
);
const LONG_WORDS: ReadonlySet<string> = new Set(
  `note description comment remark body content detail memo text message summary notiz bemerkung
  beschreibung kommentar anmerkung`.split(/\s+/),
);
/** The first words of columns that say who touched a row, and when. */
const RECORD_WORDS: ReadonlySet<string> = new Set(
  "created inserted updated modified changed deleted".split(" "),
);
/** Columns of a read at summary detail. */
const SUMMARY = 4;
/** Most columns of the facts, by which questions and receipts tell new rows apart. */
const FACTS = 3;

/** Renders the entity type of a draft as TypeScript. */
export function renderType(draft: Draft, drafts: readonly Draft[]): string {
  const { table, nouns, name, key, isShared } = draft;
  const columns = table.columns.flatMap((column) => renderColumn(column, draft, drafts));
  const shown = columns.flatMap((column) => (column.kind === null ? [] : [column]));
  const label = chooseLabel(shown, key.column);
  const distinctive = sortDistinctive(shown, draft).filter((column) => column !== label);
  // A list reads the summary, and names its rows by their labels.
  const summary = [...(label === undefined ? [] : [label]), ...distinctive].slice(0, SUMMARY);
  const facts = distinctive
    .filter(({ name, kind, target }) => name !== key.column && kind !== "boolean" && !target)
    .slice(0, FACTS)
    .map((column) => quote(column.name))
    .join(", ");
  const order = chooseOrder(shown, draft) ?? label?.name ?? key.column;
  // Columns of these names may be the table's own: only the trigger says that they are the program's.
  const counts =
    table.triggers.some((trigger) => trigger.function === "concierge_touch_row") &&
    draft.viewKey === null;
  return [
    `export const ${nouns.type.toUpperCase()}: EntityType = {`,
    `  type: ${quote(nouns.type)},`,
    `  table: ${quote(name)},`,
    `  words: { one: ${quote(nouns.one)}, many: ${quote(nouns.many)} },`,
    ...(isShared
      ? [
          "  // Everybody sees every row; rows of persons need a column user_id.",
          '  ownership: "shared",',
        ]
      : []),
    ...(table.kind === "table"
      ? []
      : [`  // ${quote(key.column)} has to be unique and never null.`]),
    ...(key.column === "id" && key.kind === "uuid"
      ? []
      : [`  key: { column: ${quote(key.column)}, kind: ${quote(key.kind)} },`]),
    ...(counts ? [] : ['  version: "content",']),
    "  columns: [",
    ...columns.map(({ line }) => `    ${line}`),
    "  ],",
    `  summary: [${summary.map((column) => quote(column.name)).join(", ")}],`,
    `  orderBy: [${quote(order)}],`,
    `  label: (values) => String(values[${quote(label?.name ?? key.column)}] ?? ${quote(nouns.type)}),`,
    ...(facts === ""
      ? []
      : [`  facts: (values) => [${facts}].flatMap((name) => values[name] ?? []).join(", "),`]),
    "};",
  ].join("\n");
}

/** Finds the column that people call a row by: a name before other texts, a short one before a long one, then the key. */
function chooseLabel(shown: readonly ColumnLine[], key: string): ColumnLine | undefined {
  const rank = ({ name }: ColumnLine): number => {
    const words = listWords(name);
    if (NAME_WORDS.has(words.at(-1) ?? "")) return words.length === 1 ? 0 : 1;
    return words.some((word) => LONG_WORDS.has(word)) ? 3 : 2;
  };
  const texts = shown.filter(({ kind, target }) => kind === "text" && target === null);
  const [best] = texts.toSorted((one, other) => rank(one) - rank(other));
  return best ?? shown.find(({ name }) => name === key) ?? shown[0];
}

/** Sorts the columns that tell rows apart: unique ones, other values than texts, short texts, references. */
function sortDistinctive(shown: readonly ColumnLine[], { table }: Draft): readonly ColumnLine[] {
  const rank = ({ name, kind, target }: ColumnLine): number => {
    if (target !== null) return 3;
    if (table.unique.includes(name)) return 0;
    return kind === "text" ? 2 : 1;
  };
  const isDistinctive = ({ name, kind }: ColumnLine): boolean => {
    const words = listWords(name);
    if (kind === "json" || kind === "tags" || RECORD_WORDS.has(words[0] ?? "")) return false;
    return kind !== "text" || !words.some((word) => LONG_WORDS.has(word));
  };
  return shown.filter(isDistinctive).toSorted((one, other) => rank(one) - rank(other));
}

/** Finds the order of rows by time or by a key that counts; null where only their names give one. */
function chooseOrder(shown: readonly ColumnLine[], { table, key }: Draft): string | null {
  const required = new Set(table.columns.flatMap((one) => (one.required ? [one.name] : [])));
  const dated = shown.filter(({ kind }) => kind === "date" || kind === "timestamp");
  if (dated.some(({ name }) => name === "created_at")) return "created_at";
  if (key.kind !== "uuid") return key.column;
  return dated.find(({ name }) => required.has(name))?.name ?? null;
}

/** A name as TypeScript writes it: the database takes any character in one. */
function quote(name: string): string {
  return JSON.stringify(name);
}

/** A line of the description; the kind is null for a comment in place of a column. */
interface ColumnLine {
  readonly name: string;
  readonly kind: string | null;
  /** The described type that it points at. */
  readonly target: string | null;
  readonly line: string;
}

function renderColumn(
  column: CatalogueColumn,
  draft: Draft,
  drafts: readonly Draft[],
): ColumnLine[] {
  const { name } = column;
  const isId = name === draft.key.column && draft.key.kind === "uuid";
  if (isId || PROGRAM_COLUMNS.has(name)) return [];
  const target = findTarget(column, draft, drafts);
  const values = listAllowedValues(column, draft.table);
  const kind =
    values.length > 0 ? "choice" : (findKind(column) ?? (target === null ? null : "text"));
  if (kind === null) {
    return [leaveOut(name, `has the type ${column.type}: cast it in a view to show it`)];
  }
  if (isSecret(name)) {
    return [leaveOut(name, "looks like a secret: describe it if models and people may read it")];
  }
  const isRequired = column.required && draft.viewKey === null;
  const parts = [
    `name: ${quote(name)}`,
    `kind: ${quote(kind)}`,
    ...(isRequired ? ["nullable: false"] : []),
    ...(isRequired && column.filled ? ["hasDefault: true"] : []),
    ...(values.length > 0 ? [`values: [${values.map(quote).join(", ")}]`] : []),
    ...(target === null ? [] : [`references: ${quote(target)}`]),
  ];
  return [{ name, kind, target, line: `{ ${parts.join(", ")} },` }];
}

function leaveOut(name: string, reason: string): ColumnLine {
  return { name, kind: null, target: null, line: `// ${quote(name)} ${reason}.` };
}

/** Compares whole words of a name: "pin" is one, "shopping" has none. */
function isSecret(name: string): boolean {
  const words = listWords(name);
  return (
    words.some((word) => SECRET_WORDS.has(word)) ||
    words.some((word, index) => SECRET_PAIRS.has(`${word} ${words[index + 1] ?? ""}`)) ||
    words.indexOf("hash") > 0
  );
}

/** The words of a name, lowercase and in the singular. */
function listWords(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/gu, "_")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => word.replace(/s$/u, ""));
}

/** The described type whose key a column points at by a foreign key; null where there is none. */
function findTarget(
  column: CatalogueColumn,
  { table }: Draft,
  drafts: readonly Draft[],
): string | null {
  const target = drafts.find(
    (one) =>
      one.viewKey === null &&
      fitsKey(column, one.key.kind) &&
      table.references.some(({ columns, targets, ...at }) => {
        const own = columns.filter((name) => name !== "user_id");
        return (
          at.schema === one.table.schema &&
          at.table === one.table.name &&
          own.length === 1 &&
          own[0] === column.name &&
          targets[columns.indexOf(column.name)] === one.key.column
        );
      }),
  );
  return target?.nouns.type ?? null;
}
