import { changedHeading, HEADINGS } from "../../prompts/headings.ts";
import type { ChoiceBrief } from "./brief.ts";
import type { ModelRequest, ModelRole } from "../../state/model.ts";

/** A prompt does not show what its node needs for an intent. */
export class MissingFromPrompt extends Error {
  override readonly name = "MissingFromPrompt";
  readonly node: ModelRole;
  readonly what: string;

  constructor(node: ModelRole, what: string) {
    super(`The prompt of "${node}" does not show ${what}`);
    this.node = node;
    this.what = what;
  }
}

/** A choice as a prompt shows it. */
interface ShownChoice {
  readonly id: string;
  readonly type: string;
  readonly count: number;
  readonly of: number;
  readonly labels: readonly string[];
}

const LABEL = String.raw`\p{Lu}\p{L}* \d+`;
const REF = String.raw`[\p{L}\d_]+_\d+`;
const NAMING = [
  HEADINGS.recentContext,
  changedHeading(HEADINGS.recentContext),
  HEADINGS.choices,
  HEADINGS.listedLast,
  HEADINGS.drafts,
  HEADINGS.rows,
];

/** A prompt as its sections, which models that know nothing else answer from. */
export class Shown {
  readonly role: ModelRole;
  readonly #sections: ReadonlyMap<string, string>;

  constructor({ role, messages }: Pick<ModelRequest, "role" | "messages">) {
    this.role = role;
    const parts = messages
      .flatMap((message) => (message.role === "user" ? message.text.split(/^## /mu).slice(1) : []))
      .map((part): [string, string] => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1)];
      });
    this.#sections = new Map(parts.toReversed());
  }

  /** Returns the text of a section; empty where there is none. */
  section(heading: string): string {
    return this.#sections.get(heading) ?? "";
  }

  /** Returns the data of a section, without its fence; empty where there is none. */
  data(heading: string): string {
    return /<data>\n([\s\S]*?)\n<\/data>/u.exec(this.section(heading))?.[1] ?? "";
  }

  /** Returns the one ref that stands before a label; null where there is none. */
  findRef(label: string): string | null {
    const refs = new Set<string>();
    for (const heading of NAMING) {
      const text = this.section(heading);
      if (!text.includes(label)) continue;
      const inLine = new RegExp(
        `(?<![\\p{L}\\p{N}_])(${REF})(?: \\| | )${label}(?![\\p{L}\\p{N}])`,
        "gu",
      );
      const inFields = new RegExp(
        `^(${REF})(?: \\(draft, not saved\\))?\\n(?:  .*\\n)*?  name: ${label}$`,
        "gmu",
      );
      for (const [, ref] of [...text.matchAll(inLine), ...text.matchAll(inFields)])
        refs.add(ref ?? "");
    }
    if (refs.size > 1) throw this.missing(`one ref of "${label}" but ${[...refs].join(" and ")}`);
    return [...refs][0] ?? null;
  }

  requireRef(label: string): string {
    return this.findRef(label) ?? this.#fail(`the ref of "${label}"`);
  }

  /** Returns the ref of a number in the list that was shown last. */
  requireListed(place: number): string {
    const line = new RegExp(`^${place}\\. (${REF}) `, "mu").exec(this.section(HEADINGS.listedLast));
    return line?.[1] ?? this.#fail(`number ${place} of the last list`);
  }

  /** Returns words that were said in an earlier turn, as they stand in what was said or told. */
  requireSaid(words: string): string {
    const texts = [HEADINGS.recentTurns, HEADINGS.earlierTurns].map((name) => this.section(name));
    return texts.some((text) => text.includes(words))
      ? words
      : this.#fail(`"${words}" as it was said`);
  }

  /** Returns the labels of what was left out, in the order of the prompt. */
  get leftOut(): readonly string[] {
    return this.section(HEADINGS.choices)
      .split("\n")
      .filter((line) => line.startsWith("Left out"))
      .flatMap((line) => line.replaceAll(/(?:^|; )[^:]*: /gu, " ").match(LABELS) ?? []);
  }

  /** Returns what is left of the choice in focus. */
  get left(): ShownChoice {
    const lines = this.section(HEADINGS.choices).split("\n");
    const at = lines.findIndex((line) => COUNTED.test(line));
    const head = COUNTED.exec(lines[at] ?? "");
    if (head === null || lines[at]?.startsWith("Also open") === true)
      throw this.missing("what is left to choose from");
    const items = lines.slice(at + 1).flatMap((line) => {
      const label = ITEM.exec(line)?.[1];
      return label === undefined ? [] : [label];
    });
    return toChoice(head, items);
  }

  /** Returns the id of the open choice of that type with these labels left. */
  choiceId({ type, of, left }: ChoiceBrief): string {
    const others = this.section(HEADINGS.choices)
      .split("\n")
      .filter((line) => line.startsWith("Also open"))
      .flatMap((line) => {
        const head = COUNTED.exec(line);
        return head === null ? [] : [toChoice(head, line.slice(head.index).match(LABELS) ?? [])];
      });
    const found = [this.left, ...others].find(
      (choice) => choice.type === type && choice.of === of && choice.labels.join() === left.join(),
    );
    return found?.id ?? this.#fail(`the choice with ${left.join(", ") || "nothing"} left`);
  }

  /** Returns why and when something was left out. */
  reasonFor(label: string): string {
    const lines = this.section(HEADINGS.choices)
      .split("\n")
      .filter((line) => line.startsWith("Left out"));
    const groups = lines.flatMap((line) =>
      line.replace(/^Left out(?: elsewhere)?: /u, "").split("; "),
    );
    const own = groups.find((group) => group.endsWith(` ${label}`) || group.includes(` ${label},`));
    const [, reason, turn] = /^(.*) \(turn (\d+)\): /u.exec(own ?? "") ?? [];
    if (reason === undefined) throw this.missing(`why "${label}" was left out`);
    return `${reason} (turn ${turn})`;
  }

  /** Returns a value of a row as it is shown; empty where the row shows none. */
  readValue(label: string, column: string): string {
    const row = this.#rows().find(({ cells }) => cells.get("name") === label);
    if (row === undefined) throw this.missing(`the row of "${label}"`);
    return row.cells.get(column) ?? "";
  }

  /** Returns the labels of the rows of a table that are shown, in their order. */
  listRows(table: string): readonly string[] {
    return this.#rows()
      .filter((row) => row.table === table)
      .map(({ cells }) => cells.get("name") ?? "");
  }

  /** Returns the labels in the lines of a section. */
  labelsIn(heading: string): readonly string[] {
    return this.section(heading)
      .split("\n")
      .flatMap((line) => line.match(LABELS)?.[0] ?? []);
  }

  /** Returns the refs of what the steps before have touched. */
  refsBefore(): readonly string[] {
    const lines = this.section(HEADINGS.step)
      .split("\n")
      .filter((line) => line.includes(" → "));
    return lines.flatMap((line) => line.slice(line.indexOf(" → ")).match(REFS) ?? []);
  }

  /** Returns the refs of which the prompt says that they need not be read again. */
  refsNotToRead(): readonly string[] {
    const lines = this.section(HEADINGS.lastTurnSummary).split("\n");
    const at = lines.findIndex((line) => line.startsWith("**DO NOT re-read**"));
    return at < 1 ? [] : (lines[at - 1]?.match(REFS) ?? []);
  }

  missing(what: string): MissingFromPrompt {
    return new MissingFromPrompt(this.role, what);
  }

  #fail(what: string): never {
    throw this.missing(what);
  }

  #rows(): readonly ShownRow[] {
    const rows: ShownRow[] = [];
    let head: TableHead | null = null;
    let fields: Map<string, string> | null = null;
    for (const line of this.section(HEADINGS.rows).split("\n")) {
      const field = /^ {2}([\p{L}\d_]+): (.*)$/u.exec(line);
      if (field !== null && fields !== null) {
        fields.set(field[1] ?? "", field[2] ?? "");
        continue;
      }
      if (
        new RegExp(`^${REF}(?: \\(draft, not saved\\))?$`, "u").test(line) &&
        !line.includes(" | ")
      ) {
        fields = new Map();
        rows.push({ table: "", cells: fields });
        continue;
      }
      const made = readHead(line);
      if (made !== null) {
        head = made;
        continue;
      }
      const [ref, ...cells] = line.split(" | ");
      if (head === null || !new RegExp(`^${REF}$`, "u").test(ref ?? "")) continue;
      const own = head.columns.map((name, index): [string, string] => [name, cells[index] ?? ""]);
      rows.push({ table: head.table, cells: new Map([...head.shared, ...own]) });
    }
    return rows;
  }
}

interface ShownRow {
  readonly table: string;
  readonly cells: ReadonlyMap<string, string>;
}

interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
  readonly shared: readonly (readonly [string, string])[];
}

const COUNTED = /(?: \((choice_\d+), ([^)]*)\))?: (none|\d+) left of (\d+)/u;
const ITEM = new RegExp(`^\\d+\\. (?:${REF} )?(${LABEL})`, "u");
const LABELS = new RegExp(LABEL, "gu");
const REFS = new RegExp(REF, "gu");

function toChoice(
  [, id = "", type = "", count, of]: RegExpExecArray,
  labels: readonly string[],
): ShownChoice {
  return { id, type, count: count === "none" ? 0 : Number(count), of: Number(of), labels };
}

/** Reads the head of a table of rows: "things: name | size (all: colour = red)". */
function readHead(line: string): TableHead | null {
  const [, table, own, all] = /^([\p{L}\d_]+): (name[^(]*)(?:\(all: (.*)\))?$/u.exec(line) ?? [];
  if (table === undefined || own === undefined) return null;
  const shared = (all ?? "").split(/, (?=[\p{L}\d_]+ = )/u).flatMap((part): [string, string][] => {
    const at = part.indexOf(" = ");
    return at === -1 ? [] : [[part.slice(0, at), part.slice(at + 3)]];
  });
  return { table, columns: own.trim().split(" | "), shared };
}
