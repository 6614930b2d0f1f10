import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { findActiveJourney, type JourneyAction } from "../../state/journey.ts";
import type { TurnState } from "../../state/turn.ts";
import {
  conciergeBehaviour,
  conciergeThread,
  lastText,
  listRequests,
  MESSAGES,
  OPENING,
  readMessage,
  sendAll,
  WORKFLOW_BLOCK,
} from "../support/concierge-thread.ts";
import { EXECUTION } from "../support/concierge-documents.ts";
import { testDatabase } from "../support/database.ts";
import { expectSeedStates } from "../support/seed-state.ts";
import { repliesIn, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { understandAnswer } from "../support/turn-state.ts";

/** `SWITCHES=50 npm test -- test/graph/journeys.test.ts` is living-plan.md's proof. */
const SWITCHES = Number(process.env["SWITCHES"] ?? 8);

const database = await testDatabase();

const SLEEP = EXECUTION.goal;
const BIRTHDAY = "new: how do we plan a birthday?";
const TO_STEP = [MESSAGES.question, MESSAGES.reply, MESSAGES.plan, MESSAGES.start] as const;

const DROPPED = "step 1 is off";
const DROP = { kind: "remove", step: "step_1", after: null, text: null, words: DROPPED } as const;

/** Understand reads "resume: X" and the like as the journey's action with its name, "done" as step 1's end. */
const READING: Behaviour = {
  understand: (request) => {
    const message = readMessage(request);
    const [, action, name = ""] =
      /^(resume|pause|close|rename|list)(?:: ([^;]+))?(?:; .+)?$/u.exec(message) ?? [];
    if (action !== undefined) {
      const journey = action as JourneyAction;
      const journeyTo = name === "" ? null : name;
      const planActions = message.includes(DROPPED) ? [DROP] : [];
      return { json: understandAnswer({ lane: "concierge", journey, journeyTo, planActions }) };
    }
    return conciergeBehaviour().understand?.(request) ?? null;
  },
};

describe("journeys", () => {
  test("are taken up again where they stood, without asking anybody, and the person is told", async () => {
    const thread = await conciergeThread(database, { behaviour: READING });
    await sendAll(thread, [...TO_STEP, "done with step 1"]);
    const before = await thread.state();
    await thread.send(BIRTHDAY);

    const events = await thread.send(`resume: ${SLEEP.toLowerCase()}`);

    const message = `resume: ${SLEEP.toLowerCase()}`;
    expect(repliesIn(events)).toEqual([
      [
        `“${BIRTHDAY}” is paused; say “back to ${BIRTHDAY}” to go on with it. We are back at “${SLEEP}”, step 2 of 2.`,
        `Do this about "${message}".`,
      ].join("\n\n"),
    ]);
    const after = await thread.state();
    expect(after.journeyPlan).toEqual(before.journeyPlan);
    expect(after.concierge).toMatchObject({ currentPhase: "executor" });
    expect(after.conciergeThread.messages.slice(0, -2)).toEqual(before.conciergeThread.messages);
    expect(events.filter(({ type }) => type === "expert-start")).toEqual([]);
  });

  test("do not change by a wish that comes with the way back: nobody was shown their steps", async () => {
    const thread = await conciergeThread(database, { behaviour: READING });
    await sendAll(thread, [...TO_STEP, "rename: one"]);
    const one = (await thread.state()).journeyPlan;
    await sendAll(thread, [BIRTHDAY, MESSAGES.reply, MESSAGES.plan, "rename: two"]);
    const two = (await thread.state()).journeyPlan;
    expect([one?.version, two?.version]).toEqual([1, 1]);

    await thread.send(`resume: one; ${DROPPED}`);

    expect((await thread.state()).journeyPlan).toEqual(one);
    const prompt = lastText(listRequests(thread, "executor").at(-1) ?? missing());
    expect(prompt).toContain(`Not done, “${DROPPED}”: `);
    await thread.send("resume: two");
    expect((await thread.state()).journeyPlan).toEqual(two);
  });

  test("have no ids in titles that a concierge hands over", async () => {
    const thread = await conciergeThread(database, {
      behaviour: READING,
      concierge: (phase) =>
        phase === "explorer"
          ? `Fine.\n\n${WORKFLOW_BLOCK.replace(EXECUTION.goal, "sleep better (see step_9, decision_1)")}`
          : null,
    });
    await sendAll(thread, TO_STEP.slice(0, 3));

    const [active] = (await thread.state()).journeys;

    expect(active?.title).toBe("sleep better");
  });

  test("are paused, renamed, listed and closed, in code's words", async () => {
    const thread = await conciergeThread(database, { behaviour: READING });
    await sendAll(thread, TO_STEP);

    const turns = await sendAll(thread, [
      "rename: Sleep",
      "pause",
      "list",
      "resume: sleeep",
      "close: sleep",
      "resume: nothing like it",
    ]);

    expect(turns.map(repliesIn)).toEqual([
      [`“${SLEEP}” is called “Sleep” from now on.`],
      ["“Sleep” is paused at step 1 of 2; say “back to Sleep” to go on with it."],
      [
        "Journeys in this conversation:\n- “Sleep”: paused at step 1 of 2\nSay “back to” and its name to go on with one.",
      ],
      ['We are back at “Sleep”, step 1 of 2.\n\nDo this about "resume: sleeep".'],
      ["“Sleep” is closed; say “back to Sleep” to take it up again."],
      ["I know no journey called “nothing like it” in this conversation. There is “Sleep”."],
    ]);
    const { journeys, journeyPlan } = await thread.state();
    expect(journeys).toMatchObject([{ title: "Sleep", status: "closed", reason: "close: sleep" }]);
    expect(journeyPlan).toBeNull();
  });

  test(
    "keep plan and phase over random switches between five of them, though processes die",
    async () => {
      const names = ["one", "two", "three", "four", "five"];
      let dies = false;
      const { concierge } = conciergeBehaviour();
      const thread = await conciergeThread(database, {
        limits: { attemptsPerMessage: 9 },
        behaviour: {
          ...READING,
          concierge: (request) => {
            if (!dies) return concierge?.(request) ?? null;
            dies = false;
            return new TypeError("The process has died");
          },
        },
      });
      // The first of them has a plan, and its first step is done.
      await sendAll(thread, [...TO_STEP, "done with step 1", "rename: one"]);
      for (const name of names.slice(1)) {
        await sendAll(thread, [`new: ${name}?`, `rename: ${name}`]);
      }
      const kept = new Map<string, unknown>();
      for (const { title } of (await thread.state()).journeys) {
        if (title !== "five") await thread.send(`resume: ${title}`);
        else await thread.send("resume: five");
        kept.set(title, look(await thread.state()));
      }
      const targets = fc.sample(fc.tuple(fc.constantFrom(...names), fc.boolean()), {
        numRuns: SWITCHES,
        seed: 20_260_112,
      });
      for (const [name, isKilled] of targets) {
        const before = nameActive(await thread.state());
        dies = isKilled;
        const options = { messageId: `m-${crypto.randomUUID()}` };
        const first = await thread.send(`resume: ${name}`, options);
        const events =
          dies || repliesIn(first).length === 0 ? await again(thread, name, options) : first;
        dies = false;

        await expectSeedStates(thread);
        const state = await thread.state();
        expect(nameActive(state)).toBe(name);
        expect(look(state)).toEqual(kept.get(name));
        const reply = repliesIn(events).join("\n");
        expect(reply.includes(`“${before}” is paused`)).toBe(before !== name);
      }
      const lines = (await thread.state()).journeys;
      expect(lines.filter(({ status }) => status === "active")).toHaveLength(1);
      expect(lines.filter(({ status, reason }) => status !== "active" && reason === null)).toEqual(
        [],
      );
    },
    120_000 + SWITCHES * 2_000,
  );

  test("that are not in the foreground are shown to Understand, with their ids", async () => {
    const thread = await conciergeThread(database, { behaviour: READING });
    await sendAll(thread, [MESSAGES.question, BIRTHDAY, "hm"]);

    const asked = thread.requests.findLast(({ role }) => role === "understand");
    expect(lastText(asked ?? missing())).toContain(
      `## Journeys\n\n<data>\n- journey_1 “${MESSAGES.question}”: paused\n</data>`,
    );
    expect(listRequests(thread, "starter").length).toBeGreaterThan(1);
    expect(OPENING).not.toBe("");
  });
});

/** The parts of the state that a journey brings back. */
function look({ journeyPlan, concierge }: TurnState): unknown {
  const { currentPhase, intentHandover, executionHandover, activeWorkflow } = concierge;
  return { journeyPlan, currentPhase, intentHandover, executionHandover, activeWorkflow };
}

function nameActive({ journeys }: TurnState): string {
  return findActiveJourney(journeys)?.title ?? "";
}

function again(thread: TestThread, name: string, options: { readonly messageId: string }) {
  return thread.send(`resume: ${name}`, options);
}

function missing(): never {
  throw new Error("Cannot look at the prompt: it was not sent");
}
