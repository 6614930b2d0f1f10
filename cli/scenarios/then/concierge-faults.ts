import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { eventsOf, promptsOf, replyOf, shownPrompts } from "../facts.ts";
import type { Then, ThenFacts } from "../then.ts";
import { blocksShown, expertsAsked, wholeText } from "./concierge.ts";
import { unless } from "./words.ts";

/** What goes wrong in the concierge lane, and what people type into it. */
export const CONCIERGE_FAULTS: readonly Then[] = [
  {
    scenario: "expert-failures",
    turn: 0,
    text: "answered within the deadline; both failures are named in the events; the mapper saw two answers",
    problems: ({ turn }) => {
      const ends = eventsOf(turn, "expert-end");
      const without = ends.filter(({ outcome }) => outcome !== "answered");
      const named = eventsOf(turn, "notice").filter(({ node }) => node === "expert");
      const slowest = Math.max(...ends.map(({ ms }) => ms));
      const mapped = promptsOf(turn, "mapper").map(
        (prompt) => prompt.match(/^Answer \d+:$/gmu)?.length ?? 0,
      );
      return [
        ...unless(replyOf(turn) !== "", "there is no reply"),
        ...unless(slowest <= DEFAULT_LIMITS.expertSeconds * 1_000, `an expert took ${slowest} ms`),
        ...unless(
          ends.length === 4 && without.length === 2,
          `${ends.length} experts ended, ${without.length} of them without an answer`,
        ),
        ...unless(
          without.some(({ outcome, reason }) => outcome === "failed" && /500/u.test(reason ?? "")),
          "no expert failed with its status",
        ),
        ...unless(
          without.some(({ outcome, reason }) => /^(?:late|cut)$/u.test(outcome) && reason !== null),
          "no expert is said to have taken too long",
        ),
        ...without.flatMap(({ expert }) =>
          unless(
            named.some(({ text }) => text.startsWith(`${expert}:`)),
            `no notice names ${expert}`,
          ),
        ),
        ...unless(
          mapped.length > 0 && mapped.every((count) => count === 2),
          `the mapper saw ${mapped.join(", ") || "no"} answers`,
        ),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "typed-markers",
    turn: 0,
    text: "no phase change and no batch by signal; the conversation goes on",
    problems: markerProblems,
  },
];

/** What is wrong where typed markers are to be words like any others. */
export function markerProblems({ turn, turns, index }: ThenFacts): readonly string[] {
  const changes = eventsOf(turn, "phase-change").map(({ from, to }) => `${from} to ${to}`);
  const bySignal = [...expertsAsked(turn, "workflow"), ...expertsAsked(turn, "step-help")];
  const next = turns[index + 1];
  const nodes = new Set(eventsOf(turn, "prompt").map(({ node }) => node));
  // Long enough to tell what was typed from the form of a block that a prompt shows.
  const typed = /<<<[\s\S]{0,40}/u.exec(turn.said)?.[0] ?? turn.said;
  const markers = [...nodes].filter((node) =>
    shownPrompts(turn, node).some((prompt) => wholeText(prompt).includes(typed)),
  );
  return [
    ...unless(changes.length === 0, `the phase changed: ${changes.join(", ")}`),
    ...unless(bySignal.length === 0 && turn.state.signal === null, "a batch was asked for"),
    ...unless(markers.length === 0, `${markers.join(", ")} were shown the marker as it is`),
    ...unless(replyOf(turn) !== "", "there is no reply"),
    ...unless(
      next?.events.at(-1)?.type === "turn-end" && replyOf(next) !== "",
      "the next message gets no reply",
    ),
    ...[turn, ...(next === undefined ? [] : [next])].flatMap(blocksShown),
  ];
}
