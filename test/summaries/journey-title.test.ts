import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { JourneyState } from "../../state/journey.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { titleKey } from "../../state/plan-words.ts";
import { fallbackHandover } from "../../summaries/complete-handover.ts";
import { chooseJourneyTitle, makeJourneyTitle } from "../../summaries/journey-title.ts";
import { nastyText } from "../support/arbitraries.ts";

const QUESTION = "How do I sleep better?";

/** The goals of a journey's handovers; left out for no handover. */
interface HandedOver {
  readonly intent?: string;
  readonly execution?: string;
}

function handedOver({
  intent = "",
  execution = "",
}: HandedOver): Pick<JourneyState, "opening" | "concierge"> {
  const opening = { question: QUESTION, answer: "Rest.", analysis: null };
  const handover = fallbackHandover({ opening, userReply: "" }, { userMessages: [] });
  return {
    opening,
    concierge: {
      ...INITIAL_PHASE_STATE,
      intentHandover: intent === "" ? null : { ...handover, impliedGoal: intent },
      executionHandover:
        execution === ""
          ? null
          : {
              goal: execution,
              problemSummary: "",
              situation: "",
              constraints: [],
              priorities: [],
              decisionsMade: [],
              openQuestions: [],
              explorationHighlights: [],
            },
    },
  };
}

/** Returns the title that a journey has after these goals, beside others of these titles. */
function rename(title: string, goals: HandedOver, known: string[] = []): string {
  return chooseJourneyTitle(
    { id: "journey_1", title },
    handedOver(goals),
    known.map((each, index) => ({ id: `journey_${index + 2}`, title: each })),
  );
}

describe("chooseJourneyTitle()", () => {
  test("takes the goal that was handed over in place of the question, the newest", () => {
    expect(rename(QUESTION, {})).toBe(QUESTION);
    expect(rename(QUESTION, { intent: "Sleep" })).toBe("Sleep");
    expect(rename("Sleep", { intent: "Sleep", execution: "Sleep seven hours" })).toBe(
      "Sleep seven hours",
    );
  });

  test("keeps a title that the person gave", () => {
    expect(rename("Rest", { intent: "Sleep", execution: "Sleep seven hours" })).toBe("Rest");
  });

  test("numbers a title that another journey has, and keeps the number", () => {
    expect(rename(QUESTION, { intent: "Sleep" }, ["SLEEP!", "Sleep (2)"])).toBe("Sleep (3)");
    expect(rename("Sleep (3)", { intent: "Sleep" }, [])).toBe("Sleep (3)");
    expect(rename("Sleep (3)", { intent: "Sleep", execution: "Rest" }, [])).toBe("Rest");
  });
});

test.prop([nastyText, fc.array(nastyText, { maxLength: 4 })])(
  "makeJourneyTitle() gives one line of 1 to 60 characters that no other journey has",
  (text, others) => {
    let known: { id: string; title: string }[] = [];
    for (const [index, other] of [...others, text, text.repeat(20), text].entries()) {
      const id = `journey_${index}`;
      const title = makeJourneyTitle(other, { id, known });
      expect(title).toMatch(/^\S/u);
      expect(title).not.toMatch(/\n/u);
      expect(Array.from(title).length).toBeLessThanOrEqual(60);
      expect(known.map((each) => titleKey(each.title))).not.toContain(titleKey(title));
      known = [...known, { id, title }];
    }
  },
);
