import { eventsOf, promptsOf, readsOf, replyOf, suppressedOf } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { namesIn, textOf, unless } from "./words.ts";

/** Questions that one look answers. */
export const LOOKS: readonly Then[] = [
  {
    scenario: "quick-look",
    turn: 0,
    text: "Think was not called; items are grouped by location",
    problems: ({ turn }) => [
      ...unless(!thinkWasAsked(turn), "Think was called"),
      ...itemProblems(turn, "fridge"),
    ],
  },
  {
    scenario: "quick-look",
    turn: 1,
    text: "answered from the registry if the first read covered it, else one read",
    problems: ({ turn, turns }) => {
      const covered = coversFreezer(turns[0], turn);
      const reads = readsOf(turn)["inventory"] ?? 0;
      return [
        ...(covered
          ? unless(
              reads === 0 && suppressedOf(turn) > 0,
              `the first read covered the freezer, and it was read ${reads} times again`,
            )
          : unless(reads === 1, `the inventory was read ${reads} times`)),
        ...itemProblems(turn, "freezer"),
      ];
    },
  },
];

function thinkWasAsked(turn: PlayedTurn): boolean {
  return (
    promptsOf(turn, "think").length > 0 ||
    eventsOf(turn, "node-start").some(({ node }) => node === "think")
  );
}

/** Whether everything in the freezer was held before this turn. */
function coversFreezer(first: PlayedTurn | undefined, turn: PlayedTurn): boolean {
  const held = new Set(
    first?.state.registry.entries.filter(({ row }) => row !== null).map(({ id }) => id),
  );
  return (turn.before["inventory"] ?? [])
    .filter(({ values }) => values["location"] === "freezer")
    .every(({ id }) => held.has(id));
}

/** Everything in that place is named, and what is named stands together by place, under the place's name. */
function itemProblems(turn: PlayedTurn, place: string): readonly string[] {
  const reply = replyOf(turn);
  const items = (turn.after["inventory"] ?? []).map(({ values }) => ({
    name: textOf(values, "name"),
    location: textOf(values, "location"),
  }));
  const named = namesIn(
    reply,
    items.map(({ name }) => name),
  );
  const missing = items.filter(({ name, location }) => location === place && !named.includes(name));
  const locations = named.map((name) => items.find((item) => item.name === name)?.location ?? "");
  const runs = locations.filter((location, index) => location !== locations[index - 1]);
  return [
    ...unless(missing.length === 0, `not named: ${missing.map(({ name }) => name).join(", ")}`),
    ...unless(
      new Set(runs).size === runs.length,
      `the items are not grouped by location: ${runs.join(", ")}`,
    ),
    ...unless(
      runs.every((location) => reply.toLowerCase().includes(location)),
      `not every group bears its location's name: ${runs.join(", ")}`,
    ),
  ];
}
