import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import stringWidth from "string-width";
import { drawMap } from "../../../cli/map/draw-svg-map.ts";
import { nameBatch, readMap, type MapView } from "../../../cli/map/map-view.ts";
import { renderMap } from "../../../cli/map/render-text-map.ts";
import { analyzedClaim } from "../../support/analyses.ts";
import { archivedBatch, BERLIN, expertAnswer, makeAnalysis } from "../../support/archived-batch.ts";

function buildView(batch = archivedBatch()): MapView {
  const read = readMap(batch, BERLIN);
  if (read.kind === "none") throw new Error(read.reason);
  return read.view;
}

test("renderMap() says what is claimed and by how many, what stands between it, and what is open", async () => {
  const text = renderMap(buildView(), 80);

  await expect(`${text}\n`).toMatchFileSnapshot("../../golden/decision-map.txt");
});

test.prop([fc.integer({ min: 40, max: 200 }), fc.string({ unit: "grapheme", maxLength: 120 })])(
  "no row of a map is wider than the terminal, whatever is claimed",
  (columns, words) => {
    const claims = [
      analyzedClaim({ id: "c1", label: words, text: words.repeat(5), supporters: [1] }),
      analyzedClaim({ id: "c2", label: "x".repeat(300), supporters: [] }),
    ];
    const edges = [{ from: "c1", to: "c2", type: "conflicts", reason: words } as const];
    const analysis = makeAnalysis({ claims, edges, gaps: [words] });

    const rows = renderMap(buildView(archivedBatch({ analysis })), columns).split("\n");

    expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
  },
);

test("a claim of harm is marked as a warning, in the list and in the drawing", () => {
  const claims = [
    analyzedClaim({ id: "c1", label: "gas", type: "factual", stakes: "harm", supporters: [1] }),
    analyzedClaim({ id: "c2", label: "rent", type: "factual", stakes: "loss", supporters: [1] }),
  ];
  const view = buildView(
    archivedBatch({ analysis: makeAnalysis({ claims, edges: [], gaps: [] }) }),
  );

  expect(view.claims.map(({ label, kind }) => `${label}: ${kind}`)).toEqual([
    "gas: warning, fact",
    "rent: fact",
  ]);
  expect(renderMap(view, 80)).toContain("gas (warning, fact)");
  expect(drawMap(view)).toContain("· warning, fact<");
});

test.each([
  ["opening", null, "How do I feed eight guests?"],
  ["workflow", null, "The plan"],
  ["step-help", "Choose the dishes", "Help with “Choose the dishes”"],
  ["step-help", null, "Help with a step"],
] as const)("nameBatch() names a batch of the purpose %s about %j", (purpose, step, title) => {
  const { batch, ...others } = archivedBatch();
  expect(nameBatch({ ...others, batch: { ...batch, purpose, step } }, BERLIN)).toBe(
    `${title} (12 January 2026)`,
  );
});

test("a batch that came to nothing has a map without claims", () => {
  const analysis = makeAnalysis({ claims: [], edges: [], gaps: [] });

  expect(renderMap(buildView(archivedBatch({ analysis })), 40).split("\n")).toEqual([
    "How do I feed eight guests? (12 January",
    "2026)",
    "What 4 of 5 experts said about the",
    "question: well-founded views stand",
    "against each other.",
    "",
    "Claims, and how many experts made them",
    "  none",
  ]);
});

test("readMap() says why there is no map", () => {
  const answers = [expertAnswer("role"), expertAnswer("risk", "failed")];
  const { batch } = archivedBatch();
  const asked = { ...batch, purpose: "workflow" as const, experts: ["role", "risk"] };

  expect(
    [null, archivedBatch({ batch: asked, answers, map: null, analysis: null })].map((batch) =>
      readMap(batch, BERLIN),
    ),
  ).toEqual([
    {
      kind: "none",
      reason: "There is no map yet: no expert has been asked in this conversation.",
    },
    {
      kind: "none",
      reason: "There is no map of the plan: 1 of 2 experts answered, and a map needs two.",
    },
  ]);
});
