import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../../driver/events.ts";
import type { EventBody } from "../../../state/event.ts";
import { checkReplies } from "../../../dev/crash/check-replies.ts";
import { chooseKills } from "../../../dev/crash/choose-kills.ts";
import { CONVERSATIONS } from "../../../dev/crash/conversations.ts";
import { findDifference, normalise } from "../../../dev/crash/normalise.ts";
import type { Position, Undisturbed } from "../../../dev/crash/play.ts";
import type { Outcome } from "../../../dev/crash/read-outcome.ts";

function events(...bodies: readonly EventBody[]): TurnEvent[] {
  const stamp = { thread: "crash", turn: 1, run: "run", time: "2026-01-12T12:00:00.000Z" };
  return bodies.map((body, index) => Object.assign({ ...stamp, seq: index + 1 }, body));
}

const delta = (text: string): EventBody => ({ type: "text-delta", reply: "reply_r1_1", text });
const RESET: EventBody = { type: "reply-reset", reply: "reply_r1_1" };
const said = (text: string): EventBody => ({ type: "reply", reply: "reply_r1_1", text });
const STORED = [{ id: "reply_r1_1", text: "Saved" }];

describe("checkReplies()", () => {
  test.each([
    ["told before the death", [[delta("Sa"), delta("ved"), said("Saved")], []]],
    ["told after it", [[delta("Sa"), delta("ved")], [said("Saved")]]],
    ["told twice alike", [[delta("Saved"), said("Saved")], [said("Saved")]]],
    ["begun, taken back and said anew", [[delta("Se")], [RESET, delta("Saved"), said("Saved")]]],
  ])("accepts a reply that was %s", (_, runs) => {
    expect(
      checkReplies(
        runs.map((bodies) => events(...bodies)),
        STORED,
      ),
    ).toEqual([]);
  });

  test.each([
    ["never told", [[delta("Saved")], []], ["Told were [], archived are [reply_r1_1: Saved]"]],
    [
      "said on by another run",
      [[delta("Sa")], [delta("ved"), said("Saved")]],
      ["Reply reply_r1_1 goes on in another run without being taken back"],
    ],
    [
      "told otherwise the second time",
      [[said("Done")], [said("Saved")]],
      [
        'Reply reply_r1_1 was told as "Done", then as "Saved"',
        'Reply reply_r1_1 is "Saved", shown was "Done"',
      ],
    ],
    [
      "shown otherwise than it is stored",
      [[delta("Se"), said("Saved")]],
      ['Reply reply_r1_1 is "Saved", shown was "Se"'],
    ],
  ])("notices a reply that was %s", (_, runs, problems) => {
    expect(
      checkReplies(
        runs.map((bodies) => events(...bodies)),
        STORED,
      ),
    ).toEqual(problems);
  });

  test("notices a text that is shown and stored nowhere", () => {
    expect(checkReplies([events(delta("Saved"))], [])).toEqual([
      'Reply reply_r1_1 stands on the screen and is not stored: "Saved"',
    ]);
  });
});

function outcomeWith(id: string, time: string): Outcome {
  return {
    tables: { tasks: [{ id, title: "Figs", created_at: time, row_version: 1 }] },
    state: { entries: [{ ref: "task_1", id }], run: { runId: id.replace("a", "b") }, at: time },
  };
}

describe("normalise()", () => {
  const ONE = outcomeWith("aaaaaaaa-0000-4000-8000-000000000001", "2026-01-12T12:00:00+00:00");
  const OTHER = outcomeWith("abcdabcd-0000-4000-8000-000000000002", "2026-01-13T09:30:00Z");

  test("names rows by their place and times not at all", () => {
    expect(normalise(ONE)).toEqual({
      tables: { tasks: [{ id: "tasks #1", title: "Figs", row_version: 1 }] },
      state: {
        entries: [{ ref: "task_1", id: "tasks #1" }],
        run: { runId: "an id" },
        at: "a time",
      },
    });
    expect(normalise(OTHER)).toEqual(normalise(ONE));
  });
});

test.each([
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, null],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, "a.1.b: 2, not 3"],
  [{ a: [1, 2] }, { a: [1] }, "a.1: 2, not missing"],
  [{}, { a: null }, "a: missing, not null"],
  [{ a: [] }, { a: {} }, "a: [], not {}"],
])("findDifference() of %j and %j is %j", (found, expected, difference) => {
  expect(findDifference(found, expected)).toBe(difference);
});

describe("chooseKills()", () => {
  const PLACES = ["inbox", "act", "after act", "end"];
  const undisturbed: Undisturbed[] = CONVERSATIONS.map((conversation) => ({
    conversation,
    outcome: { tables: {}, state: null },
    problems: [],
    positions: PLACES.flatMap((place): Position[] =>
      [1, 2, 3].flatMap((number) => [
        { conversation, turn: 1, place, kind: "statement", number, text: "select" },
        { conversation, turn: 1, place, kind: "event", number, text: "usage" },
      ]),
    ),
  }));

  test("takes each place of each lane once before any of them twice", () => {
    const places = chooseKills(undisturbed, 16).map(
      ({ position }) => `${position.conversation.lane} ${position.place}`,
    );
    const counts = [...Map.groupBy(places, (place) => place).values()].map(({ length }) => length);
    expect(counts).toEqual(Array.from({ length: 8 }, () => 2));
  });

  test("dies at events when one was told, at statements else, in every moment", () => {
    const kills = chooseKills(undisturbed, 32);
    expect(new Set(kills.map(({ moment, position }) => `${position.kind} ${moment}`))).toEqual(
      new Set(["statement before", "statement sent", "statement answered", "event told"]),
    );
  });

  test("dies in every conversation, and chooses the same each time", () => {
    const kills = chooseKills(undisturbed, 100);
    expect(new Set(kills.map(({ position }) => position.conversation))).toEqual(
      new Set(CONVERSATIONS),
    );
    expect(chooseKills(undisturbed, 100)).toEqual(kills);
  });
});
