import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { findTopic, listExchanges } from "../../nodes/steps/find-topic.ts";
import { createEffect, makeRecord } from "../support/turn-state.ts";

const ENTRIES = [
  { ref: "scene_1", type: "scene", label: "Scene 18 Goodbye on the pier" },
  { ref: "scene_2", type: "scene", label: "Scene 2 Breakfast" },
  { ref: "place_1", type: "place", label: "North Pier" },
];
const KNOWN = { entries: ENTRIES, entityTypes: [{ words: { one: "scene", many: "scenes" } }] };
const CHANGED = "Changed: Scene 18 Goodbye on the pier (night: true → false)";

interface Talk {
  readonly message?: string;
  readonly reply?: string;
  readonly changed?: readonly string[];
  /** The refs that a step has read; none where there was no step. */
  readonly read?: readonly string[];
}

function exchange({ message = "", reply = "", changed = [], read }: Talk) {
  const step = { stepType: "read" as const, subdomain: "scenes", outcome: "Found", note: null };
  const more = { description: "Look up", warnings: [] };
  return {
    message,
    reply,
    effects: changed.map((ref) => createEffect({ ref })),
    steps: read === undefined ? [] : [{ ...step, ...more, entitiesAffected: [...read] }],
  };
}

test.each<[string, readonly Talk[], string | null]>([
  ["the row that its reply names", [{ reply: "North Pier has none." }], "place_1"],
  ["the row that was changed", [{ reply: "Done.", changed: ["place_1"] }], "place_1"],
  ["the row that was looked up", [{ reply: "Not yet.", read: ["place_1"] }], "place_1"],
  ["the row that was asked about", [{ message: "And breakfast?", reply: "Ten." }], "scene_2"],
  ["a row by its longer name", [{ reply: CHANGED, changed: ["scene_1"] }], "scene_1"],
  [
    "the answer rather than the rows read",
    [{ reply: "Breakfast.", read: ["scene_1", "scene_2"] }],
    "scene_2",
  ],
  [
    "the row before a remark",
    [{ message: "Rain that day", reply: "Oh." }, { reply: CHANGED }],
    "scene_1",
  ],
  ["none of several that a reply names", [{ reply: "Breakfast and North Pier." }], null],
  ["none of several that were changed", [{ changed: ["scene_1", "scene_2"] }], null],
  ["none of several that were read", [{ reply: "Two.", read: ["scene_1", "scene_2"] }], null],
  ["none beside one that is named by a part", [{ reply: `${CHANGED}. Breakfast too?` }], null],
  ["none beside one that is named by its number", [{ reply: `${CHANGED}. 2 is open.` }], null],
  ["none where nothing was found", [{ reply: "No.", read: [] }, { reply: CHANGED }], null],
  ["none behind two remarks", [{ reply: "Oh." }, { reply: "Yes." }, { reply: CHANGED }], null],
  ["none before a first message", [], null],
])("findTopic() returns %s", (_, talks, expected) => {
  expect(findTopic(talks.map(exchange), KNOWN)).toBe(expected);
});

test("listExchanges() lists the turns before this one, up to one without a summary", () => {
  const turn = { turn: 1 };
  const messages = [
    new HumanMessage({ content: "message 1", additional_kwargs: turn }),
    new AIMessage({ content: "reply 1", additional_kwargs: turn }),
    new HumanMessage({ content: "message 3", additional_kwargs: { turn: 3 } }),
    new AIMessage({ content: "part 1", additional_kwargs: { turn: 3 } }),
    new AIMessage({ content: "part 2", additional_kwargs: { turn: 3 } }),
  ];
  const turnExecutionSummaries = [makeRecord(1), makeRecord(3)];

  expect(listExchanges({ messages, turn: 4, turnExecutionSummaries })).toEqual([
    { message: "message 3", reply: "part 1\npart 2", effects: [], steps: [] },
  ]);
});
