import type { ShapeName, StructuralAnalysis } from "../state/analysis.ts";
import type { EdgeType } from "../state/claims.ts";

const TOPOLOGY = {
  contested: "A fork: well-founded views stand against each other, and both cannot be followed.",
  tradeoff: "A balance: well-founded aims cost each other something, and none can be had in full.",
  contextual:
    "A branching: what is right depends on the circumstances, and they exclude each other.",
  keystone: "A hub: most of what was said hangs on one point.",
  linear: "A path: one thing has to come before the next.",
  settled:
    "Common ground: the main points are widely held, and nothing strong stands against them.",
  dimensional: "Several sides: groups of points stand beside each other, and none decides alone.",
  exploratory: "Open ground: little is agreed, and little hangs together.",
} as const satisfies Record<ShapeName, string>;

/** The second shape, as the end of "There is also …". */
const ALSO = {
  contested: "a fork between well-founded views",
  tradeoff: "a balance between aims that cost each other",
  contextual: "a branching on circumstances",
  keystone: "one point that much hangs on",
  linear: "a path that has to be gone in order",
  settled: "common ground",
  dimensional: "a falling apart into several sides",
  exploratory: "much open ground",
} as const satisfies Record<ShapeName, string>;

const EMPTY =
  "Nothing: no point came back that could be told apart. Answer from general knowledge and say so.";
const SINGLE = "A single view was heard: nothing here has been checked against another.";
const REMINDER =
  "Agreement is not truth: what many say can be wrong together, and what one says can be right.";

/** Shares from which a remark is worth its words, and the edges that it must rest on. */
const UNSURE = 0.5;
const MUCH = 0.5;
const MANY = 4;

/** Describes the map as a whole, one line each; `remarks` adds one with at most two remarks. */
export function describeTopology(analysis: StructuralAnalysis, remarks: boolean): string[] {
  if (analysis.claims.length === 0) return [EMPTY];
  return [
    TOPOLOGY[analysis.shape.name],
    ...(remarks ? [listRemarks(analysis).slice(0, 2).join(" ")] : []),
    analysis.metrics.experts < 2 ? SINGLE : REMINDER,
  ].filter((line) => line !== "");
}

function listRemarks({ claims, edges, metrics, shape }: StructuralAnalysis): string[] {
  const { name, runnerUp } = shape;
  const hasMany = (...types: readonly EdgeType[]): boolean =>
    edges.filter(({ type }) => types.includes(type)).length >= MANY;
  const isNone = (...names: readonly ShapeName[]): boolean => !names.includes(name);
  const remarks: readonly (readonly [holds: boolean, remark: string])[] = [
    [runnerUp !== null, `There is also ${ALSO[runnerUp ?? name]}.`],
    [shape.confidence < UNSURE, "This reading is not a sure one."],
    [
      metrics.components > 1 && metrics.fragmentation >= MUCH && isNone("dimensional"),
      "It falls into parts that hardly touch.",
    ],
    [
      metrics.tension >= MUCH &&
        hasMany("conflicts", "tradeoff") &&
        isNone("contested", "tradeoff"),
      "Much of what joins its points is tension.",
    ],
    [
      metrics.alignment < MUCH &&
        hasMany("conflicts") &&
        isNone("contested") &&
        claims.some(({ strong }) => strong),
      "The well-supported points do not pull the same way.",
    ],
    [
      metrics.depth >= MUCH && hasMany("prerequisite") && isNone("linear", "keystone"),
      "Much of it has to come in order.",
    ],
  ];
  return remarks.flatMap(([holds, remark]) => (holds ? [remark] : []));
}
