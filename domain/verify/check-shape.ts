import { z } from "zod";

const part = (what: string, fits: (value: unknown) => boolean) =>
  z.custom<unknown>(fits, { error: what });
const text = part("a text", (value) => typeof value === "string");
const work = part("a function", (value) => typeof value === "function");
const texts = z.array(text, { error: "a list of texts" });
const listFrom = (parts: z.ZodRawShape) =>
  z.array(z.object(parts, { error: "an object" }), { error: "a list" });
const columns = listFrom({ name: text, kind: text });

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
    words: z.object({ one: text, many: text }, { error: "{ one, many }" }),
    columns,
    lists: z.array(ListSchema, { error: "a list" }).optional(),
    summary: texts,
    orderBy: texts,
    label: work,
    facts: work.optional(),
  }),
  subdomains: listFrom({ name: text, type: text, about: text }),
  tools: listFrom({
    name: text,
    description: text,
    parameters: part(
      "z.strictObject({ … })",
      (value) => typeof value === "object" && value !== null && "shape" in value,
    ),
    run: work,
  }),
  checks: listFrom({ name: text, types: texts, actions: texts, run: work }),
  loadProfile: work,
  loadSnapshot: work,
  formatQuick: work,
  emptyText: work,
  migrations: text,
});

/** Finds parts of a description that are missing or of another form, as no compiler lets through: nothing else can be checked then. Pure. */
export function checkShape(description: unknown): readonly string[] {
  const { issues = [] } = DomainSchema.safeParse(description).error ?? {};
  return issues.map(({ path, message }) => `"${path.join(".")}" has to be ${message}; write it`);
}
