import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { describeTurn } from "../../view/describe-turn.ts";
import { reduceTurn, startTurn } from "../../view/reduce-turn.ts";
import { ADDING } from "../support/adding.ts";
import { conciergeThread, MESSAGES, sendAll } from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { call } from "../support/step-script.ts";
import { testThread, type Behaviour } from "../support/test-thread.ts";
import { reduceEvents } from "../support/turn-views.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** Reads, finds the way blocked, plans again, and deletes more than nobody named. */
const REPLANNING: Behaviour = {
  understand: ({ messages }) => ({
    json: understandAnswer(
      messages.at(-1)?.text.includes("\nyes\n") === true ? { answersPending: "accept" } : {},
    ),
  }),
  think: ({ messages }) => ({
    json: thinkAnswer({
      goal: isReplan(messages) ? "Empty the list" : "Tidy up",
      steps: isReplan(messages)
        ? [makeStep({ description: "Delete", stepType: "write", subdomain: "shopping" })]
        : [
            makeStep({ description: "Read", group: 1 }),
            makeStep({ description: "Compare", stepType: "analyze", group: 2 }),
            makeStep({ description: "Never reached", group: 3 }),
          ],
    }),
  }),
  act: ({ messages }) => {
    const step = messages.map(({ text }) => text).join("\n");
    if (step.includes(": Delete\n")) return call("delete_rows", { refs: [], all: "shopping" });
    if (step.includes(": Compare\n")) return call("block_step", BLOCK);
    return call("read_recipes", {});
  },
};
const BLOCK = { reason: "Nothing to compare", tried: "reading", suggestion: "replan" };

function isReplan(messages: readonly { readonly text: string }[]): boolean {
  return messages.some(({ text }) => text.includes("Nothing to compare"));
}

const adding = await testThread(database, { behaviour: ADDING });
const replanning = await testThread(database, { behaviour: REPLANNING });
const concierge = await conciergeThread(database);
const [added = []] = await sendAll(adding, ["add figs"]);
const [replanned = [], confirmed = []] = await sendAll(replanning, ["tidy up", "yes"]);
const [opening = [], ...plan] = await sendAll(concierge, Object.values(MESSAGES));
const STREAMS = [added, replanned, confirmed, opening, ...plan];

test.each([
  ["write", added],
  ["replan", replanned],
  ["confirmed", confirmed],
  ["experts", opening],
])("reduceTurn() makes the whole view of a turn: %s", async (name, events) => {
  const { thread = "", run = "" } = events[0] ?? {};
  const view = JSON.stringify(reduceEvents(events), null, 2)
    .replaceAll(thread, "thread")
    .replaceAll(run, "run")
    .replaceAll(/"effect": "e\d+"/gu, '"effect": "e1"')
    .replaceAll(/"expiresAt": "[^"]+"/gu, '"expiresAt": "later"');

  await expect(`${view}\n`).toMatchFileSnapshot(`../golden/turn-view.${name}.json`);
});

/** A stream, and the places where its reader loses the connection and starts again from somewhere before. */
const resumedStream = fc
  .record({
    stream: fc.constantFrom(...STREAMS),
    resumes: fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { maxLength: 8 }),
  })
  .map(({ stream, resumes }) => {
    const received: TurnEvent[] = [];
    let next = 0;
    for (const [more, back] of resumes) {
      received.push(...stream.slice(next, next + more));
      next = Math.max(0, Math.min(next + more, stream.length) - back);
    }
    return { stream, received: [...received, ...stream.slice(next)] };
  });

law.prop([resumedStream], { numRuns: 2_000 })(
  "reduceTurn() makes the same view of a stream that is cut and repeated anywhere",
  ({ stream, received }) => {
    expect(reduceEvents(received)).toEqual(reduceEvents(stream));
  },
);

test("reduceTurn() passes over an event of a later version", () => {
  const [first] = added;
  if (first === undefined) throw new Error("Cannot test: the turn has no events");
  const started = reduceTurn(startTurn("add figs"), first);
  const later = { ...first, seq: 2, type: "mood", mood: "calm" } as unknown as TurnEvent;

  expect(reduceTurn(started, later)).toEqual({ ...started, seq: 2 });
});

test("describeTurn() adds rows at the end as events come, and changes none", () => {
  for (const stream of STREAMS) {
    let view = startTurn("");
    const printed = stream.flatMap((event) => {
      const before = view;
      view = reduceTurn(view, event);
      return describeTurn(view).rows.filter(({ seq }) => seq > before.seq);
    });
    expect(printed).toEqual(describeTurn(view).rows);
  }
});
