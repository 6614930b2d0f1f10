import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import type { MetaKind } from "../../state/understanding.ts";
import { buildMetaResponse } from "../../output-filter/meta-response.ts";
import { renderSentence } from "../../text/sentences.ts";
import { archivedBatch, expertAnswer } from "../support/archived-batch.ts";
import { analyzedClaim, anyAnalysis, EMPTY_ANALYSIS } from "../support/analyses.ts";

const FACTS = { persona: "a gardener", isEarlier: false, steps: [] };
const KINDS: readonly MetaKind[] = [
  "sources",
  "agreement",
  "dissent",
  "identity",
  "instructions",
  "memory",
];

const claims = [
  analyzedClaim({ id: "c1", text: "Cook twice on Sunday.", supporters: [1, 2] }),
  analyzedClaim({ id: "c2", text: "Cook fresh every day.", supporters: [1, 2, 4], support: 0.75 }),
  analyzedClaim({ id: "c3", text: "Buy a freezer.", supporters: [3], strong: false }),
  analyzedClaim({
    id: "c4",
    text: "Rice that stood overnight makes ill.",
    supporters: [4],
    strong: false,
    stakes: "harm",
  }),
];
const batch = archivedBatch({
  analysis: {
    ...EMPTY_ANALYSIS,
    claims,
    edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "" }],
    metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4 },
  },
});
const asked = [
  renderSentence("askedMany", { count: 5, answered: 4 }),
  renderSentence("askedQuestion", { question: "“How do I feed eight guests?”" }),
];
const canErr = renderSentence("advisorsCanErr");

test.each(["sources", "agreement"] as const)(
  "buildMetaResponse(%j) says who was asked what, how many answered, what they shared, and what one warned of",
  (kind) => {
    expect(buildMetaResponse(kind, batch, FACTS)).toBe(
      [
        ...asked,
        `${renderSentence("sharedHeading")}\n- Cook fresh every day.\n- Cook twice on Sunday.`,
        `${renderSentence("saidByOneHeading")}\n- Rice that stood overnight makes ill.`,
        renderSentence("alsoDiffered"),
        canErr,
      ].join("\n\n"),
    );
  },
);

test("buildMetaResponse() names a shared warning before what more of them supported", () => {
  const shared = [1, 2, 3].map((number) =>
    analyzedClaim({ id: `s${number}`, text: `Cook dish ${number}.`, support: 1 }),
  );
  const warning = analyzedClaim({ id: "h", text: "Rice makes ill.", support: 0.5, stakes: "harm" });
  const { analysis } = batch;
  const own = { ...batch, analysis: analysis && { ...analysis, claims: [...shared, warning] } };

  expect(buildMetaResponse("sources", own, FACTS)).toContain(
    `${renderSentence("sharedHeading")}\n- Rice makes ill.\n- Cook dish 1.`,
  );
});

test.each([
  ["workflow", null, renderSentence("askedForPlan")],
  ["step-help", "Dark room", renderSentence("askedForStep", { title: "Dark room" })],
  ["step-help", null, renderSentence("askedForHelp")],
] as const)(
  "buildMetaResponse() does not recite what a concierge has written to the experts (%s, %j)",
  (purpose, step, words) => {
    const own = { ...batch, batch: { ...batch.batch, purpose, step } };
    const text = buildMetaResponse("sources", own, FACTS) ?? "";
    expect(text).toContain(words);
    expect(text).not.toContain(own.batch.question.text);
  },
);

test('buildMetaResponse("dissent") names what stands against what, then every single voice, harm first', () => {
  expect(buildMetaResponse("dissent", batch, FACTS)).toBe(
    [
      ...asked,
      `${renderSentence("differedHeading")}\n- “Cook twice on Sunday”, and on the other hand “Cook fresh every day”`,
      `${renderSentence("saidByOneHeading")}\n- Rice that stood overnight makes ill.\n- Buy a freezer.`,
      canErr,
    ].join("\n\n"),
  );
});

test('buildMetaResponse("identity") says what it is, and whether it asked anybody', () => {
  const whoIAm = renderSentence("whoIAm", { persona: "a gardener" });
  expect(buildMetaResponse("identity", batch, FACTS)).toBe([whoIAm, ...asked].join("\n\n"));
  expect(buildMetaResponse("identity", null, FACTS)).toBe(
    `${whoIAm}\n\n${renderSentence("nobodyAsked")}`,
  );
});

test("buildMetaResponse() tells of instructions without reciting them, and leaves memory to the turn summaries", () => {
  expect(buildMetaResponse("instructions", batch, FACTS)).toBe(renderSentence("howIWork"));
  expect(buildMetaResponse("memory", batch, FACTS)).toBeNull();
});

test("buildMetaResponse() says that nobody was asked, and what was looked up and stored", () => {
  expect(buildMetaResponse("sources", null, FACTS)).toBe(renderSentence("nobodyAsked"));
  const steps = [
    { stepType: "read", outcome: "Found 9 recipes" },
    { stepType: "analyze", outcome: "Analysis complete" },
    { stepType: "write", outcome: "Created 2 planned meals" },
  ] as const;
  expect(buildMetaResponse("sources", null, { ...FACTS, steps })).toBe(
    `${renderSentence("lookedAtHeading")}\n- Found 9 recipes\n- Created 2 planned meals`,
  );
});

test("buildMetaResponse() says that the batch was for an earlier answer", () => {
  const text = buildMetaResponse("sources", batch, { ...FACTS, isEarlier: true });
  expect(text?.split("\n\n")[0]).toBe(renderSentence("askedEarlier"));
});

test("buildMetaResponse() does not speak of agreement where there is one voice or none", () => {
  const lone = analyzedClaim({ id: "c1", text: "Rent.", supporters: [1], strong: false });
  const build = (experts: number, answers = [expertAnswer("role")]) =>
    buildMetaResponse(
      "sources",
      {
        ...batch,
        answers,
        analysis: {
          ...EMPTY_ANALYSIS,
          claims: [lone],
          metrics: { ...EMPTY_ANALYSIS.metrics, experts },
        },
      },
      FACTS,
    )?.split("\n\n");
  const [one, question, cameBack] = build(1) ?? [];
  expect([one, question, cameBack]).toEqual([
    renderSentence("askedOne", { count: 5 }),
    asked[1],
    `${renderSentence("cameBackHeading")}\n- Rent.`,
  ]);
  expect(build(3, batch.answers.slice(0, 3))?.[2]).toBe(renderSentence("littleShared"));
});

test("buildMetaResponse() has nothing to quote where too few answered to be compared", () => {
  const silent = { ...batch, answers: [expertAnswer("role", "late")], analysis: null };
  expect(buildMetaResponse("agreement", silent, FACTS)).toBe(
    [renderSentence("askedInVain", { count: 5 }), asked[1]].join("\n\n"),
  );
});

law.prop([fc.constantFrom(...KINDS), anyAnalysis])(
  "buildMetaResponse() opens no control block, and names no id of a claim",
  (kind, analysis) => {
    const text = buildMetaResponse(kind, { ...batch, analysis }, FACTS) ?? "";
    expect(text).not.toContain("<<<");
    expect(text).not.toMatch(/undefined|\bclaim_3\b/u);
  },
);
