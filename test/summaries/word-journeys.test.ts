import { describe, expect, test } from "vitest";
import type { JourneyLine } from "../../state/journey.ts";
import type { JourneyRefusal } from "../../summaries/choose-journey-move.ts";
import type { JourneyNews } from "../../summaries/move-journey.ts";
import {
  renderJourneyList,
  renderJourneyNews,
  renderJourneyQuestion,
  renderJourneyRefusal,
} from "../../summaries/word-journeys.ts";
import { activeLine, journeyLine } from "../support/journey-lines.ts";

const SLEEP = journeyLine(1, { title: "Sleep better", progress: { step: 2, of: 4 } });
const RAISE = journeyLine(4, { title: "Ask for a raise" });
const MOVE = journeyLine(6, {
  title: "Move house",
  status: "closed",
  reason: "done",
  progress: { step: null, of: 3 },
});

function left(journey: JourneyLine): JourneyNews {
  return { kind: "left", journey };
}

function resumed(journey: JourneyLine): JourneyNews {
  return { kind: "resumed", journey };
}

test("renderJourneyNews() says what was left, at which step, and the way back", () => {
  const news: readonly (readonly JourneyNews[])[] = [
    [left(SLEEP)],
    [left(RAISE), resumed(SLEEP)],
    [left(MOVE), resumed(RAISE)],
    [left({ ...RAISE, status: "closed", reason: "I have a new job" })],
    [{ kind: "renamed", from: "Sleep", journey: SLEEP }],
    [],
  ];
  expect(news.map((each) => renderJourneyNews(each))).toEqual([
    "“Sleep better” is paused at step 2 of 4; say “back to Sleep better” to go on with it.",
    "“Ask for a raise” is paused; say “back to Ask for a raise” to go on with it. We are back at “Sleep better”, step 2 of 4.",
    "“Move house” is finished; say “back to Move house” to look at it again. We are back at “Ask for a raise”.",
    "“Ask for a raise” is closed; say “back to Ask for a raise” to take it up again.",
    "“Sleep” is called “Sleep better” from now on.",
    "",
  ]);
});

test("renderJourneyQuestion() asks with the titles, six at most", () => {
  expect(renderJourneyQuestion([SLEEP, RAISE])).toBe(
    "Which one do you mean: “Sleep better” or “Ask for a raise”?",
  );
  const many = Array.from({ length: 9 }, (_, index) => journeyLine(index + 1));
  expect(renderJourneyQuestion(many)).toMatch(/“Question 6”, or 3 more\?$/u);
});

describe("renderJourneyRefusal()", () => {
  test.each<[JourneyRefusal, string]>([
    [
      { reason: "unknown", name: "tennis\nclub", known: [SLEEP, RAISE] },
      "I know no journey called “tennis club” in this conversation. There are “Ask for a raise” and “Sleep better”.",
    ],
    [
      { reason: "unknown", name: "tennis", known: [] },
      "I know no journey called “tennis” in this conversation.",
    ],
    [{ reason: "none-active" }, "No journey is open at the moment."],
    [{ reason: "none-paused" }, "No other journey is there to go back to."],
    [{ reason: "paused-already", journey: SLEEP }, "“Sleep better” is paused already."],
    [{ reason: "closed-already", journey: MOVE }, "“Move house” is closed already."],
    [{ reason: "no-title", journey: SLEEP }, "What shall “Sleep better” be called?"],
    [
      { reason: "not-kept", journey: SLEEP },
      "“Sleep better” is too old: what was said in it is no longer stored.",
    ],
  ])("words %j", (refusal, sentence) => {
    expect(renderJourneyRefusal(refusal)).toBe(sentence);
  });
});

describe("renderJourneyList()", () => {
  test("lists the active journey first, then the newest, and says the way back", () => {
    const active = activeLine(2, { title: "Find a flat", progress: { step: 1, of: 5 } });
    expect(renderJourneyList([SLEEP, active, RAISE, MOVE])).toBe(
      [
        "Journeys in this conversation:",
        "- “Find a flat”: open now, step 1 of 5",
        "- “Move house”: finished",
        "- “Ask for a raise”: paused",
        "- “Sleep better”: paused at step 2 of 4",
        "Say “back to” and its name to go on with one.",
      ].join("\n"),
    );
  });

  test("says nothing of a way back where nothing else is there", () => {
    expect(renderJourneyList([activeLine(1)])).toBe(
      "Journeys in this conversation:\n- “Question 1”: open now",
    );
    expect(renderJourneyList([])).toBe(
      "There is no journey in this conversation yet: ask for advice, and one begins.",
    );
  });

  test("counts what is more than twenty", () => {
    const lines = Array.from({ length: 23 }, (_, index) => journeyLine(index + 1));
    expect(renderJourneyList(lines).split("\n").slice(-2)).toEqual([
      "- 3 more",
      "Say “back to” and its name to go on with one.",
    ]);
  });
});
