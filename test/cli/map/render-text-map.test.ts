import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import stringWidth from "string-width";
import { readMap, type MapView } from "../../../cli/map/map-view.ts";
import { renderMap } from "../../../cli/map/render-text-map.ts";
import { analyzedClaim } from "../../support/analyses.ts";
import { analysisOf, archivedBatch, expertAnswer } from "../../support/archived-batch.ts";

function buildView(batch = archivedBatch()): MapView {
  const read = readMap(batch);
  if (read.kind === "none") throw new Error(read.reason);
  return read.view;
}

test("renderMap() says what is claimed and by how many, what stands between it, and what is open", () => {
  expect(renderMap(buildView(), 80).split("\n")).toEqual([
    "What 4 of 5 experts said about the question; overall contested.",
    "",
    "Claims, and how many experts made them",
    "  4 of 4  Ask who eats what (prescriptive)",
    "          Ask every guest about allergies before anything is bought.",
    "  2 of 4  Order from the <Golden> & Co. (prescriptive)",
    "          Order the main course from the place next door; that leaves the",
    "          evening free for the guests, and nothing can go wrong at the stove.",
    "  2 of 4  Cook it yourself (prescriptive)",
    "          Cook it yourself.",
    "  1 of 4  Eight guests fit at the table (factual)",
    "          Eight guests fit at the table.",
    "",
    "Tensions",
    "  - “Order from the <Golden> & Co.” against “Cook it yourself”: “Cook it",
    "    yourself” takes the evening that “Order from the <Golden> & Co.” frees",
    "",
    "Tradeoffs",
    "  - “Order from the <Golden> & Co.” at the cost of “Ask who eats what”: Money",
    "",
    "Prerequisites",
    "  - “Cook it yourself” needs “Ask who eats what”",
    "",
    "Support",
    "  - “Ask who eats what” speaks for “Order from the <Golden> & Co.”: The place",
    "    cooks around allergies",
    "",
    "Not answered by any expert",
    "  - What it may cost",
  ]);
});

test.prop([fc.integer({ min: 40, max: 200 }), fc.string({ unit: "grapheme", maxLength: 120 })])(
  "no row of a map is wider than the terminal, whatever is claimed",
  (columns, words) => {
    const claims = [
      analyzedClaim({ id: "c1", label: words, text: words.repeat(5), supporters: [1] }),
      analyzedClaim({ id: "c2", label: "x".repeat(300), supporters: [] }),
    ];
    const edges = [{ from: "c1", to: "c2", type: "conflicts", reason: words } as const];
    const analysis = analysisOf({ claims, edges, gaps: [words] });

    const rows = renderMap(buildView(archivedBatch({ analysis })), columns).split("\n");

    expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
  },
);

test("a batch that came to nothing has a map without claims", () => {
  const analysis = analysisOf({ claims: [], edges: [], gaps: [] });

  expect(renderMap(buildView(archivedBatch({ analysis })), 40).split("\n")).toEqual([
    "What 4 of 5 experts said about the",
    "question; overall contested.",
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
    [null, archivedBatch({ batch: asked, answers, map: null, analysis: null })].map(readMap),
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
