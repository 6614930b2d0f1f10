import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { startPlan } from "../../state/start-plan.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { PlanAction, ShortPlanAction } from "../../state/plan-action.ts";
import {
  applyPlanActions,
  applyRework,
  type PlanActionResult,
} from "../../summaries/apply-plan-actions.ts";
import { toPlanAction } from "../../summaries/to-plan-action.ts";
import {
  anyPlanAction,
  anyStartedPlan,
  changePlan,
  planAction,
  plannedPlan,
  planPart,
  tripPlan,
} from "../support/journey-plans.ts";

const TRIP = tripPlan();
const FULL = startPlan(
  "rest",
  plannedPlan(Array.from({ length: 12 }, (_, index) => `Rest ${index}`)),
);

function asked(short: Pick<ShortPlanAction, "kind"> & Partial<ShortPlanAction>): PlanAction {
  return toPlanAction({ step: null, after: null, text: null, words: "", ...short });
}

function applied(plan: JourneyPlan, message: string, ...actions: readonly PlanAction[]) {
  return applyPlanActions(plan, actions, { message, turn: 3 });
}

function codes(results: readonly PlanActionResult[]): string[] {
  return results.map(({ outcome }) => (outcome.kind === "refused" ? outcome.code : outcome.kind));
}

function titles({ steps }: JourneyPlan): string[] {
  return steps.map(({ title }) => title);
}

test.each<[Partial<ShortPlanAction> & Pick<ShortPlanAction, "kind">, Partial<PlanAction>]>([
  [
    { kind: "add", text: "Mask", after: "step_1" },
    { kind: "add", after: "step_1", parts: [planPart({ title: "Mask" })] },
  ],
  [
    { kind: "remove", step: "step_2" },
    { kind: "remove", target: "step_2" },
  ],
  [
    { kind: "move", step: "step_2", after: "start" },
    { kind: "move", target: "step_2", after: "start" },
  ],
  [
    { kind: "done", step: "step_2" },
    { kind: "mark", target: "step_2", mark: "done" },
  ],
  [
    { kind: "open", step: "step_2" },
    { kind: "mark", target: "step_2", mark: "open" },
  ],
  [
    { kind: "skip", step: "step_2" },
    { kind: "mark", target: "step_2", mark: "skipped" },
  ],
  [
    { kind: "note", step: "step_2", text: "full" },
    { kind: "annotate", target: "step_2", text: "full" },
  ],
  [
    { kind: "decide", step: "decision_2", text: "May" },
    { kind: "decide", target: "decision_2", text: "May" },
  ],
  [
    { kind: "focus", step: "step_2" },
    { kind: "focus", target: "step_2" },
  ],
  [{ kind: "undo", step: "step_2" }, { kind: "undo" }],
])("toPlanAction() makes the action of %j", (short, action) => {
  const words = "as they wrote";
  const kind = action.kind ?? "undo";
  expect(asked({ ...short, words })).toEqual(planAction({ ...action, kind, words }));
});

describe("applyPlanActions()", () => {
  test("applies what a message asks for, one after the other, each by itself", () => {
    const { plan, results, dropped } = applied(
      TRIP,
      "drop step 2 and add a sleep mask instead. step 1 is done, and step 9 too",
      asked({ kind: "remove", step: "step_2", words: "drop step 2" }),
      asked({ kind: "add", after: "step_2", text: "Mask", words: "add a sleep mask instead" }),
      asked({ kind: "done", step: "step_9", words: "step 9 too" }),
      asked({ kind: "done", step: "step_1", words: "step 1 is done" }),
    );

    expect(titles(plan)).toEqual(["Tickets", "Mask", "Invite", "Passport"]);
    expect(plan.changes.map(({ version, who, why, turn }) => [version, who, why, turn])).toEqual([
      [2, "person", "drop step 2", 3],
      [3, "person", "add a sleep mask instead", 3],
      [4, "person", "step 1 is done", 3],
    ]);
    expect(codes(results)).toEqual(["changed", "changed", "unknown-step", "changed"]);
    expect(dropped).toEqual([]);
  });

  test.each<[message: string, words: string]>([
    ["step 1 is not done yet", "step 1 is"],
    ["step 1 is not done yet", "step 1 is not done yet"],
    ["is step 1 done?", "step 1 done"],
    ["step 1 isn’t done", "step 1 isn't done"],
    ["I haven't done step 1", "done step 1"],
    ["once step 1 is done I call", "step 1 is done"],
    ["step 1 is almost done", "done"],
    ["step 1 isn't done. step 2 is ok", "step 1 isn't done"],
    ["how long does step 1 take", "step 1 is done"],
    ["the room is booked but step 1 is not done", "step 1 is not done"],
    ["¿step 1 is done?", "step 1 is done"],
    ["after step 1 is done I call", "step 1 is done"],
    ["as soon as step 1 is done I call", "step 1 is done"],
    ["step 1 will be done tomorrow", "step 1 will be done tomorrow"],
    ["step 1 is half done", "step 1 is half done"],
    ["I hope step 1 is done soon", "step 1 is done"],
    ["my wife says step 1 is done but I don't think so", "step 1 is done"],
    ["not sure, but I think step 1 is done", "step 1 is done"],
    ["Schritt 1 ist noch nicht fertig", "fertig"],
    ["wenn Schritt 1 erledigt ist, melde ich mich", "Schritt 1 erledigt ist"],
    ["el paso 1 todavía no está hecho", "el paso 1 todavía no está hecho"],
    ["l'étape 1 n'est pas terminée", "l'étape 1 n'est pas terminée"],
    ["1. adım henüz bitmedi", "1. adım henüz bitmedi"],
    ["第一步还没做完", "第一步还没做完"],
    ["ok", "ok"],
    ["ok great, let's go", "ok great"],
    ["hello", ""],
  ])("marks nothing as done for %j, asked for with %j", (message, words) => {
    const action = asked({ kind: "done", step: "step_1", words });
    const { plan, results, dropped } = applied(TRIP, message, action);
    expect({ plan, results, dropped }).toEqual({ plan: TRIP, results: [], dropped: [action] });
  });

  test.each<[message: string, words: string]>([
    ["step 1 is done, what now?", "step 1 is done"],
    ["step 1 is done what now?", "step 1 is done"],
    ["step 1 is done and it was not hard", "step 1 is done"],
    ["I finished step 1 before lunch", "I finished step 1"],
    ["1. adım bitti", "1. adım bitti"],
    ["Step 1 is done, how do I start step 2?", "Step 1 is done, how do I start step 2?"],
    ["Not sure about the rest. But “Tickets” is done!", "But 'tickets' is done"],
    ["step 1 is done but the room is not", "step 1 is done"],
    ["step 1 is done though I didn't like it", "step 1 is done though I didn't like it"],
    ["step 1 is done – what now?", "step 1 is done"],
    ["El paso 1 está hecho ¿y ahora?", "El paso 1 está hecho"],
    ["Tickets erledigt", "tickets erledigt"],
    ["第一步做完了", "做完了"],
  ])("marks a step as done for %j, asked for with %j", (message, words) => {
    const action = asked({ kind: "done", step: "step_1", words });
    expect(codes(applied(TRIP, message, action).results)).toEqual(["changed"]);
  });

  test.each<[message: string, mark: string | null, reason: string]>([
    ["I did step 1 but it didn't work", "done", "planHeldMixed"],
    ["step 1 is done, but it was no good", "done", "planHeldMixed"],
    ["Schritt 1 ist erledigt, aber es hat nicht geklappt", "done", "planHeldMixed"],
    ["hice el paso 1, pero no funcionó", "done", "planHeldMixed"],
    ["j'ai fait l'étape 1, mais ça n'a rien donné", "done", "planHeldMixed"],
    ["ho fatto il passo 1, ma non ha funzionato", "done", "planHeldMixed"],
    ["stap 1 is klaar, maar het werkte niet", "done", "planHeldMixed"],
    ["I can't do step 1 before Friday", "done", "planHeldOpen"],
  ])("holds back what %j says is done", (message, mark, reason) => {
    const action = asked({ kind: "done", step: "step_1", words: message });
    const { held } = applyPlanActions(TRIP, [action], { message, turn: 3 });
    expect(held.map(({ action: { mark: as }, holdReason }) => [as, holdReason])).toEqual([
      [mark, reason],
    ]);
  });

  test.each([
    ["note for step 1: ask about pills", "Pills are fine with alcohol", "ask about pills"],
    ["step 1 takes longer than expected", "Step 1 takes longer", "Step 1 takes longer"],
    ["los billetes salen caros", "los billetes salen caros", "los billetes salen caros"],
  ])("keeps of %j, noted as %j, %j", (words, text, noted) => {
    const note = asked({ kind: "note", step: "step_1", text, words });
    expect(applied(TRIP, words, note).plan.steps[0]?.notes.map((each) => each.text)).toEqual([
      noted,
    ]);
  });

  test.each([
    ["I want to do it without a doctor", "See a doctor this week", []],
    ["no coffee at all any more", "start never", []],
    ["we take the second week", "the second", ["the second"]],
    ["no tickets at all", "none", ["none"]],
  ])("decides by %j, read as %j, %j", (words, text, chosen) => {
    const decide = asked({ kind: "decide", step: null, text, words });
    const { plan } = applied(TRIP, words, decide);
    expect(plan.decisions.slice(TRIP.decisions.length).map((each) => each.chosen)).toEqual(chosen);
  });

  test("offers to open a step again that is ticked off and said not to be done", () => {
    const done = changePlan(TRIP, planAction({ kind: "mark", target: "step_1", mark: "done" }));
    const message = "step 1 isn't done after all";
    const action = asked({ kind: "done", step: "step_1", words: message });
    const { held } = applyPlanActions(done, [action], { message, turn: 3 });
    expect(held).toEqual([{ action: { ...action, mark: "open" }, holdReason: "planHeldTicked" }]);
  });

  test.each<[message: string, words: string, code: string]>([
    ["should I drop step 2?", "drop step 2", "planHeldQuestion"],
    ["Was wäre, wenn ich Schritt 2 streiche?", "Schritt 2 streiche", "planHeldSupposed"],
    ["Fine. ¿Y si quito el paso 2?", "quito el paso 2", "planHeldQuestion"],
    ["should I drop step 2, or is it needed?", "drop step 2", "planHeldQuestion"],
    ["drop step 2, what comes then?", "drop step 2", "planHeldQuestion"],
    ["don't drop step 2", "drop step 2", "planHeldDenied"],
    ["if I drop step 2, I save an hour", "drop step 2", "planHeldSupposed"],
    ["drop step 3 as planned", "drop step 3 as planned", "planHeldElsewhere"],
    ["step 2 is lovely", "step 2 is lovely", "planHeldUnclear"],
    ["could you drop step 2, please?", "drop step 2", "changed"],
    ["can we drop step 2?", "drop step 2", "changed"],
    ["let's drop step 2, ok?", "drop step 2", "changed"],
    ["Kannst du Schritt 2 streichen?", "Kannst du Schritt 2 streichen?", "changed"],
    ["Drop step 2. What comes then?", "Drop step 2", "changed"],
    ["Is step 2 needed? Then drop step 2", "drop step 2", "changed"],
  ])("takes %j, asked for with %j, as it is meant", (message, words, code) => {
    const action = asked({ kind: "remove", step: "step_2", words });
    const { results, held } = applyPlanActions(TRIP, [action], { message, turn: 3 });
    expect([...codes(results), ...held.map(({ holdReason }) => holdReason)]).toEqual([code]);
  });

  test("counts steps after the last action, and refuses the last ones that add too many", () => {
    const swap = [
      asked({ kind: "add", text: "Mask", words: "drop it for tape and mask" }),
      asked({ kind: "add", text: "Tape", words: "drop it for tape and mask" }),
      asked({ kind: "remove", step: "step_1", words: "drop it for tape and mask" }),
    ];

    const { plan, results } = applied(FULL, "drop it for tape and mask", ...swap);

    expect(codes(results)).toEqual(["changed", "too-many", "changed"]);
    expect(titles(plan)).toEqual([...titles(FULL).slice(1), "Mask"]);
  });

  test("removes no step where none would be left, and carries out the rest", () => {
    const remove = TRIP.steps.map(({ id }) =>
      asked({ kind: "remove", step: id, words: "drop all" }),
    );
    const done = asked({ kind: "done", step: "step_1", words: "all done" });

    const { plan, results } = applied(TRIP, "drop all, all done", ...remove, done);

    expect(codes(results)).toEqual(["last-step", "last-step", "last-step", "changed", "last-step"]);
    expect(titles(plan)).toEqual(titles(TRIP));
    expect(plan.steps.map(({ mark }) => mark)).toEqual(["done", "open", "open", "open"]);
  });

  test("removes every step for those that the message adds in their place", () => {
    const remove = TRIP.steps.map(({ id }) =>
      asked({ kind: "remove", step: id, words: "drop all" }),
    );
    const add = asked({ kind: "add", text: "Stay", after: "step_4", words: "stay" });

    const { plan, results } = applied(TRIP, "drop all, stay", ...remove, add);

    expect(codes(results)).toEqual(Array(5).fill("changed"));
    expect(titles(plan)).toEqual(["Stay"]);
    expect(plan.changes.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
  });

  test.each<[after: string | null, titles: string[]]>([
    ["start", ["Bag", "Map", "Invite", "Tickets", "Room", "Passport"]],
    ["step_1", ["Tickets", "Bag", "Map", "Invite", "Room", "Passport"]],
    ["step_4", ["Tickets", "Room", "Passport", "Bag", "Map", "Invite"]],
    [null, ["Tickets", "Room", "Passport", "Bag", "Map", "Invite"]],
  ])(
    "puts what a message wants behind %j there in the order in which it is said",
    (after, order) => {
      const words = "bag and map, then invite";
      const { plan } = applied(
        TRIP,
        words,
        asked({ kind: "add", after, text: "Bag", words }),
        asked({ kind: "add", after, text: "Map", words }),
        asked({ kind: "move", step: "step_3", after, words }),
      );

      expect(titles(plan)).toEqual(order);
    },
  );

  test("puts steps in the place of one that goes, in the order in which they are said", () => {
    const words = "no room: ask Ana, then a tent";
    const { plan } = applied(
      TRIP,
      words,
      asked({ kind: "remove", step: "step_2", words }),
      asked({ kind: "add", after: "step_2", text: "Ask Ana", words }),
      asked({ kind: "add", after: "step_2", text: "Tent", words }),
    );

    expect(titles(plan)).toEqual(["Tickets", "Ask Ana", "Tent", "Invite", "Passport"]);
  });

  test("leaves steps that stand in the order in which they are to stand", () => {
    const words = "room, then invite, right after the tickets";
    const { plan, results } = applied(
      TRIP,
      words,
      asked({ kind: "move", step: "step_2", after: "step_1", words }),
      asked({ kind: "move", step: "step_3", after: "step_1", words }),
      asked({ kind: "move", step: "step_1", after: "step_1", words }),
    );

    expect(codes(results)).toEqual(["no-change", "no-change", "no-change"]);
    expect(plan).toBe(TRIP);
  });

  test("puts a step where a step stood that the message removed or split", () => {
    const { plan } = applied(
      TRIP,
      "drop bag, ask, wait and thank",
      asked({ kind: "remove", step: "step_1", words: "drop bag, ask, wait and thank" }),
      asked({ kind: "remove", step: "step_2", words: "drop bag, ask, wait and thank" }),
      asked({ kind: "add", after: "step_2", text: "Bag", words: "drop bag, ask, wait and thank" }),
      planAction({
        kind: "split",
        target: "step_3",
        parts: [planPart({ title: "Ask" }), planPart({ title: "Wait" })],
        words: "drop bag, ask, wait and thank",
      }),
      asked({
        kind: "add",
        after: "step_3",
        text: "Thank",
        words: "drop bag, ask, wait and thank",
      }),
    );

    expect(titles(plan)).toEqual(["Bag", "Ask", "Wait", "Thank", "Passport"]);
  });

  test("refuses more than twelve actions", () => {
    const notes = Array.from({ length: 13 }, (_, index) =>
      asked({ kind: "note", step: "step_1", text: `note ${index}`, words: "notes" }),
    );

    const { results } = applied(TRIP, "notes", ...notes);

    expect(codes(results)).toEqual([...Array(12).fill("changed"), "too-many-actions"]);
  });

  law.prop([anyStartedPlan, fc.array(anyPlanAction, { maxLength: 6 })])(
    "changes nothing by words that the message does not hold",
    (plan, actions) => {
      const lies = actions.map((action) => ({ ...action, words: `${action.words} honestly` }));
      const { plan: after, results, dropped } = applied(plan, "the first, the second", ...lies);

      expect(after).toBe(plan);
      expect(results).toEqual([]);
      expect(dropped).toEqual(lies);
    },
  );

  law.prop([anyStartedPlan, fc.array(anyPlanAction, { maxLength: 20 })])(
    "keeps a plan within its limits",
    (plan, actions) => {
      const message = "the first, the second, neither";
      const { plan: after, results } = applied(plan, message, ...actions);

      expect(after.steps.length).toBeLessThanOrEqual(12);
      expect(after.decisions.length).toBeLessThanOrEqual(12);
      const changed = results.filter(({ outcome }) => outcome.kind === "changed");
      expect(after.version).toBe(plan.version + changed.length);
      expect(changed.length).toBeLessThanOrEqual(12);
    },
  );
});

describe("applyRework()", () => {
  const shorten = planAction({ kind: "remove", target: "step_4", words: "make it shorter" });
  const impossible = planAction({ kind: "remove", target: "step_9", words: "make it shorter" });

  test("changes a plan by all of its actions, for the wish", () => {
    const outcome = applyRework(
      TRIP,
      [shorten, planAction({ kind: "focus", target: "step_2", words: "" })],
      { wish: "make it shorter", turn: 3 },
    );

    expect(outcome).toMatchObject({
      kind: "changed",
      plan: {
        version: 3,
        focus: "step_2",
        changes: [
          { who: "concierge", why: "make it shorter" },
          { who: "concierge", why: "make it shorter" },
        ],
      },
    });
  });

  test("changes nothing where one is refused, and says which and why", () => {
    expect(applyRework(TRIP, [shorten, impossible], { wish: "shorter", turn: 3 })).toEqual({
      kind: "refused",
      refusals: [
        {
          action: impossible,
          outcome: {
            kind: "refused",
            code: "unknown-step",
            reason: "planStepUnknown",
            values: {},
          },
        },
      ],
    });
  });

  test("never says for the person that a step is done", () => {
    const tick = planAction({ kind: "mark", target: "step_1", mark: "done" });
    expect(applyRework(TRIP, [tick], { wish: "make it easier", turn: 3 })).toMatchObject({
      kind: "refused",
      refusals: [{ action: tick, outcome: { code: "not-asked-for" } }],
    });
  });

  test.each([
    planAction({ kind: "decide", target: "decision_5", text: "the first" }),
    planAction({ kind: "remove", target: "step_4" }),
    planAction({ kind: "mark", target: "step_1", mark: "skipped" }),
  ])("refuses what a wish about another step does not ask for: %j", (action) => {
    const rename = planAction({
      kind: "replace",
      target: "step_3",
      parts: [planPart({ title: "Tea" })],
    });
    const outcome = applyRework(TRIP, [rename, action], { wish: "rename step 3 to tea", turn: 3 });
    expect(outcome).toMatchObject({
      kind: "refused",
      refusals: [{ outcome: { code: "not-asked-for" } }],
    });
  });

  test.each(["yes do that", "yes, exactly"])(
    "changes at %j no other step than the answer has named before its question",
    (wish) => {
      const question = { question: "Shall I?", answer: "I would shorten step 3. Shall I?" };
      const rework = (target: string) =>
        applyRework(TRIP, [planAction({ kind: "remove", target })], { wish, turn: 3, question });

      expect(rework("step_3").kind).toBe("changed");
      expect(rework("step_4")).toMatchObject({
        refusals: [{ outcome: { code: "not-asked-for" } }],
      });
    },
  );

  test("leaves a plan as it is for no action", () => {
    expect(applyRework(TRIP, [], { wish: "shorter", turn: 3 })).toEqual({
      kind: "changed",
      plan: TRIP,
      results: [],
    });
  });
});

describe("an undo", () => {
  const add = asked({ kind: "add", text: "Mask", words: "add a mask" });
  const remove = asked({ kind: "remove", step: "step_2", words: "drop step 2" });
  const undo = asked({ kind: "undo", words: "undo that" });

  test("that takes back two changes leaves the limits to the actions behind it", () => {
    const notes = ["late", "dear"].map((text) =>
      asked({ kind: "note", step: "step_1", text, words: "late, dear" }),
    );
    const noted = applied(FULL, "late, dear", ...notes).plan;
    const add = asked({ kind: "add", text: "Mask", words: "add a mask" });

    const { plan, results } = applyPlanActions(noted, [undo, add], {
      message: "undo that, add a mask",
      turn: 4,
    });

    expect(codes(results)).toEqual(["changed", "changed", "too-many"]);
    expect(plan.steps).toEqual(FULL.steps);
  });

  test("takes back all that the last message has changed, and then the one before", () => {
    const first = applied(TRIP, "add a mask", add).plan;
    const message = "drop step 2 and add a lamp";
    const second = applyPlanActions(first, [remove, asked({ ...SECOND, words: "add a lamp" })], {
      message,
      turn: 4,
    }).plan;

    const once = applyPlanActions(second, [undo], { message: "undo that", turn: 5 });
    const twice = applyPlanActions(once.plan, [undo], { message: "undo that", turn: 6 });

    expect(codes(once.results)).toEqual(["changed", "changed"]);
    expect(once.plan.steps).toEqual(first.steps);
    expect(codes(twice.results)).toEqual(["changed"]);
    expect(twice.plan.steps).toEqual(TRIP.steps);
  });

  test.each(["no, undo the undo", "redo"])("is itself taken back by %j, once", (message) => {
    const both = [remove, asked({ ...SECOND, words: "add a lamp" })];
    const { plan: changed } = applied(TRIP, "drop step 2, add a lamp", ...both);
    const { plan: undone } = applyPlanActions(changed, [undo], { message: "undo that", turn: 4 });
    const words = asked({ kind: "undo", words: message });

    const redone = applyPlanActions(undone, [words], { message, turn: 5 });
    const again = applyPlanActions(redone.plan, [words], { message, turn: 6 });
    const back = applyPlanActions(redone.plan, [undo], { message: "undo that", turn: 6 });

    expect(redone.plan.steps).toEqual(changed.steps);
    expect(codes(again.results)).toEqual(["nothing-to-undo"]);
    expect(back.plan.steps).toEqual(TRIP.steps);
  });

  test("that names a step brings back that one, whatever was changed since", () => {
    const done = asked({ kind: "done", step: "step_1", words: "step 1 is done" });
    const { plan: dropped } = applied(TRIP, "drop step 2", remove);
    const { plan } = applyPlanActions(dropped, [done], { message: "step 1 is done", turn: 4 });
    const message = "put the room back";

    const back = applyPlanActions(plan, [asked({ kind: "undo", words: message })], {
      message,
      turn: 5,
    }).plan;

    expect(back.steps.map(({ title, mark }) => [title, mark])).toEqual(
      titles(TRIP).map((title) => [title, title === "Tickets" ? "done" : "open"]),
    );
    const undone = applyPlanActions(back, [undo], { message: "undo that", turn: 6 });
    expect(undone.plan.steps).toEqual(plan.steps);
  });

  test.each([
    ["geri al", "tr", true],
    ["撤销", "en", true],
    ["元に戻して", "ja", true],
    ["nice evening", "en", false],
    ["geri alsam mı?", "tr", false],
  ])("by %j in %s is carried out: %s", (message, language, isUndone) => {
    const { plan } = applied(TRIP, "drop step 2", remove);
    const words = asked({ kind: "undo", words: message });

    const { steps } = applyPlanActions(plan, [words], { message, turn: 4, language }).plan;

    expect(steps).toEqual(isUndone ? TRIP.steps : plan.steps);
  });

  test("takes back the last change alone of those that its own message makes", () => {
    const { plan } = applied(TRIP, "add a mask, drop step 2, undo that", add, remove, undo);
    expect(titles(plan)).toEqual([...titles(TRIP), "Mask"]);
  });
});

test.each<[string, PlanAction]>([
  ["thank you", asked({ kind: "remove", step: "step_2", words: "thank you" })],
  ["thanks", asked({ kind: "undo", words: "thanks" })],
  ["step 2 is fine", asked({ kind: "undo", words: "step 2 is fine" })],
])("%j changes no plan", (message, action) => {
  const { plan } = applied(
    TRIP,
    "add a mask",
    asked({ kind: "add", text: "Mask", words: "add a mask" }),
  );

  expect(applyPlanActions(plan, [action], { message, turn: 4 }).plan).toEqual(plan);
});

const SECOND = { kind: "add", text: "Lamp" } as const;

test("applyPlanActions() keeps apart what a message may ask for and what it does not touch", () => {
  const typo = asked({ kind: "remove", step: "step_2", words: "drop step 2" });
  const madeUp = asked({ kind: "remove", step: "step_1", words: "throw out the tickets" });
  const { dropped, held } = applied(TRIP, "drop stpe 2 pls", typo, madeUp);
  expect({ dropped, held }).toEqual({
    dropped: [typo, madeUp],
    held: [{ action: typo, holdReason: "planHeldUnclear" }],
  });
});
