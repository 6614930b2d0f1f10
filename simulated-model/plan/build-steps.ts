import type { GivenThinkAnswer, PlannedWrite, PlanStep } from "../../state/plan.ts";
import { toReadCall, type RowCall } from "../../state/row-call.ts";
import {
  type Clause,
  createClause,
  describeClause,
  isChange,
  isMove,
} from "../language/request.ts";
import { belongsTo } from "../prompt/read-entities.ts";
import type { PlanFacts } from "./plan.ts";
import { findTable } from "../prompt/read-tables.ts";
import { createCalls, createLook, hasNames } from "./row-calls.ts";

/** Begins the description of the step that judges what can be chosen against what is there. */
export const JUDGE = "Judge which";

/** Stands between a removal and the parts in which its names are looked for. */
export const SEARCH = ", wherever it is: ";

/** A step, and the calls that carry it out; none where it is for Act to find out. */
interface PlannedStep {
  readonly step: PlanStep;
  readonly calls: readonly RowCall[];
}

/**
 * The steps of a request, with their calls: what changes first, a step for each part of the data, then
 * what is shown. Calls stand for their steps as far as no listed step comes before them.
 */
export function buildSteps(
  clauses: readonly Clause[],
  facts: PlanFacts,
): Pick<GivenThinkAnswer, "steps" | "calls"> {
  const planned = planClauses(clauses, facts);
  const first = planned.findIndex(({ calls }) => calls.length === 0);
  const listed = first === -1 ? [] : planned.slice(first);
  return {
    steps: listed.map(({ step }) => step),
    calls: planned.flatMap((each) => {
      const place = listed.indexOf(each);
      return each.calls.map((call) => Object.assign(call, { step: place === -1 ? null : place }));
    }),
  };
}

function planClauses(clauses: readonly Clause[], facts: PlanFacts): PlannedStep[] {
  const { words } = facts;
  const searched = clauses.filter((clause) => listPlaces(clause, facts).length > 1);
  const changes = clauses.filter((clause) => isChange(clause) && !searched.includes(clause));
  const byPart = Map.groupBy(changes, (clause) => findChangedPart(clause, facts));
  const steps = [...byPart].map(([subdomain, own], index): PlannedStep => {
    const description = own.map((clause) => describeClause(clause, words)).join("; ");
    const found = own.map((clause) => createCalls(clause, subdomain, facts));
    const calls = found.every((each) => each !== null) ? found.flat() : [];
    const writes =
      calls.length > 0 ? [] : own.flatMap((clause) => listWrites(clause, subdomain, facts));
    return {
      step: createStep("write", subdomain, { description, group: index + 1, writes }),
      calls,
    };
  });
  const search = steps.length + 1;
  if (searched.length > 0) {
    const names = searched.flatMap((clause) => clause.names);
    steps.push(...buildSearch(createClause("remove", { names }), facts, search));
  }
  // What is shown beside a removal that is asked about is shown after its yes.
  const group = searched.length === 0 ? search : search + 2;
  const looks = clauses.filter(({ kind }) => kind === "show" || kind === "open");
  steps.push(...looks.map((clause) => buildLook(clause, facts, group)));
  const lacking = clauses.filter(({ kind }) => kind === "lacking");
  steps.push(...lacking.flatMap((clause) => buildLacking(clause, facts, group)));
  const choices = clauses.filter(
    ({ kind }) =>
      kind === "options" || kind === "suggest" || kind === "exclude" || kind === "restore",
  );
  return choices.length === 0 ? steps : [...steps, ...buildAnalysis(choices, facts, group)];
}

/** The part of the data that a clause changes: the one it says, the one its rows are in, or where such things are looked for first. */
function findChangedPart(clause: Clause, facts: PlanFacts): string {
  const { kind, part, names, to } = clause;
  const { words, scene } = facts;
  const { schedule, stock, list } = words.roles;
  const [ref] = names.flatMap((name) => name.ref ?? []);
  const home = ref === undefined ? undefined : findHome(ref, scene);
  if (
    part === null &&
    (kind === "remove" || kind === "change" || kind === "mark") &&
    home !== undefined
  )
    return home;
  const isDated = kind === "plan" || isMove(to);
  const role = isDated ? schedule : kind === "remove" ? (stock ?? list) : list;
  return part?.subdomain ?? role ?? listPlaces(clause, facts)[0] ?? scene.parts[0] ?? "";
}

/** The parts in which a removal that names no place is looked for where no role says it; none for other clauses. */
export function listPlaces(
  { kind, part, names }: Clause,
  { words: { roles }, scene }: Surroundings,
): readonly string[] {
  const isPlaced = part !== null || [roles.list, roles.stock, roles.schedule].some(Boolean);
  const isOpen = names.length > 0 && names.every(({ ref, points }) => (ref ?? points) === null);
  return kind !== "remove" || isPlaced || !isOpen
    ? []
    : scene.parts.filter(
        (each) =>
          scene.changes.get(each)?.some((change) => change.startsWith("delete ")) === true &&
          hasNames(findTable(each, scene.tables)),
      );
}

/** Looks for the names of a removal in every place that can have them, then asks for a yes. */
function buildSearch(clause: Clause, facts: PlanFacts, group: number): PlannedStep[] {
  const places = listPlaces(clause, facts);
  const [subdomain = ""] = places;
  const looks = places.map((place) =>
    planRead(
      createClause("show", { names: clause.names, part: { subdomain: place, value: null } }),
      facts,
      group,
    ),
  );
  const description = `${describeClause(clause, facts.words)}${SEARCH}${places.join(", ")}`;
  const judge = createStep("analyze", subdomain, { description, group: group + 1 });
  return [...looks, { step: judge, calls: [] }];
}

/** The part of the data that a row is in. */
export function findHome(ref: string, { tables, parts }: PlanFacts["scene"]): string | undefined {
  const own = tables.find(({ prefix }) => prefix === ref.replace(/_\d+$/, ""));
  return parts.find((part) => part === own?.part || belongsTo(ref, part));
}

type Given = Pick<PlanStep, "description"> & Partial<PlanStep>;

function createStep(stepType: PlanStep["stepType"], subdomain: string, given: Given): PlanStep {
  return { group: 1, refs: [], writes: [], ...given, stepType, subdomain };
}

const ACTIONS: Partial<Record<Clause["kind"], PlannedWrite["action"]>> = {
  add: "create",
  plan: "create",
  mark: "update",
  change: "update",
  allergy: "update",
  remove: "delete",
  clear: "delete",
};

const VERBS = { create: "add", update: "change", delete: "delete" } as const;

/** Says why a clause changes nothing, since its part of the data may not be changed so; null where it may. */
export function refuseUnchangeable(clause: Clause, facts: PlanFacts): string | null {
  const action = ACTIONS[clause.kind];
  if (action === undefined) return null;
  const part = findChangedPart(clause, facts);
  const changes = facts.scene.changes.get(part) ?? [];
  if (changes.some((each) => each.startsWith(`${action} `))) return null;
  return `I cannot ${VERBS[action]} ${nameWords(part)} here.`;
}

/** The change of a clause, with the rows that its names are known to mean. */
function listWrites(clause: Clause, subdomain: string, { scene }: PlanFacts): PlannedWrite[] {
  const action = ACTIONS[clause.kind];
  const change = scene.changes.get(subdomain)?.find((each) => each.startsWith(`${action} `));
  if (action === undefined || change === undefined) return [];
  const refs = action === "create" ? [] : clause.names.flatMap(({ ref }) => ref ?? []);
  return [{ action, type: change.slice(action.length + 1), refs }];
}

function buildLook(clause: Clause, { words, scene }: PlanFacts, group: number): PlannedStep {
  const [ref = ""] = clause.names.flatMap((name) => name.ref ?? []);
  const home = findHome(ref, scene);
  if (clause.kind !== "open" || home === undefined)
    return planRead(clause, { scene, words }, group);
  const description = describeClause(clause, words);
  return { step: createStep("read", home, { description, group, refs: [ref] }), calls: [] };
}

/** Reads a choice whole and what is there, then compares the two. */
function buildLacking(clause: Clause, facts: PlanFacts, group: number): PlannedStep[] {
  const { choices, stock } = facts.words.roles;
  const dishes = clause.names.map((name) =>
    buildLook({ ...clause, kind: "open", names: [name] }, facts, group),
  );
  const part = { subdomain: stock ?? "", value: null };
  const there = planRead(createClause("show", { part }), facts, group);
  const description = describeClause(clause, facts.words);
  const judge = createStep("analyze", choices ?? "", { description, group: group + 1 });
  return [...dishes, there, { step: judge, calls: [] }];
}

type Surroundings = Pick<PlanFacts, "scene" | "words">;

/** A read of a part, with its call where conditions that all hold say it. */
function planRead(clause: Clause, { scene, words }: Surroundings, group: number): PlannedStep {
  const subdomain = clause.part?.subdomain ?? "";
  const look = createLook(clause, subdomain, scene);
  const description = describeClause(clause, words);
  return {
    step: createStep("read", subdomain, { description, group }),
    calls: look === null ? [] : [toReadCall(look)],
  };
}

/** Reads what can be chosen and what is there, then judges; where that was done, only what remains. */
function buildAnalysis(
  asked: readonly Clause[],
  { words, curated, scene, candidates }: PlanFacts,
  group: number,
): PlannedStep[] {
  // What is back is no candidate of an analysis that left it out.
  const isAnew = asked.some(({ kind }) => kind !== "exclude") || candidates === null;
  const { choices, stock } = words.roles;
  const changed = scene.parts.find((part) => curated.some((ref) => belongsTo(ref, part)));
  const subdomain = choices ?? changed ?? scene.parts[0] ?? "";
  const remains = `See what remains of the ${nameWords(subdomain)}`;
  const judge = (description: string, after: number): PlannedStep => ({
    step: createStep("analyze", subdomain, { description, group: after }),
    calls: [],
  });
  if (!isAnew) return [judge(remains, group)];
  // "Vegan", "with eggs": only such choices are judged.
  const wanted = asked.filter(({ kind }) => kind === "options" || kind === "suggest");
  const reads = [subdomain, ...(stock === null ? [] : [stock])].map((part) => {
    const names = part === subdomain ? wanted.flatMap((each) => each.names) : [];
    const uses = names.some(({ text }) => words.verbs["trait"]?.includes(text) !== true);
    const place = { subdomain: part, value: null };
    const look = createClause("show", { part: place, names, uses });
    return planRead(look, { scene, words }, group);
  });
  const description =
    stock === null ? remains : `${JUDGE} ${nameWords(subdomain)} fit the ${nameWords(stock)}`;
  const days = wanted.flatMap((clause) =>
    clause.kind === "suggest" ? `; ${describeClause(clause, words)}` : [],
  );
  return [...reads, judge(`${description}${days.join("")}`, group + 1)];
}

function nameWords(part: string): string {
  return part.replaceAll("_", " ");
}
