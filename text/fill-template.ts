import { blotMachinery, nameInWords } from "./blot-machinery.ts";
import { cacheByLanguage } from "./cache-by-language.ts";
import { BASE_LANGUAGE, ENGLISH, type SpokenLanguage } from "./spoken-language.ts";

/** The source of a value, which decides how a sentence shows it. */
export type ParameterKind =
  /** The matter itself: words and labels of the person, or words of another sentence. As it is. */
  | "content"
  /** A number, a sum of money or a day. */
  | "amount"
  /** A name of the program's, such as that of a column or a tool. In words. */
  | "name"
  /** A text of a model, a service or a database. Without the machinery in it. */
  | "foreign"
  /** A text for whoever runs the program, as it is: for a user, another sentence takes its place. */
  | "operator";

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

/** The kinds of all placeholders of a table. */
export type ParameterKinds<Table extends Readonly<Record<string, string>>> = {
  readonly [Name in ValueName<Placeholder<Table[keyof Table]>> & string]: ParameterKind;
};

/** The arguments after a template's id: none where it has no placeholder. */
export type TemplateArguments<Template extends string> = [Placeholder<Template>] extends [never]
  ? []
  : [values: TemplateValues<Template>];

/**
 * Makes the function that renders the sentences of one table by id. It takes exactly the values
 * that the sentence names: a missing or an unknown one does not compile.
 *
 * `{name}` stands for a value, `{count|row|rows}` for the word that fits a number. `kinds` says of each
 * placeholder where its values come from.
 */
export function createSentenceRenderer<const Table extends Readonly<Record<string, string>>>(
  table: Table,
  kinds: ParameterKinds<Table>,
  /** Returns the language to speak in. Default: English. */
  readLanguage: () => SpokenLanguage = () => ENGLISH,
) {
  const kindByName = new Map<string, ParameterKind>(Object.entries(kinds));
  return function renderSentence<Id extends keyof Table & string>(
    id: Id,
    ...[values]: TemplateArguments<Table[Id]>
  ): string {
    const { language, templates } = readLanguage();
    const translated = templates.get(id);
    return fillTemplate(translated ?? table[id] ?? "", values ?? {}, {
      kinds: kindByName,
      language: translated === undefined ? BASE_LANGUAGE : language,
    });
  };
}

const PLACEHOLDER = /\{([a-zA-Z]+)(?:\|([^|}]*)\|([^|}]*))?\}/gu;

interface FillOptions {
  readonly kinds: ReadonlyMap<string, ParameterKind>;
  /** The template's language, for its numbers. */
  readonly language: string;
}

/** Fills in values: what looks like a placeholder inside one of them stays text. */
function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
  { kinds, language }: FillOptions,
): string {
  const rules = pluralRules(language);
  return template.replace(PLACEHOLDER, (_, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`Cannot fill "{${name}}": no value is given`);
    if (one === undefined || many === undefined)
      return SHOW[kinds.get(name) ?? "foreign"](value, language);
    return rules.select(Number(value)) === "one" ? one : many;
  });
}

const pluralRules = cacheByLanguage((language) => new Intl.PluralRules(language));
const numberFormat = cacheByLanguage((language) => new Intl.NumberFormat(language));

type Show = (value: string | number, language: string) => string;

const SHOW: Readonly<Record<ParameterKind, Show>> = {
  content: String,
  amount: (value, language) =>
    typeof value === "number" ? numberFormat(language).format(value) : value,
  name: (value) => nameInWords(String(value)),
  foreign: (value) => blotMachinery(String(value)),
  operator: String,
};
