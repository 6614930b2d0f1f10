import { nameTableTool, DELETE_TOOL } from "../../domain/table-tools/tool-names.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { ModelAnswer, ModelRequest, ToolCall } from "../../state/model.ts";
import { SMALL_TALK, type Brief, type StepBrief, type MadeUpRow } from "./brief.ts";
import { Shown } from "./shown.ts";

/** The answer of a model, as far as its node reads it. */
export type OracleAnswer = Partial<Pick<ModelAnswer, "text" | "json" | "toolCalls">>;

/** Labels, count and values that a reply has taken from its prompt. */
export interface UsedFacts {
  readonly labels: readonly string[];
  readonly count: number | null;
  readonly values: readonly string[];
}

/** The five roles of honest models. They are handed an intent with its labels and look up all else in the request. */
export class Oracle {
  brief: Brief = SMALL_TALK;
  used: UsedFacts | null = null;
  #proposed: readonly StepBrief[] = [];
  readonly #givesCalls: boolean;
  readonly #typeParts: ReadonlyMap<EntityType, string>;

  /** With `givesCalls` it plans the calls of its steps, as far as it knows them. */
  constructor(types: readonly EntityType[], givesCalls: boolean) {
    this.#givesCalls = givesCalls;
    this.#typeParts = new Map(types.map((type) => [type, `${type.type}_part`]));
  }

  /** Begins a turn. */
  begin(brief: Brief): void {
    this.brief = brief;
    this.used = null;
  }

  answer(request: ModelRequest): OracleAnswer {
    const shown = new Shown(request);
    switch (request.role) {
      case "understand":
        return { json: this.#understand(shown) };
      case "think":
        return { json: this.#think(shown) };
      case "act":
        return { toolCalls: this.#act(shown) };
      case "reply":
        return { text: this.#reply(shown) };
      case "summarize":
        return request.schema === null ? { text: "Nothing of note." } : { json: NARRATIVE };
      case "concierge":
      case "expert":
      case "mapper":
        throw new RangeError(
          `Cannot answer for "${request.role}": the concierge lane is not played`,
        );
    }
    return request.role satisfies never;
  }

  #understand(shown: Shown): JsonObject {
    const { references, exclude, restore, reason, look, topic, answers, undo, wish } = this.brief;
    const { place } = this.brief;
    // By its number alone, and nothing else that may be known of it.
    const findRef = ({ label }: MadeUpRow): string =>
      place === null ? shown.requireRef(label) : shown.requireListed(place);
    const decide = (things: readonly MadeUpRow[]): Json[] =>
      things.map((thing) => ({ ref: findRef(thing), reason }));
    const curation = {
      retain: [],
      demote: decide(exclude),
      restore: decide(restore),
      drop: [],
      clearAll: false,
      summary: null,
    };
    return {
      reasoning: "It says so.",
      references: references.map((thing) => ({ text: thing.label, ref: findRef(thing) })),
      constraints: wish === null ? [] : [{ ...wish }],
      ...this.#need(look),
      extras: {
        expressed: look === null && this.brief.decision === "answer" ? "Wants something" : null,
        answersPending: answers,
        curation: exclude.length + restore.length === 0 ? null : curation,
        advice: null,
        rare: {
          clarification: null,
          undo: undo ? { effects: [] } : null,
          topic: topic === null ? null : shown.choiceId(topic),
          meta: "none",
          metaBatch: null,
          language: null,
        },
      },
    };
  }

  #need(look: EntityType | null): JsonObject {
    const { decision, steps, undo, answers } = this.brief;
    const changes = new Set(["create", "save", "update", "delete"]);
    const isChange =
      undo || answers === "accept" || steps.some(({ work }) => changes.has(work.kind));
    const other = look !== null ? "look" : decision === "answer" ? "talk" : "work";
    return {
      needs: isChange ? "change" : other,
      look: look === null ? null : { type: look.type, refs: [], all: false, where: [] },
    };
  }

  #think(shown: Shown): JsonObject {
    const { decision, steps, goal } = this.brief;
    if (decision === "propose") this.#proposed = steps;
    const calls = this.#givesCalls
      ? steps.flatMap((each, index) => this.#planCall(each, index, shown) ?? [])
      : [];
    return {
      reasoning: "It was asked for.",
      goal,
      decision,
      steps: steps.map((each, index) => this.#planStep(each, index, shown)),
      calls,
      asks: decision === "propose" ? ["Shall I change it?"] : [],
    };
  }

  #planStep(step: StepBrief, index: number, shown: Shown): JsonObject {
    const { type, work, about } = step;
    const isFound = this.brief.steps.some((other) => other.work.kind === "find");
    const refs = isFound ? [] : about.map(({ label }) => shown.requireRef(label));
    const base = { subdomain: this.#part(type), group: index + 1, refs, description: work.kind };
    const write = (action: string, written: readonly string[]): JsonObject => ({
      ...base,
      stepType: "write",
      writes: [{ action, type: type.type, refs: [...written] }],
    });
    switch (work.kind) {
      case "read":
      case "find":
        return { ...base, stepType: "read", writes: [] };
      case "judge":
        return { ...base, stepType: "analyze", writes: [] };
      case "draft":
      case "redraft":
        return { ...base, stepType: "generate", writes: [] };
      case "create":
      case "save":
        return write("create", []);
      case "update":
        return write("update", refs);
      case "delete":
        return write("delete", refs);
    }
    return work satisfies never;
  }

  /** Returns the call that does the work of a step; null where only its model can know it. */
  #planCall({ type, work, about }: StepBrief, step: number, shown: Shown): JsonObject | null {
    const isFound = this.brief.steps.some((other) => other.work.kind === "find");
    const call = (action: string, given: JsonObject = {}): JsonObject => {
      const nothing = { refs: [], find: null, set: null };
      return { do: action, step, type: type.type, ...nothing, ...given };
    };
    if (work.kind === "read") return call("read");
    if (work.kind === "find")
      return call("read", {
        find: { all: true, where: [{ column: "name", op: "=", value: work.thing.label }] },
      });
    if (isFound) return null;
    switch (work.kind) {
      case "create":
        return call("create", { set: toSet(this.#row(type, work.values, shown)) });
      case "save":
        return call("create", { refs: [shown.requireRef(work.draft.label)] });
      case "update": {
        const refs = about.map(({ label }) => shown.requireRef(label));
        return call("update", { refs, set: toSet({ [work.column]: work.value }) });
      }
      case "delete":
        return call("delete", { refs: about.map(({ label }) => shown.requireRef(label)) });
      case "judge":
      case "draft":
      case "redraft":
        return null;
    }
    return work satisfies never;
  }

  #act(shown: Shown): ToolCall[] {
    const [, number = "1"] = /^Step (\d+) of \d+ \(/mu.exec(shown.section(HEADINGS.step)) ?? [];
    const steps = this.brief.answers === "accept" ? this.#proposed : this.brief.steps;
    // A look has one step, and no plan of Think's.
    const step = steps[Number(number) - 1];
    const { look } = this.brief;
    const work = step?.work ?? { kind: "read" as const };
    const type = step?.type ?? look;
    if (type === null) throw shown.missing("a step that was planned");
    const refs = (step?.about ?? []).map(({ label }) => this.#findStepRef(label, shown));
    const complete = (more: JsonObject = {}, about: readonly string[] = refs): ToolCall =>
      call("complete_step", {
        resultSummary: "As asked",
        noteForNextStep: null,
        refs: [...about],
        ...more,
      });
    switch (work.kind) {
      case "read":
        return [call(nameTableTool("read", type), READ_ALL)];
      case "find": {
        const where = [{ column: "name", op: "=", value: work.thing.label }];
        return [call(nameTableTool("read", type), { ...READ_ALL, where, whole: true })];
      }
      case "judge": {
        const kept = (step?.about ?? []).filter(({ label }) =>
          work.keeps(shown.readValue(label, work.column)),
        );
        const left = kept.map(({ label }) => shown.requireRef(label));
        return [complete({ resultSummary: `${left.length} fit` }, left)];
      }
      case "create": {
        const row = this.#row(type, work.values, shown);
        return [call(nameTableTool("create", type), { rows: [row], drafts: [] }), complete()];
      }
      case "save":
        return [
          call(nameTableTool("create", type), {
            rows: [],
            drafts: [shown.requireRef(work.draft.label)],
          }),
          complete(),
        ];
      case "update":
        return [
          call(nameTableTool("update", type), { refs, ...toPatch(type, work.column, work.value) }),
          complete(),
        ];
      case "delete":
        return [call(DELETE_TOOL, { refs, all: null }), complete()];
      case "draft": {
        const artifacts = work.drafts.map((values) => ({
          ref: null,
          set: this.#row(type, values, shown),
          clear: [],
        }));
        return [complete({ artifacts })];
      }
      case "redraft": {
        const ref = shown.requireRef(work.draft.label);
        return [complete({ artifacts: [{ ref, ...toPatch(type, work.column, work.value) }] })];
      }
    }
    return work satisfies never;
  }

  /** The ref of what a step is about: its prompt shows it, or the step before has found it. */
  #findStepRef(label: string, shown: Shown): string {
    const isFound = this.brief.steps.some(({ work }) => work.kind === "find");
    const [found] = isFound ? shown.refsBefore() : [];
    return found ?? shown.requireRef(label);
  }

  #row({ columns }: EntityType, values: JsonObject, shown: Shown): JsonObject {
    const entries = columns.map(({ name, kind, references }): [string, Json] => {
      const value = values[name] ?? null;
      if (references !== undefined && typeof value === "string")
        return [name, shown.requireRef(value)];
      return [name, kind === "tags" && value === null ? [] : value];
    });
    return Object.fromEntries(entries);
  }

  #reply(shown: Shown): string {
    const used = this.#lookUp(shown);
    this.used = used;
    const { labels, count, values } = used;
    const lead = count === null ? "Here you are" : `${count} to choose from`;
    const { kind } = this.brief.reply;
    // Lists that are chosen from are numbered; a text stands between two that are not.
    const isNumbered = kind === "left" || kind === "out";
    const lines = labels.map((label, index) => {
      const mark = isNumbered ? `${index + 1}.` : "-";
      return values[index] === undefined
        ? `${mark} ${label}`
        : `${mark} ${label}: ${values[index]}`;
    });
    return [`${lead}.`, ...lines].join("\n");
  }

  #lookUp(shown: Shown): UsedFacts {
    const { reply } = this.brief;
    switch (reply.kind) {
      case "left": {
        const { labels, count } = shown.left;
        return { labels, count, values: [] };
      }
      case "rows":
        return { labels: shown.listRows(reply.type.table), count: null, values: [] };
      case "values": {
        const labels = reply.things.map(({ label }) => label);
        const values = labels.map((label) => shown.readValue(label, reply.column));
        return { labels, count: null, values };
      }
      case "why": {
        const { label } = reply.thing;
        return { labels: [label], count: null, values: [shown.reasonFor(label)] };
      }
      case "out":
        return { labels: shown.leftOut, count: null, values: [] };
      case "said":
        return { labels: [shown.requireSaid(reply.words)], count: null, values: [] };
      case "drafts":
        return { labels: shown.labelsIn(HEADINGS.drafts), count: null, values: [] };
      // What was stored stands above the reply already.
      case "stored":
      case "talk":
        return { labels: [], count: null, values: [] };
    }
    return reply satisfies never;
  }

  #part(type: EntityType): string {
    return this.#typeParts.get(type) ?? "";
  }
}

const READ_ALL = {
  refs: [],
  where: [],
  anyOf: [],
  whole: null,
  orderBy: null,
  limit: null,
  after: null,
} satisfies JsonObject;

const NARRATIVE = {
  responseSummary: "Answered",
} satisfies JsonObject;

function call(name: string, args: JsonObject): ToolCall {
  return { id: `call_${name}`, name, args, argsError: null };
}

function toPatch({ columns }: EntityType, column: string, value: Json): JsonObject {
  const set = columns.map(({ name }): [string, Json] => [name, name === column ? value : null]);
  return { set: Object.fromEntries(set), clear: value === null ? [column] : [] };
}

/** The values of a row, as a planned call gives them. */
function toSet(values: JsonObject): JsonObject {
  return { columns: Object.keys(values), rows: [Object.values(values)] };
}
