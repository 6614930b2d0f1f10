import { test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { buildMetaResponse } from "../../output-filter/meta-response.ts";
import { analyzedClaim, anyAnalysis, EMPTY_ANALYSIS } from "../support/analyses.ts";
import { renderSentence } from "../../text/sentences.ts";

test("buildMetaResponse() says that nobody was asked", () => {
  const text = renderSentence("nobodyAsked");
  expect(buildMetaResponse(null)).toBe(text);
  expect(buildMetaResponse(EMPTY_ANALYSIS)).toBe(text);
});

test("buildMetaResponse() says who was asked, what they shared, where they differed, what is open", () => {
  const claims = [
    analyzedClaim({ id: "c1", text: "Cook twice on Sunday." }),
    analyzedClaim({ id: "c2", text: "Cook fresh every day.", supporters: [4] }),
  ];
  expect(
    buildMetaResponse({
      ...EMPTY_ANALYSIS,
      claims,
      edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "" }],
      gaps: ["What it costs now"],
      metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4 },
    }),
  ).toBe(
    [
      renderSentence("askedMany", { count: 4 }),
      `${renderSentence("sharedHeading")}\n- Cook twice on Sunday.`,
      `${renderSentence("differedHeading")}\n- “Cook twice on Sunday”, and on the other hand “Cook fresh every day”`,
      `${renderSentence("openHeading")}\n- What it costs now`,
      renderSentence("advisorsCanErr"),
    ].join("\n\n"),
  );
});

test("buildMetaResponse() begins with what most of the experts stood behind", () => {
  const claims = [
    analyzedClaim({ id: "c1", text: "Rent.", supporters: [1, 2] }),
    analyzedClaim({ id: "c2", text: "Save first.", supporters: [1, 2, 3, 4] }),
  ];
  const metrics = { ...EMPTY_ANALYSIS.metrics, experts: 4 };
  expect(buildMetaResponse({ ...EMPTY_ANALYSIS, claims, metrics })).toContain(
    "- Save first.\n- Rent.",
  );
});

test("buildMetaResponse() does not speak of agreement where there is one voice or none", () => {
  const claims = [analyzedClaim({ id: "c1", text: "Rent.", supporters: [1], strong: false })];
  const of = (experts: number): string =>
    buildMetaResponse({
      ...EMPTY_ANALYSIS,
      claims,
      metrics: { ...EMPTY_ANALYSIS.metrics, experts },
    });
  expect(of(1).split("\n\n").slice(0, 2)).toEqual([
    renderSentence("askedOne"),
    `${renderSentence("cameBackHeading")}\n- Rent.`,
  ]);
  expect(of(3).split("\n\n")[1]).toBe(renderSentence("littleShared"));
});

law.prop([anyAnalysis])("buildMetaResponse() opens no signal block", (analysis) => {
  expect(buildMetaResponse(analysis)).not.toContain("<<<");
  expect(buildMetaResponse(analysis)).not.toContain("undefined");
});
