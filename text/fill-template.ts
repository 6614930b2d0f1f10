/** The names between braces in a template: `"{a} of {b|row|rows}"` has `"a" | "b|row|rows"`. */
type Placeholder<Template extends string> = string extends Template
  ? string
  : Template extends `${string}{${infer Inner}}${infer Rest}`
    ? Inner | Placeholder<Rest>
    : never;

type CountName<Inner> = Inner extends `${infer Name}|${string}` ? Name : never;
type ValueName<Inner> = Inner extends `${infer Name}|${string}` ? Name : Inner;

/** A template's values by placeholder. One that chooses between two words takes a number. */
export type TemplateValues<Template extends string> = {
  readonly [Name in ValueName<Placeholder<Template>> & string]: Name extends CountName<
    Placeholder<Template>
  >
    ? number
    : string | number;
};

/** The arguments after a template's id: none where it has no placeholder. */
export type TemplateArguments<Template extends string> = [Placeholder<Template>] extends [never]
  ? []
  : [values: TemplateValues<Template>];

/**
 * Makes the function that renders the sentences of one table by id. It takes exactly the values
 * that the sentence names: a missing or an unknown one does not compile.
 *
 * `{name}` stands for a value, `{count|row|rows}` for the word that fits a number.
 */
export function createSentenceRenderer<const Table extends Readonly<Record<string, string>>>(
  table: Table,
) {
  return function renderSentence<Id extends keyof Table & string>(
    id: Id,
    ...[values]: TemplateArguments<Table[Id]>
  ): string {
    return fillTemplate(table[id] ?? "", values ?? {});
  };
}

const PLACEHOLDER = /\{([a-zA-Z]+)(?:\|([^|}]*)\|([^|}]*))?\}/gu;

/** Fills in values as they are: what looks like a placeholder inside one of them stays text. */
function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(PLACEHOLDER, (_, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`Cannot fill "{${name}}": no value is given`);
    if (one === undefined || many === undefined) return String(value);
    return value === 1 ? one : many;
  });
}
