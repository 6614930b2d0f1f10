import { foldRegistry } from "../../registry/apply-event.ts";
import { toRegistryEvents } from "../../registry/outcome-events.ts";
import { renderOutcome, summariseOutcome } from "../../registry/render-outcome.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry } from "../../state/registry.ts";
import type { ToolOutcome, ToolWrite } from "../../state/tool.ts";
import { clipTo, foldRefs, joinShown } from "./expected-sections.ts";
import { makeWord, toText } from "./made-up-domain.ts";
import { judgeNumbering } from "./judge-numbering.ts";
import { judgeRowShares } from "./judge-row-shares.ts";
import { Numbers } from "./numbers.ts";
import { GROUP, ITEM } from "./sample-types.ts";
import { compare, violation, type Violation } from "./violation.ts";

/** The state that a domain's own tool finds. */
export interface OutcomeContext {
  readonly registry: Registry;
  readonly types: readonly EntityType[];
  readonly countTokens: CountTokens;
  readonly turn: number;
}

/** A row that a tool gives, and what its reader has to see of it. */
interface Sample {
  readonly row: EntityRow;
  readonly ref: string;
  /** Columns and lists by name; empty ones stand for nothing. */
  readonly cells: ReadonlyMap<string, string>;
  /** Lists as they stand in a row that is written field by field. */
  readonly lists: readonly string[];
  readonly isWhole: boolean;
  readonly isExcluded: boolean;
}

/** 2, 9: a tool's reader sees every row, list, write, failure and remark of its outcome, and no id. */
export function judgeOutcomes(context: OutcomeContext): Violation[] {
  return new MadeUpOutcome(context).judge();
}

/** An outcome of a tool, made from the turn. */
class MadeUpOutcome {
  readonly #context: OutcomeContext;
  readonly #numbers: Numbers;
  readonly #types: readonly EntityType[];
  #lastId = 0;

  constructor(context: OutcomeContext) {
    const { turn, registry, types } = context;
    this.#context = context;
    this.#numbers = new Numbers(turn * 1_000 + registry.entries.length);
    this.#types = [...types, GROUP, ITEM];
  }

  judge(): Violation[] {
    const numbers = this.#numbers;
    const items = Array.from({ length: 2 + numbers.below(4) }, () => this.#makeItem());
    // Of the last one only its label is known.
    const listed = items.slice(0, -1);
    const groups = this.#makeGroups(items);
    const rows = groups.map(({ row }) => row);
    const more = numbers.below(3);
    const suppressed = numbers.below(3) === 0;
    const written = this.#makeWrites();
    const outcome: ToolOutcome = {
      reads: [
        {
          type: GROUP.type,
          ids: rows.map(({ id }) => id),
          rows,
          detail: "full",
          total: rows.length + more,
          suppressed,
        },
      ],
      writes: written,
      undescribed: numbers.below(3),
      failures: this.#makeFailures(),
      warnings: numbers.below(2) === 0 ? [] : [`${makeWord(numbers)}  of ${rows[0]?.id} is low`],
      listed: [{ type: ITEM.type, rows: listed }],
      linked: [{ type: ITEM.type, rows: items.slice(-1) }],
      text: numbers.below(2) === 0 ? null : `<<<see ${rows[0]?.id} and ${UNKNOWN}`,
    };
    const { turn } = this.#context;
    const met = foldRegistry(
      this.#context.registry,
      toRegistryEvents(outcome, { turn }),
      this.#types,
    );
    const out = groups.filter(({ isExcluded }) => isExcluded);
    const demote = out.map(({ ref }) => ({ ref, reason: "unwanted" }));
    const curation = { retain: [], restore: [], drop: [], clearAll: false, summary: null, demote };
    const registry = foldRegistry(met, [{ kind: "curated", turn, curation }], this.#types);
    const seen = out.length === groups.length ? groups : groups.filter((one) => !out.includes(one));
    const options = {
      types: this.#types,
      findReader: (type: string) => (type === GROUP.type ? "read_groups" : null),
      countTokens: this.#context.countTokens,
    };
    const rendered = renderOutcome(outcome, { ...options, registry, budget: 100_000 });
    const lines = this.#writeLines(outcome, { groups, seen, items });
    const text = joinShown([...lines, writeRows(seen), writeRest(more, seen.at(-1)?.ref)]);
    return [
      ...compare("2 tool message", text, rendered),
      ...compare(
        "2 tool summary",
        this.#summarise(outcome),
        summariseOutcome(outcome, this.#types),
      ),
      ...this.#judgeTextAlone(outcome),
      ...judgeNumbering(numbers, turn),
      ...judgeRowShares(this.#context),
      ...judgeRoom(registry, seen, {
        ...options,
        refs: [...seen, ...seen].map(({ ref }) => ref),
        named: seen.slice(-1).map(({ ref }) => ref),
        unread: new Map([[GROUP.type, more]]),
      }),
    ];
  }

  /** The outcome on one line, for those who read of the turn later. */
  #summarise({ reads, writes, undescribed, failures, text }: ToolOutcome): string {
    const found = reads.map(({ ids, total }) => {
      const words = ids.length === 1 ? "1 group" : `${ids.length} groups`;
      return total > ids.length ? `Found ${words} of ${total}` : `Found ${words}`;
    });
    const actions = writes.map(({ action }) => action);
    const changed = actions.flatMap((action, at) => {
      if (at > 0 && actions[at - 1] === action) return [];
      const rest = actions.slice(at).findIndex((other) => other !== action);
      const count = rest === -1 ? actions.length - at : rest;
      const lead = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
      return [`${lead} ${count} ${count === 1 ? "item" : "items"}`];
    });
    const others = `Changed ${undescribed} ${undescribed === 1 ? "entry" : "entries"} of other data`;
    const reasons = failures.map(({ label, reason }) => `${label} (${clipTo(reason, 200)})`);
    const parts = [
      ...found,
      ...changed,
      ...(undescribed === 0 ? [] : [others]),
      ...(failures.length === 0 ? [] : [`${failures.length} not done: ${reasons.join(", ")}`]),
    ];
    const whole = parts.length === 0 ? (text ?? "") : parts.join("; ");
    const shown = whole.replaceAll(/5eed[-0-9a-f]{32}/gu, "[id]").replaceAll("<<<", "‹‹‹");
    return clipTo(shown, 400);
  }

  /** Of an outcome without rows its text is the summary. */
  #judgeTextAlone({ text, ...outcome }: ToolOutcome): Violation[] {
    const alone = { ...outcome, reads: [], writes: [], undescribed: 0, failures: [], text };
    return compare(
      "2 tool summary of a text",
      this.#summarise(alone),
      summariseOutcome(alone, this.#types),
    );
  }

  #makeId(): string {
    this.#lastId += 1;
    return `5eed0000-0000-4000-9000-${toText(this.#lastId).padStart(12, "0")}`;
  }

  #makeItem(): EntityRow {
    const numbers = this.#numbers;
    const size = numbers.below(3) === 0 ? null : numbers.below(9);
    const ready = numbers.pick([true, false, null]);
    const values = { name: makeWord(numbers), size, ready, group_id: null };
    return { id: this.#makeId(), rowVersion: 1, values };
  }

  #makeGroups(items: readonly EntityRow[]): readonly Sample[] {
    const numbers = this.#numbers;
    const isPlain = numbers.below(2) === 0;
    const kind = numbers.pick([null, makeWord(numbers)]);
    return Array.from({ length: 1 + numbers.below(7) }, (_, index) => {
      const at = numbers.below(items.length + 2);
      const owner = items[at]?.id ?? (at === items.length ? UNKNOWN : null);
      const name = `${makeWord(numbers)}|${index}`;
      const isLong = !isPlain && numbers.below(3) === 0;
      const note = numbers.pick([null, makeWord(numbers, isLong ? 60 : 2), "one\ntwo", ...LONGEST]);
      const marks = Array.from({ length: numbers.below(3) }, () => makeWord(numbers));
      const parts = this.#makeParts(items, isPlain);
      const members = this.#makeMembers(items, { isPlain, ref: `sample_group_${index + 1}` });
      const shape = { a: numbers.below(9), b: null };
      const plain = { name, kind, marks, shape, secret: "x" };
      const values = { ...plain, owner, note: isPlain ? kind : note };
      const long = !isPlain && note !== null && (note.length > 100 || note.includes("\n"));
      const ownerItem = items.find(({ id }) => id === owner);
      const cells = new Map([
        ["name", name],
        ["note", values.note ?? ""],
        ["kind", kind ?? ""],
        ["owner", ownerItem === undefined ? "" : nameItem(ownerItem, items)],
        ["marks", marks.join(", ")],
        ["shape", `a: ${shape.a}`],
        ["parts", parts.cell],
        ["members", members.cell],
      ]);
      return {
        row: {
          id: this.#makeId(),
          rowVersion: 1,
          values: { ...values, parts: parts.value, members: members.value },
        },
        ref: `sample_group_${index + 1}`,
        cells,
        lists: [...parts.lines, ...members.lines],
        isWhole: long || parts.isWhole || members.isWhole,
        isExcluded: numbers.below(5) === 0,
      };
    });
  }

  /** The items of a list without refs: with values, with names alone, or only their number. */
  #makeParts(items: readonly EntityRow[], isPlain: boolean): SampleList {
    const numbers = this.#numbers;
    const count = 1 + numbers.below(3);
    const form = numbers.below(isPlain ? 4 : 5);
    if (form === 0) return { ...NO_LIST, value: [] };
    if (form === 1) {
      return { ...NO_LIST, value: count, cell: `${count}`, lines: [`  parts: ${count}`] };
    }
    const maker = items[numbers.below(2) * items.length] ?? null;
    const parts = Array.from({ length: count }, (_, index) => ({
      name: makeWord(numbers),
      amount: form === 4 && index === 0 ? numbers.below(9) : null,
      fresh: form === 4 && numbers.below(2) === 0,
      maker: form === 4 && maker !== null ? maker.id : null,
    }));
    const names = parts.map(({ name }) => name).join(", ");
    if (form === 2 || form === 3) {
      const value: Json = form === 2 ? parts.map(({ name }) => name) : parts;
      return { ...NO_LIST, value, cell: names, lines: [`  parts (${count}): ${names}`] };
    }
    const shown = parts.map(({ name, amount, fresh }) =>
      [
        `name ${name}`,
        ...(amount === null ? [] : [`amount ${amount}`]),
        ...(fresh ? ["fresh"] : []),
        ...(maker === null ? [] : [`maker ${nameItem(maker, items)}`]),
      ].join(", "),
    );
    const text = shown.join("; ");
    return { value: parts, cell: text, lines: [`  parts (${count}): ${text}`], isWhole: true };
  }

  /** The rows of a list that have refs: the first of them, and how many there are. */
  #makeMembers(
    items: readonly EntityRow[],
    { isPlain, ref }: { readonly isPlain: boolean; readonly ref: string },
  ): SampleList {
    const numbers = this.#numbers;
    const form = numbers.below(3);
    if (form === 0) return { ...NO_LIST, value: null };
    // Of the last item no row is held.
    const own = isPlain ? items.slice(-1) : items.slice(form === 1 ? 0 : -1);
    const left = numbers.below(3);
    const value = { total: own.length + left, ids: [...own.map(({ id }) => id), UNKNOWN] };
    const shown = own.map((item) => {
      const { name, size, ready } = item.values;
      const isHeld = item !== items.at(-1);
      const facts = [
        `name ${toText(name)}`,
        ...(size === null ? [] : [`size ${toText(size)}`]),
        ...(ready === true ? ["ready"] : []),
      ].join(", ");
      return `${refItem(item, items)} (${isHeld ? facts : toText(name)})`;
    });
    const count = left === 0 ? `${value.total}` : `${value.total}, first ${own.length}`;
    const text = shown.join("; ");
    const words = left === 1 ? "1 more item" : `${left} more items`;
    return {
      value,
      cell: left === 0 ? text : `${count}: ${text}`,
      lines: [`  members (${count}): ${text}`, ...(left === 0 ? [] : [`    ${words} of ${ref}`])],
      isWhole: own.length > 1,
    };
  }

  #makeWrites(): ToolWrite[] {
    const numbers = this.#numbers;
    const action = numbers.pick<ToolWrite["action"]>(["created", "updated", "deleted"]);
    const writes = Array.from({ length: numbers.below(12) }, () => this.#makeItem());
    const other = numbers.below(2) === 0 ? [this.#makeItem()] : [];
    return [
      ...writes.map((row) => toWrite(row, action)),
      ...other.map((row) => toWrite(row, "updated")),
    ];
  }

  #makeFailures(): ToolOutcome["failures"] {
    const numbers = this.#numbers;
    const known = this.#context.registry.entries.at(-1)?.ref ?? null;
    const all = [
      { label: "Velmor", ref: null, reason: makeWord(numbers, 90) },
      { label: known ?? "Solun", ref: known, reason: `of ${UNKNOWN} ${makeWord(numbers, 90)}` },
      { label: "Tarin", ref: known, reason: "too  late" },
    ];
    return all.filter(() => numbers.below(3) === 0);
  }

  #writtenRefs(writes: readonly ToolWrite[], items: number): string[] {
    return writes.map((_, index) => `si_${items + 1 + index}`);
  }

  #writeLines(
    { reads: [read], writes, undescribed, failures, warnings, text }: ToolOutcome,
    { groups, seen, items }: Seen,
  ): string[] {
    const out = groups.length - seen.length;
    const notes = [
      ...(read?.suppressed === true
        ? [`unchanged since turn ${this.#context.turn}, from memory`]
        : []),
      ...(out > 0 ? [`${out} excluded earlier, not shown`] : []),
    ];
    const words = groups.length === 1 ? "1 group" : `${groups.length} groups`;
    const of = (read?.total ?? 0) > groups.length ? ` of ${read?.total}` : "";
    const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
    const hide = (line: string): string =>
      line
        .replaceAll(groups[0]?.row.id ?? "", groups[0]?.ref ?? "")
        .replaceAll(UNKNOWN, "[id]")
        .replaceAll("<<<", "‹‹‹")
        .replaceAll("  ", " ");
    return [
      `Found ${words}${of}${note}: ${foldRefs(seen.map(({ ref }) => ref))}`,
      ...writeWrites(writes, this.#writtenRefs(writes, items.length)),
      ...(undescribed === 0
        ? []
        : [`Changed ${undescribed} ${undescribed === 1 ? "entry" : "entries"} of other data`]),
      ...failures.map(({ ref, label, reason }) => {
        const name = [ref, label === ref ? null : label].filter((part) => part !== null);
        return hide(`Not done: ${name.join(" ")} (${clipTo(reason, 200)})`);
      }),
      ...warnings.map((warning) => hide(`Note: ${warning}.`)),
      hide(text ?? ""),
    ];
  }
}

/** The longest text that a table of rows holds, and one that is longer. */
const LONGEST = ["x".repeat(100), "x".repeat(101)] as const;

/** An id of a row that the conversation does not know. */
const UNKNOWN = "5eed0000-0000-4000-9000-999999999999";

interface Seen {
  readonly groups: readonly Sample[];
  readonly seen: readonly Sample[];
  readonly items: readonly EntityRow[];
}

interface SampleList {
  readonly value: Json;
  readonly cell: string;
  readonly lines: readonly string[];
  readonly isWhole: boolean;
}

const NO_LIST: Omit<SampleList, "value"> = { cell: "", lines: [], isWhole: false };

function toWrite(row: EntityRow, action: ToolWrite["action"]): ToolWrite {
  return { type: ITEM.type, action, row, draft: null, follows: false, change: null };
}

function refItem(item: EntityRow, items: readonly EntityRow[]): string {
  return `si_${items.indexOf(item) + 1}`;
}

function nameItem(item: EntityRow, items: readonly EntityRow[]): string {
  return `${refItem(item, items)} (${toText(item.values["name"])})`;
}

/** Neighbouring writes of one kind are named up to eight, else counted. */
function writeWrites(writes: readonly ToolWrite[], refs: readonly string[]): string[] {
  const split = writes.findIndex(({ action }) => action !== writes[0]?.action);
  const end = split === -1 ? writes.length : split;
  return [[0, end] as const, [end, writes.length] as const].flatMap(([from, to]) => {
    const own = writes.slice(from, to);
    const action = own[0]?.action ?? "created";
    const lead = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
    if (own.length > 8) return [`${lead} ${own.length} items: ${foldRefs(refs.slice(from, to))}`];
    return own.map(({ row: { values } }, index) => {
      const facts = values["size"] === null ? "" : `: size ${toText(values["size"])}`;
      return `${lead} ${refs[from + index]} ${toText(values["name"])}${facts}`;
    });
  });
}

/** Rows as they have to stand: small ones in tables, what three or more share in the head, others field by field. */
function writeRows(samples: readonly Sample[]): string {
  const runs: Sample[][] = [];
  for (const one of samples) {
    const run = runs.at(-1);
    if (run?.[0]?.isWhole === one.isWhole) run.push(one);
    else runs.push([one]);
  }
  return runs
    .map((run) => (run[0]?.isWhole === true ? run.map(writeFields).join("\n") : writeTable(run)))
    .join("\n");
}

function writeFields({ ref, cells, lists }: Sample): string {
  const fields = [...cells].flatMap(([name, text]) => {
    if (text === "" || name === "parts" || name === "members") return [];
    return text.includes("\n")
      ? `  ${name}:\n    ${text.replaceAll("\n", "\n    ")}`
      : `  ${name}: ${text}`;
  });
  return [ref, ...fields, ...lists].join("\n");
}

function writeTable(samples: readonly Sample[]): string {
  const names = [...(samples[0]?.cells.keys() ?? [])];
  const columns = names
    .map((name): OutcomeColumn => ({
      name,
      cells: samples.map(({ cells }) => (cells.get(name) ?? "").replaceAll("|", "/")),
    }))
    .filter(({ cells }) => cells.join("") !== "");
  const own = columns.filter((column) => !isShared(column));
  const all = columns
    .filter(isShared)
    .map(({ name, cells: [cell] }) => `${name} = ${cell}`)
    .join(", ");
  const head = `groups: ${own.map(({ name }) => name).join(" | ")}${all === "" ? "" : ` (all: ${all})`}`;
  const lines = samples.map(({ ref }, index) =>
    [ref, ...own.map(({ cells }) => cells[index] ?? "")].join(" | ").replace(/[ |]+$/u, ""),
  );
  return [head, ...lines].join("\n");
}

/** A column, with its cell of each sample. */
interface OutcomeColumn {
  readonly name: string;
  readonly cells: readonly string[];
}

function isShared({ cells }: OutcomeColumn): boolean {
  return cells.length > 2 && new Set(cells).size === 1;
}

function writeRest(count: number, after: string | undefined): string {
  if (count === 0) return "";
  const place = after === undefined ? "" : `, after ${after}`;
  return `${count} more ${count === 1 ? "group" : "groups"}: read_groups${place}`;
}

/** 9: with little room the rows that are named come first, and what is left out is shortened or counted. */
function judgeRoom(
  registry: Registry,
  seen: readonly Sample[],
  options: Omit<Parameters<typeof renderRows>[1], "budget">,
): Violation[] {
  const { countTokens, unread } = options;
  const whole = countTokens(renderRows(registry, { ...options, budget: 100_000 }).text);
  const refs = seen.map(({ ref }) => ref);
  const named = options.named?.[0] ?? "";
  const wrong: Violation[] = [];
  for (const share of [0, 0.3, 0.5, 0.7, 0.9, 1]) {
    const budget = Math.floor(whole * share);
    const { text, shown, more } = renderRows(registry, { ...options, budget });
    const gap = refs.findIndex((ref) => !shown.includes(ref));
    const hidden = refs.length - shown.length;
    const after = gap === -1 ? refs.at(-1) : refs[gap - 1];
    const rest = writeRest(hidden + (unread?.get(GROUP.type) ?? 0), after);
    const tokens = countTokens(text);
    const cut = shown.filter((ref) => {
      const one = seen.find((sample) => sample.ref === ref);
      return one?.isWhole === true && !text.includes(writeFields(one));
    });
    const isFirst = shown.length === 0 || shown.includes(named);
    wrong.push(
      ...(tokens <= budget ? [] : [violation("9 room", `${budget} tokens`, text)]),
      ...(share < 1 || hidden === 0 ? [] : [violation("9 room", "all rows", text)]),
      ...compare("9 room, order", refs.filter((ref) => shown.includes(ref)).join(), shown.join()),
      ...compare("9 room, hidden", toText(hidden), toText(more)),
      ...(shown.length === 0 || text.endsWith(rest) ? [] : [violation("9 room, rest", rest, text)]),
      ...(isFirst ? [] : [violation("9 room, named", named, shown.join())]),
      ...(cut.length === 0 || (cut.length === 1 && (LEFT_OUT.test(text) || budget < 45))
        ? []
        : [violation("9 room, cut", "one row, marked", text)]),
    );
  }
  return wrong;
}

const LEFT_OUT = /\[… [1-9]\d* tokens left out …\]/u;
