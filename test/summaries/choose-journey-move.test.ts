import { describe, expect, test } from "vitest";
import {
  chooseJourneyMove,
  fitJourneyAction,
  type JourneyChoice,
  type JourneyRequest,
} from "../../summaries/choose-journey-move.ts";
import { activeLine, journeyLine } from "../support/journey-lines.ts";

const FLAT = activeLine(9, { title: "Find a flat" });
const SLEEP = journeyLine(1, { title: "Sleep better" });
const RAISE = journeyLine(4, { title: "Ask for a raise", status: "closed", reason: "done" });
const SUMMER = journeyLine(5, { title: "Sleep in summer" });

const WORDS = "their words";

function choose(
  action: JourneyRequest["action"],
  name: string | null = null,
  lines = [SLEEP, RAISE, FLAT],
): JourneyChoice {
  return chooseJourneyMove({ action, name, message: WORDS }, { lines });
}

describe("chooseJourneyMove()", () => {
  test("goes back to a journey that is named, paused or closed", () => {
    for (const [name, journey] of [
      ["sleep", SLEEP],
      ["the raise: ask for a raise", RAISE],
      ["journey_1", SLEEP],
    ] as const) {
      expect(choose("resume", name)).toEqual({ kind: "move", move: { kind: "resume", journey } });
    }
  });

  test("goes back to the only paused one where none is named, and asks where there are several", () => {
    const move = { kind: "resume", journey: SLEEP };
    expect(choose("resume")).toEqual({ kind: "move", move });
    expect(choose("resume", null, [SLEEP, SUMMER])).toEqual({
      kind: "ask",
      journeys: [SUMMER, SLEEP],
    });
    expect(choose("resume", null, [RAISE, FLAT])).toEqual({
      kind: "refuse",
      refusal: { reason: "none-paused" },
    });
  });

  test("takes a name without a word for none", () => {
    for (const name of ["", " ", "“”"]) {
      expect(choose("resume", name)).toEqual(choose("resume"));
      expect(choose("close", name)).toEqual(choose("close"));
      expect(choose("rename", name)).toEqual(choose("rename"));
    }
  });

  test("asks which of several is meant, the active one aside", () => {
    const active = activeLine(5, { title: "Sleep in summer" });
    expect(choose("resume", "sleep", [SLEEP, SUMMER, FLAT])).toEqual({
      kind: "ask",
      journeys: [SUMMER, SLEEP],
    });
    const move = { kind: "resume", journey: SLEEP };
    expect(choose("resume", "sleep", [SLEEP, active])).toEqual({ kind: "move", move });
    expect(choose("close", "sleep", [SLEEP, active])).toEqual({
      kind: "ask",
      journeys: [active, SLEEP],
    });
  });

  test("goes on where the active one is named", () => {
    expect(choose("resume", "find a flat")).toEqual({ kind: "continue" });
    expect(choose("continue", "sleep")).toEqual({ kind: "continue" });
  });

  test("finds journeys that only the archive has", () => {
    const choice = chooseJourneyMove(
      { action: "resume", name: "summer", message: WORDS },
      { lines: [FLAT], all: [FLAT, SUMMER] },
    );
    expect(choice).toEqual({ kind: "move", move: { kind: "resume", journey: SUMMER } });
  });

  test("refuses a name that no journey has", () => {
    const refusal = { reason: "unknown", name: "tennis", known: [SLEEP, RAISE, FLAT] };
    for (const action of ["resume", "pause", "close"] as const) {
      expect(choose(action, "tennis")).toEqual({ kind: "refuse", refusal });
    }
  });

  test("pauses and closes the active one where none is named, for the person's words", () => {
    for (const kind of ["pause", "close"] as const) {
      const move = { kind, journey: FLAT, reason: WORDS };
      expect(choose(kind)).toEqual({ kind: "move", move });
      expect(choose(kind, null, [SLEEP])).toEqual({
        kind: "refuse",
        refusal: { reason: "none-active" },
      });
    }
    const move = { kind: "close", journey: SLEEP, reason: WORDS };
    expect(choose("close", "sleep better")).toEqual({ kind: "move", move });
    expect(choose("pause", "sleep better")).toEqual({
      kind: "refuse",
      refusal: { reason: "paused-already", journey: SLEEP },
    });
    expect(choose("close", "raise")).toEqual({
      kind: "refuse",
      refusal: { reason: "closed-already", journey: RAISE },
    });
  });

  test("renames the active one, once it has a name for it", () => {
    const move = { kind: "rename", journey: FLAT, title: "A home" };
    expect(choose("rename", "A home")).toEqual({ kind: "move", move });
    for (const name of [null, " "]) {
      expect(choose("rename", name)).toEqual({
        kind: "refuse",
        refusal: { reason: "no-title", journey: FLAT },
      });
    }
    expect(choose("rename", "A home", [SLEEP])).toEqual({
      kind: "refuse",
      refusal: { reason: "none-active" },
    });
  });

  test("opens with the person's message, drops the active one's plan, lists", () => {
    expect(choose("new", "sleep")).toEqual({
      kind: "move",
      move: { kind: "open", question: WORDS },
    });
    expect(choose("reopen")).toEqual({ kind: "move", move: { kind: "reopen" } });
    expect(choose("reopen", null, [SLEEP])).toEqual({
      kind: "refuse",
      refusal: { reason: "none-active" },
    });
    expect(choose("list")).toEqual({ kind: "list" });
  });
});

test.each<[message: string, action: JourneyRequest["action"], fitted: JourneyRequest["action"]]>([
  ["thanks!", "close", "continue"],
  ["thanks a lot, good night", "new", "continue"],
  ["why does the nap come before the bottle?", "pause", "continue"],
  ["could you pause this?", "pause", "pause"],
  ["let's pause this, ok?", "pause", "pause"],
  ["pause this. what's for dinner?", "pause", "pause"],
  ["what about a cook instead?", "reopen", "reopen"],
  ["how do I ask for a raise?", "new", "new"],
  ["thanks, that helps", "reopen", "continue"],
  ["I had a bad day", "new", "continue"],
  ["das war ein schlechter Tag", "new", "continue"],
  ["this does not work for me", "reopen", "reopen"],
  ["noen andre måter", "reopen", "reopen"],
  ["my landlord has raised the rent by a third", "new", "new"],
  ["forget the plan", "reopen", "reopen"],
  ["I am done with it", "close", "close"],
  ["we have moved in, close it", "close", "close"],
  ["that's all, thanks", "close", "close"],
  ["Schluss damit", "close", "close"],
  ["planı kapat", "close", "close"],
  ["thanks, that helps", "close", "continue"],
  ["good", "close", "continue"],
  ["no", "close", "continue"],
  ["I am tired today", "close", "continue"],
  ["das ist ein guter Rat", "close", "continue"],
  ["what a day", "rename", "continue"],
  ["call it moving house", "rename", "rename"],
])("fitJourneyAction() reads %j, read as %s, as %s", (message, action, fitted) => {
  const request = { action, name: action === "rename" ? "Moving house" : null, message };
  expect(fitJourneyAction(request, [FLAT])).toBe(fitted);
  expect(fitJourneyAction(request, [SLEEP])).toBe(action);
});

test("fitJourneyAction() closes at a yes what the question before it would close", () => {
  const request = { action: "close", name: null, message: "yes" } as const;

  expect(fitJourneyAction({ ...request, question: "Shall we close this?" }, [FLAT])).toBe("close");
  expect(fitJourneyAction({ ...request, question: "Does that help?" }, [FLAT])).toBe("continue");
});
