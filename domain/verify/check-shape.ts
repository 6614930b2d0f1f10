import { z } from "zod";

const part = (what: string, fits: (value: unknown) => boolean) =>
  z.custom<unknown>(fits, { error: what });
const text = part("a text", (value) => typeof value === "string");
const work = part("a function", (value) => typeof value === "function");
const texts = z.array(text, { error: "a list of texts" });
const listFrom = (parts: z.ZodRawShape) =>
  z.array(z.object(parts, { error: "an object" }), { error: "a list" });
const columns = listFrom({
  name: text,
  kind: text,
  label: text.optional(),
  references: text.optional(),
  values: texts.optional(),
});

const ListSchema = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("inline"), name: text, table: text, foreignKey: text, columns }),
    z.object({ kind: z.literal("entities"), name: text, type: text, foreignKey: text }),
  ],
  { error: '"inline" or "entities"' },
);

const DomainSchema = z.object({
  name: text,
  persona: text,
  activity: text,
  rules: texts,
  entityTypes: listFrom({
    type: text,
    table: text,
    words: z.object({ one: text, many: text, also: texts.optional() }, { error: "{ one, many }" }),
    refPrefix: text.optional(),
    rights: texts.optional(),
    key: z.object({ column: text, kind: text }, { error: "{ column, kind }" }).optional(),
    confirm: z.object({}, { error: "an object" }).optional(),
    columns,
    lists: z.array(ListSchema, { error: "a list" }).optional(),
    summary: texts,
    orderBy: texts,
    label: work,
    facts: work.optional(),
  }),
  subdomains: listFrom({ name: text, type: text, about: text, reads: texts.optional() }),
  tools: listFrom({
    name: text,
    description: text,
    parameters: part(
      "z.strictObject({ … })",
      (value) => typeof value === "object" && value !== null && "shape" in value,
    ),
    writes: texts.optional(),
    steps: texts.optional(),
    run: work,
  }),
  checks: listFrom({
    name: text,
    types: texts,
    actions: texts,
    links: texts.optional(),
    run: work,
  }),
  loadProfile: work,
  loadSnapshot: work,
  formatQuick: work,
  emptyText: work,
  migrations: text,
});

/** Finds parts of a description that are missing or of another form, as no compiler lets through: nothing else can be checked then. Pure. */
export function checkShape(description: unknown): readonly string[] {
  const { issues = [] } = DomainSchema.safeParse(description).error ?? {};
  return issues.map(
    ({ path, message }) =>
      `"${namePath(description, path).join(".")}" has to be ${message}; write it`,
  );
}

const NamedSchema = z.object({ name: z.string().min(1) }).transform(({ name }) => name);
const TypeSchema = z.object({ type: z.string().min(1) }).transform(({ type }) => type);

/** The steps of a path, with the name of a part in place of its number in a list. */
function namePath(value: unknown, [key, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (key === undefined) return [];
  const part: unknown = Reflect.get(Object(value), key);
  const name =
    typeof key === "number" ? NamedSchema.or(TypeSchema).safeParse(part).data : undefined;
  return [name ?? String(key), ...namePath(part, rest)];
}
