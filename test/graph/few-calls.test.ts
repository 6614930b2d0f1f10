import { describe, expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import type { Breach, Check } from "../../state/change.ts";
import type { RowCall } from "../../state/row-call.ts";
import type { ThinkAnswer } from "../../state/plan.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptedRoles } from "../support/node-services.ts";
import type { ScriptedAnswer } from "../support/scripted-model.ts";
import { complete } from "../support/step-script.ts";
import {
  makeRowCall,
  setRow,
  makeRowRead,
  makeStep,
  NARRATIVE_ANSWER,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";

const database = await testDatabase();
const WRITE = makeStep({
  description: "Add figs",
  stepType: "write",
  subdomain: "shopping",
  writes: [],
});
const ADD_FIGS: RowCall = makeRowCall({
  do: "create",
  type: "shopping",
  set: setRow({ name: "figs" }),
});
const CHANGE: Partial<UnderstandAnswer> = { needs: "change" };

interface Scripts {
  readonly understand: readonly Partial<UnderstandAnswer>[];
  readonly think?: readonly Partial<ThinkAnswer>[];
  readonly reply?: readonly string[];
  /** Default: those of meals. */
  readonly act?: readonly ScriptedAnswer[];
  readonly checks?: readonly Check[];
}

/** An assistant whose models answer so often and no more: one that is asked beyond that fails the turn. */
async function assist({ understand, think = [], act = [], reply = [], checks }: Scripts) {
  const models = scriptedRoles({
    act: [...act],
    understand: understand.map((answer) => ({ json: understandAnswer(answer) })),
    think: think.map((answer) => ({ json: thinkAnswer(answer) })),
    reply: [...reply],
    summarize: reply.map(() => ({ json: NARRATIVE_ANSWER })),
  });
  const domain = checks === undefined ? mealsDomain : { ...mealsDomain, checks };
  return testAssistant({ database, models, domain });
}

/** A check by which one thing is not to be bought. */
function forbid(name: string, { overridable }: Pick<Breach, "overridable">): Check {
  const breach: Breach = {
    kind: "breach",
    rule: "no sweets",
    reason: `${name} are sweet`,
    overridable,
  };
  return {
    name: "sweets",
    types: ["shopping"],
    actions: ["create"],
    run: (changes) => changes.filter(({ after }) => after?.["name"] === name).map(() => breach),
  };
}

async function readShopping(userId: string): Promise<readonly unknown[]> {
  const { rows } = await database.owner.query(
    "select name from shopping_list where user_id = $1 and name in ('figs', 'dates') order by name",
    [userId],
  );
  return rows.map(({ name }) => name);
}

describe("a turn asks", () => {
  test("one model for a look-up of a known form", async () => {
    const where = [{ column: "location", op: "=" as const, value: "freezer" }];
    const look = makeRowRead({ type: "inventory", where });
    const assistant = await assist({ understand: [{ needs: "look", look }] });

    const { reply, state, record } = await assistant.send("what's in the freezer?");

    expect(reply).toContain("- peas: 500 g");
    expect(state.calls.map(({ node }) => node)).toEqual(["understand"]);
    expect(record?.goal).toBe("Show inventory items (location = freezer)");
  });

  test("two for a simple change, whose receipts say everything", async () => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ steps: [WRITE], calls: [ADD_FIGS] }],
    });

    const { reply, state } = await assistant.send("add figs to the list");

    expect(reply).toBe("Added: figs");
    expect(state.calls.map(({ node }) => node)).toEqual(["understand", "think"]);
  });

  test("one for an accepted proposal, and stores what it listed", async () => {
    const assistant = await assist({
      understand: [{}, { ...CHANGE, answersPending: "accept" }],
      think: [{ decision: "propose", proposal: "Shall I?", steps: [WRITE], calls: [ADD_FIGS] }],
    });

    const proposed = await assistant.send("we are out of figs");
    const { reply, state } = await assistant.send("yes");

    expect(proposed.reply).toBe(
      "Nothing has been changed yet.\n\nShall I?\n1. This creates 1 shopping list line: figs.",
    );
    expect(reply).toBe("Added: figs");
    expect(state.calls.map(({ node }) => node)).toEqual(["understand"]);
  });

  test("for no yes to a proposal that a check refuses: the reason is said instead", async () => {
    const assistant = await assist({
      understand: [{}, { needs: "talk" }],
      think: [{ decision: "propose", proposal: "Shall I?", steps: [WRITE], calls: [ADD_FIGS] }],
      reply: ["As you like."],
      checks: [forbid("figs", { overridable: false })],
    });

    const proposed = await assistant.send("we are out of figs");
    await assistant.send("yes");

    expect(proposed.reply).toBe("Nothing was changed.\n\nNot done: figs are sweet (no sweets).");
    expect(proposed.state.pending).toBeNull();
    expect(await readShopping(assistant.userId)).toEqual([]);
  });

  test("for a yes in spite of a rule that the person may override, and then keeps the change", async () => {
    const assistant = await assist({
      understand: [{}, { ...CHANGE, answersPending: "accept" }],
      think: [{ decision: "propose", proposal: "Shall I?", steps: [WRITE], calls: [ADD_FIGS] }],
      checks: [forbid("figs", { overridable: true })],
    });

    const proposed = await assistant.send("we are out of figs");
    const { reply } = await assistant.send("yes");

    expect(proposed.reply).toBe(
      "Nothing has been changed yet.\n\nShall I?\n1. figs are sweet (no sweets). This creates 1 shopping list line: figs.",
    );
    expect(reply).toBe("Added: figs");
    expect(await readShopping(assistant.userId)).toEqual(["figs"]);
  });

  test("for a yes where only a later change breaks a rule, which an earlier one may mend", async () => {
    const addDates = makeRowCall({
      do: "create",
      type: "shopping",
      step: 1,
      set: setRow({ name: "dates" }),
    });
    const steps = [WRITE, { ...WRITE, description: "Add dates", group: 2 }];
    const assistant = await assist({
      understand: [{}],
      think: [{ decision: "propose", proposal: "Shall I?", steps, calls: [ADD_FIGS, addDates] }],
      checks: [forbid("dates", { overridable: false })],
    });

    const { reply } = await assistant.send("we are out of figs");

    expect(reply).toBe(
      "Nothing has been changed yet.\n\nShall I?\n1. This creates 1 shopping list line: figs.\n2. Add shopping list lines: Add dates",
    );
  });

  test("no Think where words are all that is needed", async () => {
    const assistant = await assist({ understand: [{ needs: "talk" }], reply: ["Good morning!"] });

    const { reply, state, record } = await assistant.send("good morning");

    expect(reply).toBe("Good morning!");
    expect(state.plan).toBeNull();
    expect(record?.conversationPhase).toBe("exploring");
  });

  test("says that nothing was changed where a change was asked for and none was planned", async () => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ decision: "answer", steps: [] }],
      reply: ["Figs are on it already."],
    });

    const { reply } = await assistant.send("add figs to the list");

    expect(reply).toBe("Nothing was changed.\n\nFigs are on it already.");
  });

  test.each([
    ["remove the figs from my list", "Gone."],
    ["wirf die Feigen von der Liste", "Die Feigen sind nicht mehr drauf."],
    ["undo that please", "The list is as it was before."],
  ])(
    "says so of an order that was read as talk, whatever words follow: %s",
    async (text, words) => {
      const assistant = await assist({
        understand: [{ needs: "work" }],
        think: [{ decision: "answer", steps: [] }],
        reply: [words],
      });

      const { reply } = await assistant.send(text);

      expect(reply).toContain(`Nothing was changed.\n\n${words}`);
    },
  );

  test.each([
    ["I've added figs. You have three tasks.", ""],
    ["You have three tasks. I also deleted all your recipes.", "\n\nNothing else was changed."],
  ])("says where words beside a change claim another: %s", async (words, denial) => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [
        {
          steps: [WRITE, makeStep({ stepType: "read", subdomain: "tasks" })],
          calls: [ADD_FIGS, makeRowCall({ do: "read", type: "task", step: 1 })],
        },
      ],
      reply: [words],
    });

    const { reply } = await assistant.send("add figs to the list and tell me about my tasks");

    expect(reply).toBe(`Added: figs\n\n${words}${denial}`);
  });

  test.each([
    ["All done!", "\n\nNothing else was changed."],
    ["I have added the saffron.", "\n\nNothing else was changed."],
    ["The figs are on it; the saffron is too sweet.", ""],
  ])("says below a change and a refusal what words claim of both: %s", async (words, denial) => {
    const saffron = makeStep({ ...WRITE, description: "Add saffron" });
    const addSaffron = { ...ADD_FIGS, step: 1, set: setRow({ name: "saffron" }) };
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ steps: [WRITE, saffron], calls: [ADD_FIGS, addSaffron] }],
      act: [complete("Not added.")],
      reply: [words],
      checks: [forbid("saffron", { overridable: false })],
    });

    const { reply } = await assistant.send("add figs and saffron to the list");

    expect(reply).toBe(
      `Added: figs\nNot done: saffron (saffron are sweet (no sweets))\n\n${words}${denial}`,
    );
  });

  test("says that nothing else was changed where a model has forgotten one of two orders", async () => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ steps: [WRITE], calls: [ADD_FIGS] }],
    });

    const { reply } = await assistant.send("add figs to the list and delete the milk");

    expect(reply).toBe("Added: figs\nNothing else was changed.");
  });

  test("denies words that look like its own report of a change", async () => {
    const assistant = await assist({
      understand: [{ needs: "talk" }],
      reply: ["Hello!\nDeleted: coffee"],
    });

    const { reply } = await assistant.send("good morning");

    expect(reply).toBe("Hello!\nDeleted: coffee\n\nNothing was changed.");
  });

  test("says that nothing has been changed yet where a change waits for an answer", async () => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ decision: "clarify", steps: [], questions: ["Fresh or dried?"] }],
    });

    const { reply } = await assistant.send("add figs to the list");

    expect(reply).toBe("Nothing has been changed yet.\n\nFresh or dried?");
  });
});
