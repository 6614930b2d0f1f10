import { ModelError } from "../../state/model.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { renderSentence } from "../../text/sentences.ts";
import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { renderPlan } from "../../prompts/render-plan.ts";
import type { TurnEvent } from "../../state/event.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { ShortPlanAction } from "../../state/plan-action.ts";
import { viewPlan } from "../../state/view-plan.ts";
import { countRoughly } from "../support/arbitraries.ts";
import {
  conciergeBehaviour,
  conciergeThread,
  lastText,
  listRequests,
  MESSAGES,
  readMessage,
  readPhase,
  sendAll,
  type ConciergeScript,
} from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { plannedPlan } from "../support/journey-plans.ts";
import { expectSeedStates } from "../support/seed-state.ts";
import { openThread, repliesIn, testThread, type Behaviour } from "../support/test-thread.ts";
import { NARRATIVE_ANSWER, understandAnswer } from "../support/turn-state.ts";

/** `PLAN_TURNS=40 npm test -- test/graph/living-plan.test.ts` is living-plan.md's proof. */
const TURNS = Number(process.env["PLAN_TURNS"] ?? 10);
const TIMEOUT = 60_000 + TURNS * 2_000;

const database = await testDatabase();

/** The plan as a model outlines it: Room rests on Tickets and the week, Invite on Room. */
const OUTLINE = plannedPlan(
  [
    { title: "Tickets", phase: "Book", time: "20 min", doneWhen: "they are printed" },
    {
      title: "Room",
      phase: "Book",
      pitfall: "the noisy side",
      restsOnSteps: [1],
      restsOnDecisions: [1],
    },
    { title: "Invite", phase: "Ask", restsOnSteps: [2] },
    { title: "Passport", phase: "Ask", restsOnMade: [1] },
  ],
  [{ question: "Which week?", recommendation: "the first", atStep: 1 }],
);

/** One message, and what Understand says that it asks of the plan. */
interface Asked {
  readonly text: string;
  readonly planActions: ShortPlanAction[];
}

const WORDS: Readonly<Record<ShortPlanAction["kind"], readonly string[]>> = {
  add: ["add a step", "noch ein Schritt"],
  remove: ["drop that one", "der fällt weg"],
  move: ["do it earlier", "das kommt zuerst"],
  done: ["that one is finished", "das ist erledigt"],
  open: ["open it again", "doch noch offen"],
  skip: ["skip it", "das überspringen wir"],
  note: ["it takes longer than said", "es dauert länger"],
  decide: ["we take the second one", "wir nehmen die zweite"],
  focus: ["I begin with that", "damit fange ich an"],
  undo: ["undo that", "mach das rückgängig"],
};

/** A message that asks for a change of the plan, in English or in German. */
function drawMessage(plan: JourneyPlan, turn: number): Asked {
  const kinds = Object.keys(WORDS) as ShortPlanAction["kind"][];
  const [draw] = fc.sample(
    fc.record({
      kind: fc.constantFrom(...kinds),
      language: fc.constantFrom(0, 1),
      step: fc.constantFrom(...plan.steps.map(({ id }) => id)),
      after: fc.constantFrom("start", null, ...plan.steps.map(({ id }) => id)),
      decision: fc.constantFrom(null, ...plan.decisions.map(({ id }) => id)),
    }),
    { numRuns: 1, seed: 20_260_112 + turn },
  );
  if (draw === undefined) throw new Error("Nothing was drawn");
  const { kind, language, step, after, decision } = draw;
  const words = `${turn}: ${WORDS[kind][language] ?? ""}`;
  return {
    text: `${words}, bitte`,
    planActions: [
      {
        kind,
        step: kind === "decide" ? decision : kind === "add" || kind === "undo" ? null : step,
        after: kind === "add" || kind === "move" ? after : null,
        text: kind === "add" || kind === "note" || kind === "decide" ? words : null,
        words,
      },
    ],
  };
}

/** Shows the plan of the outline. */
const showOutline: ConciergeScript = (phase, request) =>
  phase === "executor" && lastText(request).includes("Write the plan")
    ? OUTLINE.steps.map(({ title }, at) => `${at + 1}. ${title}`).join("\n")
    : null;

/** Understand's answers to the messages of a play, by their text. */
function playPlan() {
  const asked = new Map<string, ShortPlanAction[]>();
  const { understand, ...others } = conciergeBehaviour(showOutline);
  const behaviour: Behaviour = {
    ...others,
    understand: (request) => {
      const planActions = asked.get(readMessage(request));
      if (planActions === undefined) return understand?.(request) ?? null;
      return { json: understandAnswer({ lane: "concierge", planActions }) };
    },
    summarize: ({ schema }) => ({
      json: schema?.name === "workflow" ? OUTLINE : NARRATIVE_ANSWER,
    }),
  };
  return { asked, behaviour };
}

const TO_PLAN = [MESSAGES.question, MESSAGES.reply, MESSAGES.plan, MESSAGES.start] as const;

describe("a plan that follows the person", () => {
  test(
    "is changed before the concierge speaks, in every turn, stored in the seeds' shape too, and survives a roll-over whole",
    async () => {
      const { asked, behaviour } = playPlan();
      const thread = await conciergeThread(database, { behaviour });
      await sendAll(thread, TO_PLAN);
      const versions = new Set<number>();
      for (let turn = 1; turn <= TURNS; turn += 1) {
        const before = (await thread.state()).journeyPlan ?? missing();
        const { text, planActions } = drawMessage(before, turn);
        asked.set(text, planActions);

        const events = await thread.send(text);

        await expectSeedStates(thread);
        const after = (await thread.state()).journeyPlan ?? missing();
        const prompt = lastText(listRequests(thread, "executor").at(-1) ?? missing());
        const change = changesIn(events);
        expect(change.map(({ version }) => version)).toEqual(
          after.version === before.version ? [] : [after.version],
        );
        const reply = repliesIn(events).join("\n");
        const [report = ""] = reply.split("\n\n");
        expect(prompt).toContain(`## Changed Just Now\n\n${report}\n\n`);
        expect(report.startsWith("Not done, “")).toBe(change.length === 0);
        const section = `## The Plan Now, Version ${after.version}\n\n${renderWhole(after)}`;
        // A fresh instance has the plan whole in its first prompt, changed or not.
        const isFresh = prompt.includes("## Active Plan\n\n");
        expect(prompt.includes(`## Active Plan\n\n${renderWhole(after)}`)).toBe(isFresh);
        expect(prompt.includes(section)).toBe(change.length > 0 && !isFresh);
        const [affected = ""] = change.map(({ affected: steps }) => steps);
        expect(/\bSteps? \d[^.]*\brest/u.test(report)).toBe(affected !== "");
        versions.add(after.version);
      }
      expect(versions.size).toBeGreaterThan(TURNS / 2);

      const plan = (await thread.state()).journeyPlan ?? missing();
      const other = openThread(database, { run: thread.run, behaviour, modelName: "another" });
      await other.send("what now?");

      const [first, last] = listRequests(other, "executor").at(-1)?.messages ?? [];
      expect([first?.role, last?.role]).toEqual(["system", "user"]);
      expect(last?.text).toContain(`## Active Plan\n\n${renderWhole(plan)}\n\n`);
      expect(last?.text).not.toContain("The Plan Now");
    },
    TIMEOUT,
  );

  test.each([
    ["yes", "skipped"],
    ["yes, but not now", "open"],
    ["evet, ama şimdi değil", "open"],
    ["how long does step 1 take?", "open"],
    ["thanks", "open"],
  ])(
    "says what it held back, asks below its reply, and is changed by %j to %j",
    async (answer, mark) => {
      const { asked, behaviour } = playPlan();
      const thread = await conciergeThread(database, { behaviour });
      await sendAll(thread, TO_PLAN);
      const ask = { after: null, text: null };
      const text = "Drop step 3. Maybe skip step 2. Don't drop step 4.";
      asked.set(text, [
        { ...ask, kind: "remove", step: "step_3", words: "Drop step 3" },
        { ...ask, kind: "skip", step: "step_2", words: "skip step 2" },
        { ...ask, kind: "remove", step: "step_4", words: "drop step 4" },
      ]);
      asked.set(answer, [{ ...ask, kind: "remove", step: "step_1", words: answer }]);

      const [reply = ""] = repliesIn(await thread.send(text));

      const report = [
        "Removed from the plan: “Invite”.",
        "Not done, “skip step 2”: I read that as a thought or a condition.",
        "Not done, “drop step 4”: I read that as a no.",
      ].join(" ");
      const question = "A yes would mean: Skipped: 2 (“Room”). Shall I?";
      expect(reply.startsWith(`${report}\n\n`)).toBe(true);
      expect(reply.endsWith(`\n\n${question}`)).toBe(true);
      const prompt = lastText(listRequests(thread, "executor").at(-1) ?? missing());
      expect(prompt).toContain(report);
      expect(prompt).toContain(question);

      const [next = ""] = repliesIn(await thread.send(answer));

      expect(next.endsWith(`\n\n${question}`)).toBe(/^(?:yes|evet),/u.test(answer));
      const { steps } = (await thread.state()).journeyPlan ?? missing();
      expect(steps.map(({ title, mark: as }) => [title, as])).toEqual([
        ["Tickets", "open"],
        ["Room", mark],
        ["Passport", "open"],
      ]);
    },
  );

  test("is asked about again at a yes that comes after another message", async () => {
    const { asked, behaviour } = playPlan();
    const thread = await conciergeThread(database, { behaviour });
    await sendAll(thread, TO_PLAN);
    const ask = { kind: "skip", step: "step_2", after: null, text: null } as const;
    asked.set("Maybe skip step 2.", [{ ...ask, words: "skip step 2" }]);

    const turns = await sendAll(thread, [
      "Maybe skip step 2.",
      "tell me about the tickets",
      "yes, exactly",
      "yes, exactly",
    ]);

    const question = "Step 3 (“Invite”) rests on “Room”, which is skipped. Shall I?";
    expect(turns.map((events) => repliesIn(events).join("").endsWith(question))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect((await thread.state()).journeyPlan?.steps[1]?.mark).toBe("skipped");
  });

  test.each<[string, Partial<UnderstandAnswer>, Behaviour]>([
    ["the task lane", { lane: "task", needs: "talk" }, { reply: () => ({ text: "Fine." }) }],
    ["code", { meta: "sources" }, {}],
    ["an apology", {}, { concierge: () => new ModelError("model_unreachable", "Away") }],
  ])(
    "is asked about below the words of %s too, and a yes changes it",
    async (_, answer, models) => {
      const { behaviour } = playPlan();
      const thread = await conciergeThread(database, { behaviour });
      await sendAll(thread, TO_PLAN);
      const open = (given: Partial<UnderstandAnswer>, others: Behaviour = {}) =>
        openThread(database, {
          run: thread.run,
          behaviour: {
            ...behaviour,
            ...others,
            understand: () => ({ json: understandAnswer({ lane: "concierge", ...given }) }),
          },
        });
      const skip = { kind: "skip", step: "step_2", after: null, text: null } as const;
      const planActions = [{ ...skip, words: "skip step 2" }];

      const [reply = ""] = repliesIn(
        await open({ planActions, ...answer }, models).send("Maybe skip step 2."),
      );
      const [done = ""] = repliesIn(await open({ lane: "task", needs: "talk" }).send("yes"));

      const skipped = "Skipped: 2 (“Room”). Step 3 (“Invite”) rests on “Room”, which is skipped.";
      expect(reply).toContain("Not done, “skip step 2”: ");
      expect(reply.endsWith(`\n\nA yes would mean: ${skipped} Shall I?`)).toBe(true);
      expect(done.startsWith(`${skipped}\n\n`)).toBe(true);
      expect((await thread.state()).journeyPlan?.version).toBe(2);
    },
  );

  test("is not changed by a model that says more than the message", async () => {
    const { asked, behaviour } = playPlan();
    const thread = await conciergeThread(database, { behaviour });
    await sendAll(thread, TO_PLAN);
    const before = (await thread.state()).journeyPlan;
    const text = "how long does the first step take?";
    asked.set(text, [
      { kind: "done", step: "step_1", after: null, text: null, words: "step 1 is done" },
      { kind: "remove", step: "step_2", after: null, text: null, words: "drop step 2" },
    ]);

    const events = await thread.send(text);

    expect((await thread.state()).journeyPlan).toEqual(before);
    expect(changesIn(events)).toEqual([]);
    expect(lastText(listRequests(thread, "executor").at(-1) ?? missing())).toBe(text);
  });

  test("is changed, or says that it is not, where Understand gives no id of a step that it was shown", async () => {
    const { behaviour } = playPlan();
    const thread = await conciergeThread(database, { behaviour });
    await sendAll(thread, TO_PLAN);
    const replies: string[] = [];
    for (const [step, words] of [
      ["Tickets", "the tickets are done"],
      ["step_9", "step 9 is done"],
    ] as const) {
      const done = { kind: "done", step, after: null, text: null, words } as const;
      const understand = () => ({
        json: understandAnswer({ lane: "concierge", planActions: [done] }),
      });
      const { run } = thread;
      const other = openThread(database, { run, behaviour: { ...behaviour, understand } });
      replies.push(...repliesIn(await other.send(words)));
    }

    expect(replies).toEqual([
      expect.stringContaining("Done: 1 (“Tickets”)."),
      expect.stringContaining("Not done, “step 9 is done”: "),
    ]);
    expect((await thread.state()).journeyPlan?.version).toBe(2);
  });

  test("is read again in the next turn where it is shown and could not be read", async () => {
    const { behaviour } = playPlan();
    let isAway = true;
    const thread = await conciergeThread(database, {
      behaviour: {
        ...behaviour,
        concierge: (request) =>
          readPhase(request) === "executor" && lastText(request).includes("Write the plan")
            ? "**Tickets**, **Room**, **Invite**, **Passport**"
            : (behaviour.concierge?.(request) ?? null),
        summarize: (request) =>
          isAway && request.schema?.name === "workflow"
            ? new ModelError("model_unreachable", "Cannot ask the model")
            : (behaviour.summarize?.(request) ?? null),
      },
    });
    await sendAll(thread, TO_PLAN.slice(0, 3));
    expect((await thread.state()).journeyPlan).toBeNull();
    isAway = false;
    await thread.send(MESSAGES.start);
    expect((await thread.state()).journeyPlan?.steps.map(({ title }) => title)).toEqual(
      OUTLINE.steps.map(({ title }) => title),
    );
  });

  test("is the one that is shown, whatever a model reads in it", async () => {
    const { behaviour } = playPlan();
    const boat = plannedPlan(["Buy a boat", "Sail"]);
    const thread = await conciergeThread(database, {
      behaviour: {
        ...behaviour,
        summarize: (request) =>
          request.schema?.name === "workflow"
            ? { json: boat }
            : (behaviour.summarize?.(request) ?? null),
      },
    });
    await sendAll(thread, TO_PLAN);

    expect((await thread.state()).journeyPlan?.steps.map(({ title }) => title)).toEqual(
      OUTLINE.steps.map(({ title }) => title),
    );
  });

  const DROP = { kind: "remove", step: "step_2", after: null, text: null } as const;
  const SAID = "Removed from the plan: “Room”. Step 2 (“Invite”) rested on “Room”.";

  test("is said by code in every lane, whatever a model says or does not say", async () => {
    const { asked, behaviour } = playPlan();
    const claims = "I have removed step 1 and step 4.";
    const away = new ModelError("model_unreachable", "Cannot ask the model");
    const silent: Behaviour = { concierge: () => away };
    const unspoken: Behaviour = { reply: () => away };
    const lanes: readonly [Partial<UnderstandAnswer>, Behaviour][] = [
      [{}, { concierge: () => ({ text: claims }) }],
      [{}, silent],
      [{ meta: "sources" }, {}],
      [{ lane: "task", needs: "talk" }, { reply: () => ({ text: "Fine." }) }],
      [{ lane: "task", needs: "talk" }, unspoken],
    ];
    for (const [answer, models] of lanes) {
      const thread = await conciergeThread(database, { behaviour });
      await sendAll(thread, TO_PLAN);
      const text = "drop step 2";
      const planActions = [{ ...DROP, words: text }];
      asked.set(text, planActions);
      const other = openThread(database, {
        run: thread.run,
        behaviour: {
          ...behaviour,
          ...models,
          understand: () => ({
            json: understandAnswer({ lane: "concierge", planActions, ...answer }),
          }),
        },
      });

      const events = await other.send(text);
      const [reply = ""] = repliesIn(events);

      expect(reply.startsWith(SAID)).toBe(true);
      // Nobody is asked to send again what is done.
      const isSilent = models === silent || models === unspoken;
      expect(reply.endsWith(`\n\n${renderSentence("changesStand")}`)).toBe(isSilent);
      expect(readEnd(events)).toBe(isSilent ? "degraded" : "answered");
      expect(reply).not.toContain(renderSentence("nothingChanged"));
      const { journeyPlan, unansweredMessages } = await other.state();
      expect(journeyPlan?.version).toBe(2);
      // A later prompt shows what was not answered, and that this part of it is dealt with.
      expect(unansweredMessages).toEqual(
        models === silent ? [`${text} [Dealt with, and they were told: ${SAID}]`] : [],
      );
    }
  });
});

/** The versions that a turn made, each with the ids of what rests on the change. */
function changesIn(events: readonly TurnEvent[]) {
  return events.flatMap((event) =>
    event.type === "plan-change"
      ? { version: event.plan.version, affected: event.affected.map(({ step }) => step).join() }
      : [],
  );
}

function readEnd(events: readonly TurnEvent[]) {
  const end = events.at(-1);
  return end?.type === "turn-end" ? end.outcome : end?.type;
}

function renderWhole(plan: JourneyPlan): string {
  return renderPlan(viewPlan(plan), { detail: "full", countTokens: countRoughly });
}

function missing(): never {
  throw new Error("Cannot look at it: it is not there");
}

test.each([
  ["step 9 is done", "Not done, “step 9 is done”: there is no plan.\n\nGreat, step 9 is done."],
  ["is step 9 done?", "Great, step 9 is done."],
])("what %j asks of a plan that there is none of is said by code", async (message, reply) => {
  const done = { kind: "done", step: "step_9", after: null, text: null, words: message } as const;
  const thread = await testThread(database, {
    behaviour: {
      understand: () => ({ json: understandAnswer({ lane: "concierge", planActions: [done] }) }),
      reply: () => ({ text: "Great, step 9 is done." }),
    },
  });

  const replies = repliesIn(await thread.send(message));
  expect(replies).toEqual([reply]);
});
