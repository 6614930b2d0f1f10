import { describe, expect, test } from "vitest";
import { ConversationPhaseSchema } from "../../state/turn-summary.ts";
import {
  describeOptions,
  renderConversationFlow,
  type CurrentExchange,
} from "../../summaries/conversation-flow.ts";
import { readGolden } from "../support/read-golden.ts";
import { codTurn } from "../support/seed-turns.ts";

const exchange: CurrentExchange = {
  expressed: "Wants to exclude French Toast and Wings",
  done: "Filtered those out (recipe_5, recipe_6)",
  remaining: "4 options to present",
  phase: "narrowing",
  tone: "collaborative",
  isSmallTalk: false,
};

describe("renderConversationFlow()", () => {
  test("is the seed's example, byte for byte, from the seed's data", async () => {
    const text = renderConversationFlow({
      turn: 3,
      activity: "meal planning",
      records: [codTurn],
      current: exchange,
    });
    expect(text).toBe(await readGolden("seed-conversation-flow"));
  });

  test("has no last exchange in a first turn, which may greet", async () => {
    const text = renderConversationFlow({
      turn: 1,
      activity: "meal planning",
      records: [],
      current: { ...exchange, phase: "exploring", done: null, remaining: null },
    });
    await expect(text).toMatchFileSnapshot("../golden/conversation-flow.first.md");
  });

  test.each(ConversationPhaseSchema.options)(
    "says how to respond in each phase: %s",
    async (phase) => {
      const text = renderConversationFlow({
        turn: 3,
        activity: "meal planning",
        records: [codTurn],
        current: { ...exchange, phase, tone: "problem_solving" },
      });
      await expect(text).toMatchFileSnapshot(`../golden/conversation-flow.${phase}.md`);
    },
  );

  test("answers small talk in a sentence, whatever is open", () => {
    const text = renderConversationFlow({
      turn: 3,
      activity: "meal planning",
      records: [codTurn],
      current: { ...exchange, phase: "exploring", isSmallTalk: true },
    });
    expect(text.split("**How to respond:**")[1]).toBe(
      [
        "",
        "- Answer the remark in one sentence",
        "- Do not list options",
        "- DO NOT restart the conversation — you're mid-flow, not beginning",
      ].join("\n"),
    );
  });

  test("does not greet in mid-conversation, also where no record is left", () => {
    const text = renderConversationFlow({
      turn: 7,
      activity: "meal planning",
      records: [],
      current: exchange,
    });
    expect(text).toContain("- DO NOT restart the conversation — you're mid-flow, not beginning");
    expect(text).not.toContain("Last exchange");
  });
});

test.each([
  [null, null],
  [{ count: 0, isAsked: true }, "no options"],
  [{ count: 1, isAsked: true }, "1 option to present"],
  [{ count: 3, isAsked: true }, "3 options to present"],
  [{ count: 3, isAsked: false }, "3 still open, not asked about"],
  [{ count: 0, isAsked: false }, null],
])("describeOptions() counts %j", (remaining, text) => {
  expect(describeOptions(remaining)).toBe(text);
});
