import { expect, test } from "vitest";
import { findAgreed, findHalfAgreed, readPlanAnswer } from "../../nodes/read-plan-answer.ts";
import { NO_CONCIERGE_THREAD } from "../../state/phase.ts";
import { planAction, tripPlan } from "../support/journey-plans.ts";

const DROP_ROOM = planAction({ kind: "remove", target: "step_2", words: "drop the room" });
const QUESTION = "A yes would mean: Removed from the plan: “Room”. Shall I?";

function ask(text: string, turn = 6) {
  const asked = { turn, question: QUESTION, actions: [DROP_ROOM], rework: null };
  return {
    conciergeThread: { ...NO_CONCIERGE_THREAD, asked },
    turn: 7,
    input: { messageId: "m-7", text },
    understanding: null,
    journeyPlan: tripPlan(),
  };
}

test.each([
  "yes, but not now",
  "Yes... actually no",
  "ok but let me think first",
  "sure, if my sister agrees",
  "ja, aber nicht jetzt",
  "oui, mais pas maintenant",
  "sí, pero ahora no",
  "evet, ama şimdi değil",
  "tamam ama oda kalsın",
  "好，但现在不要",
  "later",
  "şimdi değil",
  "以后再说",
])("readPlanAnswer() reads %j as no plain yes, whatever a model makes of it", (text) => {
  for (const kind of ["remove", "move", "focus", "undo"] as const) {
    const action = planAction({ kind, target: "step_4", words: text });
    expect(readPlanAnswer(action, ask(text))).toBe("planHeldAnswer");
  }
});

test.each([
  ["not now", "drop the room", "planHeldDenied"],
  ["yes, drop the room", "drop the room", null],
  ["yes, drop the room later", "drop the room", "planHeldAnswer"],
  ["yes, and drop step 4", "drop step 4", "planHeldAnswer"],
  ["yes, and step 4 is the room", "step 4 is the room", "planHeldAnswer"],
  ["no, drop step 4 instead", "drop step 4", null],
  ["2. adım bekleyebilir", "2. adım bekleyebilir", "planHeldAnswer"],
  ["4. adımı sil", "4. adımı sil", null],
  ["undo that", "undo that", null],
])("readPlanAnswer(): %j, of which a model has read %j: %j", (text, words, reason) => {
  const target = text.includes("4") ? "step_4" : "step_2";
  const action = planAction({ kind: "remove", target, words });
  expect(readPlanAnswer(action, ask(text))).toBe(reason);
});

test("readPlanAnswer() reads a rework as a wish of its own, unless it stands behind a yes, or orders nothing", () => {
  expect(readPlanAnswer(null, ask("make it shorter"))).toBeNull();
  expect(readPlanAnswer(null, ask("yes, but make it shorter"))).toBe("planHeldAnswer");
  expect(readPlanAnswer(null, ask("after the holidays"))).toBe("planHeldAnswer");
});

test.each([
  "yes",
  "yes, exactly",
  "yes I am sure",
  "yes that's right",
  "that would be great",
  "correct, thanks",
  "perfect",
  "👍",
  "yes, drop it",
  "yes, the room",
  "ja, genau",
  "okay, weg damit",
  "oui, exactement",
  "sim, exatamente",
  "はい、お願いします",
])("findAgreed() carries out what code has asked about at %j", (text) => {
  expect(findAgreed(ask(text))?.actions).toEqual([DROP_ROOM]);
  expect(findHalfAgreed(ask(text))).toBeUndefined();
});

test.each([
  "yes, but not now",
  "yes please, we never go there",
  "yes, add it",
  "yes, and skip the tickets",
  "そうして",
])("findHalfAgreed() puts the question again at %j, which carries nothing out", (text) => {
  expect(findAgreed(ask(text))).toBeUndefined();
  expect(findHalfAgreed(ask(text))?.question).toBe(QUESTION);
});

test.each([
  "no",
  "not now",
  "thanks",
  "how long does it take?",
  "ok, what is next?",
  "step 1 is done",
])("findHalfAgreed() leaves the question alone at %j", (text) => {
  expect([findAgreed(ask(text)), findHalfAgreed(ask(text))]).toEqual([undefined, undefined]);
});

/** The state at a yes that comes after a further answer of the concierge. */
function askLater(reply: string) {
  const state = ask("yes, exactly", 5);
  const messages = [{ role: "assistant" as const, text: reply }];
  return { ...state, conciergeThread: { ...state.conciergeThread, throughTurn: 6, messages } };
}

test("findHalfAgreed() puts the question again at a yes after one more answer, unless that has asked something", () => {
  expect(findHalfAgreed(askLater("A van is 90 euros."))?.question).toBe(QUESTION);
  expect(findHalfAgreed(askLater("Shall I look for one?"))).toBeUndefined();
  expect(findAgreed(askLater("A van is 90 euros."))).toBeUndefined();
});

test("readPlanAnswer() reads no answer where no question of code waits", () => {
  const action = planAction({ kind: "focus", target: "step_2", words: "yes, later" });
  expect(readPlanAnswer(action, ask("yes, later", 5))).toBeNull();
});
