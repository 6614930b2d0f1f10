import { stripTypeScriptTypes } from "node:module";
import { parseAst } from "vitest/node";

/** A mistake that was made from the syntax of a file. */
export interface MadeMutant {
  readonly file: string;
  readonly line: number;
  /** The text of that line. */
  readonly lineText: string;
  /** The rule that it was made by. */
  readonly rule: string;
  readonly original: string;
  readonly replacement: string;
  /** The file with the mistake in it. */
  readonly text: string;
}

/** A file in which each of its mutants can be switched on while it runs. */
export interface SwitchedFile {
  readonly text: string;
  readonly mutants: readonly MadeMutant[];
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Change {
  readonly rule: string;
  readonly replacement: string;
}

/**
 * Makes the mutants of a file. The number of a mutant among all is `first` and its place in the list.
 * Only what runs within a function is changed: the rest has run before a mutant is switched on.
 */
export function makeMutants(file: string, source: string, first: number): SwitchedFile {
  const writer = new SwitchWriter(file, source, first);
  // Types leave white space behind: every place is where it was.
  const program: unknown = parseAst(stripTypeScriptTypes(source));
  if (!isNode(program)) throw new TypeError(`Cannot read the syntax of ${file}`);
  return { text: writer.write(program), mutants: writer.mutants };
}

/** Writes a file again, with a question to the switch at each place that can be wrong. */
class SwitchWriter {
  readonly mutants: MadeMutant[] = [];
  readonly #file: string;
  readonly #source: string;
  readonly #lines: readonly string[];
  readonly #first: number;
  #depth = 0;

  constructor(file: string, source: string, first: number) {
    this.#file = file;
    this.#source = source;
    this.#lines = source.split("\n");
    this.#first = first;
  }

  write(node: SyntaxNode, isSpine = false): string {
    if (node.type === "ImportDeclaration") return this.#read(node);
    const isFunction = node.type.includes("Function");
    // The spine of `a?.b.c()` ends as a whole where `a` is missing: no part of it stands in brackets.
    const changes = this.#depth === 0 || isSpine ? [] : listChanges(node, (one) => this.#read(one));
    const numbers = changes.map((change) => this.#add(node, change));
    if (isFunction) this.#depth += 1;
    const own = this.#writeChildren(node, isSpine || node.type === "ChainExpression");
    if (isFunction) this.#depth -= 1;
    return changes.reduceRight(
      (text, { replacement }, at) => `(__mutant(${numbers[at]})?(${replacement}):(${text}))`,
      own,
    );
  }

  #writeChildren(node: SyntaxNode, isChain: boolean): string {
    const spine = new Set([node["expression"], node["callee"], node["object"]]);
    const parts: string[] = [];
    let at = node.start;
    for (const child of listChildren(node)) {
      parts.push(this.#source.slice(at, child.start));
      parts.push(this.#writeChild(node, child, isChain && spine.has(child)));
      at = child.end;
    }
    parts.push(this.#source.slice(at, node.end));
    return parts.join("");
  }

  #writeChild(parent: SyntaxNode, child: SyntaxNode, isSpine: boolean): string {
    const isBody = parent.type.includes("Function") && parent["body"] === child;
    if (isBody && child.type === "BlockStatement") {
      const number = this.#add(child, { rule: "empty body", replacement: "{}" });
      return `{ if (!__mutant(${number})) ${this.write(child)} }`;
    }
    if (isBody) {
      const number = this.#add(child, { rule: "empty body", replacement: "undefined" });
      return `(__mutant(${number})?undefined:(${this.write(child)}))`;
    }
    if (parent.type === "IfStatement" && parent["test"] === child) {
      const numbers = ["true", "false"].map((replacement) =>
        this.#add(child, { rule: "condition", replacement }),
      );
      const [always, never] = numbers;
      return `(__mutant(${always})||(!__mutant(${never})&&(${this.write(child)})))`;
    }
    if (parent.type === "TaggedTemplateExpression") return this.write(child, true);
    if (parent.type === "ExpressionStatement" && this.#depth > 0) {
      const number = this.#add(child, { rule: "dropped statement", replacement: "undefined" });
      return `(__mutant(${number})?undefined:(${this.write(child, isSpine)}))`;
    }
    if (parent.type === "ObjectExpression" && this.#depth > 0) {
      return this.#writeProperty(child);
    }
    return this.write(child, isSpine);
  }

  /** A property can be left out: `...(on ? {} : { name: value })`. */
  #writeProperty(property: SyntaxNode): string {
    const number = this.#add(property, { rule: "dropped property", replacement: "...{}" });
    const whole = this.write(property);
    return `...(__mutant(${number})?{}:{${whole}})`;
  }

  #add(node: SyntaxNode, { rule, replacement }: Change): number {
    const [before, after] = [this.#source.slice(0, node.start), this.#source.slice(node.end)];
    const line = before.split("\n").length;
    this.mutants.push({
      file: this.#file,
      line,
      lineText: this.#lines[line - 1]?.trim() ?? "",
      rule,
      original: this.#read(node),
      replacement,
      text: `${before}${replacement}${after}`,
    });
    return this.#first + this.mutants.length - 1;
  }

  #read({ start, end }: SyntaxNode): string {
    return this.#source.slice(start, end);
  }
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "&&": ["||"],
  "||": ["&&"],
};

/** Calls that are left out, or take the place of one another. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["filter", ""],
  ["toSorted", ""],
  ["toReversed", ""],
  ["slice", ""],
  ["trim", ""],
  ["some", "every"],
  ["every", "some"],
  ["find", "findLast"],
  ["findLast", "find"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
]);

/** Lists the wrong expressions that can stand in the place of one. */
function listChanges(node: SyntaxNode, read: (node: SyntaxNode) => string): readonly Change[] {
  const whole = read(node);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const { left, right, operator } = node;
      if (!isNode(left) || !isNode(right) || typeof operator !== "string") return [];
      if (operator === "??") return [createChange("always the fallback", read(right))];
      const others = OPERATORS[operator] ?? [];
      return others.map((other) =>
        createChange("operator", `(${read(left)}) ${other} (${read(right)})`),
      );
    }
    case "UnaryExpression": {
      const { argument } = node;
      return node["operator"] === "!" && isNode(argument)
        ? [createChange("negation", read(argument))]
        : [];
    }
    case "ConditionalExpression": {
      const { consequent, alternate } = node;
      if (!isNode(consequent) || !isNode(alternate)) return [];
      return [
        createChange("condition", read(consequent)),
        createChange("condition", read(alternate)),
      ];
    }
    case "CallExpression":
      return changeCall(node, read);
    case "Literal": {
      const { value } = node;
      if (typeof value === "boolean") return [createChange("boolean", String(!value))];
      if (typeof value === "number") return [createChange("off by one", String(value + 1))];
      return typeof value === "string" && value !== "" ? [createChange("text", '""')] : [];
    }
    case "TemplateLiteral":
      return whole === "``" ? [] : [createChange("text", '""')];
    case "ArrayExpression":
      return whole === "[]" ? [] : [createChange("empty list", "[]")];
    default:
      return [];
  }
}

function createChange(rule: string, replacement: string): Change {
  return { rule, replacement };
}

function changeCall({ callee, ...node }: SyntaxNode, read: (node: SyntaxNode) => string): Change[] {
  if (!isNode(callee) || callee.type !== "MemberExpression") return [];
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property)) return [];
  const name = read(property);
  const other = METHODS.get(name);
  if (other === undefined) return [];
  if (other === "") return [{ rule: `no ${name}`, replacement: read(object) }];
  const args = Array.isArray(node["arguments"]) ? node["arguments"].filter(isNode) : [];
  const given = args.map(read).join(", ");
  return [{ rule: other, replacement: `${read(object)}.${other}(${given})` }];
}

function listChildren(node: SyntaxNode): readonly SyntaxNode[] {
  const isPlainKey = (field: string): boolean =>
    (field === "key" || field === "property") && node["computed"] !== true;
  const isPattern = node.type === "Property" && node["shorthand"] === true;
  const fields = Object.entries(node).filter(
    ([field]) => !isPlainKey(field) && !(isPattern && field === "key") && field !== "quasis",
  );
  return fields
    .flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .toSorted((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
