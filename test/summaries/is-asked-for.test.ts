import { expect, test } from "vitest";
import type { ShortPlanAction } from "../../state/plan-action.ts";
import { startPlan } from "../../state/start-plan.ts";
import { isAskedFor } from "../../summaries/is-asked-for.ts";
import { toPlanAction } from "../../summaries/to-plan-action.ts";
import { plannedPlan } from "../support/journey-plans.ts";

const PLAN = startPlan(
  "sleep",
  plannedPlan(
    ["Darken the bedroom", "Drop the late nap", "Walk to the bakery", "Call the pediatrician"],
    [{ question: "Who gets up on Sundays?", recommendation: "Ana gets up", atStep: null }],
  ),
);

/** Reads an action whose words are the whole message. */
function reads(
  message: string,
  action: Partial<ShortPlanAction>,
  { words = message, language = "en", question = "" } = {},
): boolean {
  const asked = { kind: "done", step: null, after: null, text: null, words, ...action } as const;
  const last = { question, answer: question };
  return isAskedFor(toPlanAction(asked), { message, plan: PLAN, language, question: last });
}

test.each<[message: string, kind: ShortPlanAction["kind"], language?: string]>([
  ["step 2 is not done yet, sorry", "done"],
  ["no, step 2 is not done", "done"],
  ["I haven't done the nap yet, work was crazy", "done"],
  ["Schritt 2 ist leider noch nicht fertig, sorry", "done", "de"],
  ["no he terminado el paso 2, lo siento", "done", "es"],
  ["je n'ai pas fini l'étape 2, désolé", "done", "fr"],
  ["2. adımı yapmadım, kusura bakma", "done", "tr"],
  ["don't drop step 2, we need it", "remove"],
  ["don't skip step 2 - Ana would be sad", "skip"],
  ["Streich Schritt 2 nicht, wir brauchen das", "remove", "de"],
  ["no quites el paso 2, me gusta", "remove", "es"],
  ["ne supprime pas l'étape 2, elle est utile", "remove", "fr"],
  ["2. adımı çıkarma, lazım olacak", "remove", "tr"],
  ["不要删掉第二步，我需要它", "remove", "zh"],
])("a denial with a second clause asks for nothing: %j (%s)", (message, kind, language) => {
  expect(reads(message, { kind, step: "step_2" }, { language })).toBe(false);
});

test.each<[message: string, kind: ShortPlanAction["kind"], language?: string]>([
  ["I like the dark room idea", "remove"],
  ["I like the dark room idea", "done"],
  ["the dark room works great", "skip"],
  ["keep step 1", "remove"],
  ['my sister wrote: "drop step 1"', "remove"],
  ["hopefully I'll have the room darkened by the weekend", "done"],
  ["if Tom agrees, I'd drop step 1", "remove"],
  ["maybe I'll drop step 1 later", "remove"],
  ["Tom says drop step 1, but I disagree", "remove"],
  ["Schritt 1 ist morgen fertig", "done", "de"],
  ["Wenn mein Bruder hilft, streichen wir Schritt 1", "remove", "de"],
  ["ojalá pudiera tachar ya el paso 1", "done", "es"],
])(
  "praise, hope, conditions and quotations ask for nothing: %j (%s)",
  (message, kind, language) => {
    expect(reads(message, { kind, step: "step_1" }, { language })).toBe(false);
  },
);

test("words within a quotation ask for nothing", () => {
  const remove = { kind: "remove", step: "step_1" } as const;
  expect(reads('my sister wrote: "drop step 1"', remove, { words: "drop step 1" })).toBe(false);
});

test.each<[message: string, action: Partial<ShortPlanAction>, isAsked: boolean]>([
  ["step 3 is done", { step: "step_3" }, true],
  ["step 3 is done", { step: "step_1" }, false],
  ["lose steps 3, 2 and 4", { kind: "remove", step: "step_4" }, true],
  ["lose steps 2 and 4", { kind: "remove", step: "step_1" }, false],
  ['remove "Drop the late nap" from the plan', { kind: "remove", step: "step_2" }, true],
  ['remove "Drop the late nap" from the plan', { kind: "remove", step: "step_4" }, false],
  ["pediatricians first", { kind: "focus", step: "step_4" }, true],
  ["pediatricians first", { kind: "focus", step: "step_1" }, false],
  ["we did the blinds", { step: "step_1" }, true],
  ["Tom will do Sundays", { kind: "decide", step: "decision_1", text: "Tom gets up" }, true],
  ["Tom will do Sundays", { kind: "decide", step: "decision_1", text: "Ana gets up" }, false],
  ["wir nehmen den zweiten", { kind: "decide", text: "the second" }, true],
  ["add a step: check the pantry", { kind: "add", text: "Check the pantry" }, true],
  ["add a step: check the pantry", { kind: "add", text: "Buy a freezer" }, false],
  ["you should tick off step 3, I did it", { step: "step_3" }, true],
  ["can you check whether step 3 is done?", { step: "step_3" }, false],
])("%j is a wish of the step and the words that it names: %j, %j", (message, action, isAsked) => {
  expect(reads(message, action)).toBe(isAsked);
});

test.each<[question: string, action: Partial<ShortPlanAction>, isAsked: boolean]>([
  ["Shall I tick off step 3?", { step: "step_3" }, true],
  ["Shall I tick off step 3?", { step: "step_1" }, false],
  ["Shall I tick off step 3?", { kind: "remove", step: "step_3" }, false],
  ["Shall I note that Tom gets up?", { kind: "decide", text: "Tom gets up" }, true],
  ["", { step: "step_3" }, false],
])("a yes to %j asks for %j: %j", (question, action, isAsked) => {
  expect(reads("yes please", action, { question })).toBe(isAsked);
});

test.each(["yes, later", "evet, sonra", "好，以后再说"])(
  "a yes that is taken back asks for nothing by its first word: %j",
  (message) => {
    const [words = ""] = message.split(/[,，]/u);
    for (const kind of ["remove", "skip", "focus", "open"] as const) {
      expect(reads(message, { kind, step: "step_2" }, { words })).toBe(false);
    }
  },
);

test("a step that is named by its number in Turkish is no other one", () => {
  const message = "2. adımı sil";
  const drop = (step: string) => reads(message, { kind: "remove", step }, { language: "tr" });
  expect([drop("step_2"), drop("step_4")]).toEqual([true, false]);
});
