import { describe, expect, test } from "vitest";
import { z } from "zod";
import { denyPlanClaim } from "../../nodes/concierge/deny-plan-claim.ts";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { startPlan } from "../../state/start-plan.ts";
import { changePlan, plannedPlan, planAction, tripPlan } from "../support/journey-plans.ts";
import { readYaml } from "../support/read-yaml.ts";

const ticked = applyPlanAction(
  tripPlan(),
  planAction({ kind: "mark", target: "step_1", mark: "done" }),
  { who: "person", turn: 2, why: "", limits: DEFAULT_LIMITS },
);
const TURN = {
  journeyPlan: ticked.kind === "changed" ? ticked.plan : null,
  planNews: null,
  journeyNews: null,
  effects: [],
  input: null,
  turn: 3,
};

test.each([
  "I removed step 2 and marked step 3 as done. Your plan now has two steps.",
  "Sure! I've dropped the second step from your plan.",
  "Great, step 2 is done. What now?",
  "I’ve added a sleep mask to your plan.",
  "Step 3 has been removed.",
  "Done, I removed it.",
  "I took the passport out.",
  "Erledigt, ich habe ihn entfernt.",
  "Listo, lo he eliminado del plan.",
  "C'est fait, je l'ai retiré du plan.",
  "Ho tolto il passo 3 dal piano.",
  "Ik heb stap 3 uit het plan verwijderd.",
  "Removi o passo 3 do plano.",
  "Well done.\n\nRemoved from the plan: “Room”.",
  "Done: 2 (“Room”).",
])("denyPlanClaim() contradicts %j where the turn has changed nothing", (words) => {
  expect(denyPlanClaim(words, TURN)).toBe("Nothing was changed.");
});

test.each([
  "Step 1 is done, so the room is next.",
  "Step 2 is done when you have the keys.",
  "Step 2 is done as soon as you have the keys.",
  "I can remove step 2 from your plan. Shall I?",
  "Shall I go on, now that I have removed step 2 from your plan?",
  "I have not changed your plan.",
  "If step 2 is done, go on with step 3.",
  "You moved step 2 last week.",
  "I would drop step 2: it costs more than it brings.",
  "I removed step 2 in the last turn.",
  "I have added some ideas for step 2 below.",
  "Done: that is the hardest part behind you.",
  "Once the room is booked, step 2 is done.",
])("denyPlanClaim() lets %j stand", (words) => {
  expect(denyPlanClaim(words, TURN)).toBe("");
});

test("denyPlanClaim() knows what code has said, and what it has not", () => {
  const report = "Removed from the plan: “Room”.";
  const planNews = { report, isChanged: true };
  expect(denyPlanClaim(`I removed step 2.\n\n${report}`, { ...TURN, planNews })).toBe("");
  expect(denyPlanClaim("Fine.\n\nDone: 1 (“Invite”).", { ...TURN, planNews })).toBe(
    "Nothing else was changed.",
  );
  expect(denyPlanClaim("I removed step 2.", { ...TURN, journeyPlan: null })).toBe("");
});

test.each([
  ["drop the passport", "I see.", false],
  ["drop the passport", "Sure, consider it done.", true],
  ["the invitations are finished", "Great, the invitations are done.", true],
  ["skip step 3", "✅ Step 3", true],
  ["what about the passport?", "I see.", false],
  ["I have a question about step 3", "I see.", false],
  ["I have not booked the room yet", "No problem. Set aside twenty minutes tonight.", false],
  ["I finished reading about the room", "Then you are ready: book it. It is paid later.", false],
  ["my sister says the room is gone", "Then look on Monday. It is done in ten minutes.", false],
])(
  "denyPlanClaim() says of %j, answered %j, that nothing was changed: %j",
  (text, words, isDenied) => {
    const turn = { ...TURN, input: { messageId: "m-3", text } };
    expect(denyPlanClaim(words, turn) !== "").toBe(isDenied);
    const planNews = { report: `Not done, “${text}”: no.`, isChanged: false };
    expect(denyPlanClaim("I see.", { ...turn, planNews })).toBe("");
  },
);

test("denyPlanClaim() contradicts a claim beside another change, and below a refusal", () => {
  const claim = "I also removed step 4 from your plan and marked step 3 as done.";
  const changed = { report: "Done: 1 (“Tickets”).", isChanged: true };
  expect(denyPlanClaim(claim, { ...TURN, planNews: changed })).toBe("Nothing else was changed.");
  const refused = { report: "Not done, “step 9”: no.", isChanged: false };
  expect(denyPlanClaim(claim, { ...TURN, planNews: refused })).toBe("Nothing was changed.");
});

const ByLanguage = z.strictObject({ tr: z.array(z.string()), zh: z.array(z.string()) });
const { titles, claims, honest } = readYaml(
  new URL("plan-claims.yaml", import.meta.url),
  z.strictObject({ titles: ByLanguage, claims: ByLanguage, honest: ByLanguage }),
);

describe.each(["tr", "zh"] as const)("denyPlanClaim() in %s", (language) => {
  const plan = startPlan("sleep", plannedPlan(titles[language]));
  const turn = { ...TURN, journeyPlan: plan };
  const denies = (words: string, state = turn): boolean => denyPlanClaim(words, state) !== "";

  test("contradicts what claims a change, and nothing else", () => {
    expect(claims[language].filter((words) => !denies(words))).toEqual([]);
    expect(honest[language].filter((words) => denies(words))).toEqual([]);
  });

  test("lets stand what is so", () => {
    const done = planAction({ kind: "mark", target: "step_3", mark: "done" });
    const isSo = { tr: "3. adım artık tamamlandı.", zh: "第三步现在已经完成。" }[language];
    expect(denies(isSo)).toBe(true);
    expect(denies(isSo, { ...turn, journeyPlan: changePlan(plan, done) })).toBe(false);
  });

  test("holds a claim beside a change against the steps that were changed", () => {
    const removed = changePlan(plan, planAction({ kind: "remove", target: "step_2" }));
    const report = `Removed from the plan: “${titles[language][1] ?? ""}”.`;
    const beside = {
      ...turn,
      turn: 7,
      journeyPlan: removed,
      planNews: { report, isChanged: true },
    };
    const [made, other] = {
      tr: ["2. adımı sildim.", "4. adımı da sildim."],
      zh: ["我已经删除了第2步。", "我还删除了第4步。"],
    }[language];
    expect([made, other].map((words = "") => denyPlanClaim(words, beside))).toEqual([
      "",
      "Nothing else was changed.",
    ]);
  });
});
