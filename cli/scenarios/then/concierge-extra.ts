import { eventsOf, replyOf } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { blocksShown, fieldsLeftOut, firstPrompt, wholeText } from "./concierge.ts";
import { markerProblems } from "./concierge-faults.ts";
import { namesIn, unless } from "./words.ts";

/** What the project asks of the concierge lane beside the scenarios that it was given. */
export const CONCIERGE_EXTRA: readonly Then[] = [
  {
    scenario: "four-views",
    turn: 0,
    text: "the four experts say four things; the answer decides and names what pulls against it",
    problems: ({ turn }) => {
      const answers = turn.state.expertThreads.map(({ messages }) => messages.at(-1)?.text ?? "");
      const reply = replyOf(turn);
      return [
        ...unless(
          answers.length === 4 && new Set(answers).size === 4,
          `${answers.length} experts said ${new Set(answers).size} things`,
        ),
        ...unless(DECIDES.test(reply), `the answer decides nothing: ${reply}`),
        ...unless(CURT.test(reply), `the answer does not speak as one who decides: ${reply}`),
        ...unless(WEIGHS.test(reply), `the answer names nothing against it: ${reply}`),
      ];
    },
  },
  {
    scenario: "four-views",
    turn: 2,
    text: "the steps are read by a model and under the goal that was handed over",
    problems: ({ turn }) => {
      const { activeWorkflow, executionHandover } = turn.state.concierge;
      const notices = eventsOf(turn, "notice").filter(({ node }) => node === "workflow");
      const calls = eventsOf(turn, "usage").filter(({ node }) => node === "workflow");
      return [
        ...unless(calls.length === 1, `${calls.length} calls read the plan`),
        ...notices.map(({ text }) => text),
        ...unless((activeWorkflow?.steps.length ?? 0) >= 2, "no steps were read"),
        ...unless(
          activeWorkflow !== null && activeWorkflow.goal === executionHandover?.goal,
          `the workflow is for "${activeWorkflow?.goal}", not "${executionHandover?.goal}"`,
        ),
      ];
    },
  },
  {
    scenario: "long-talk",
    turn: 3,
    text: "a fresh explorer has the goal and the limit that holds, not the one that was lifted, and what was told since",
    problems: ({ turn }) => {
      const { intentHandover } = turn.state.concierge;
      if (intentHandover === null) return ["there is no handover"];
      const { revealedConstraints: limits, impliedGoal } = intentHandover;
      const prompt = firstPrompt(turn, "explorer");
      return [
        ...rolledOver(turn, "explorer"),
        ...fieldsLeftOut(prompt, intentHandover),
        ...unless(
          limits.some((limit) => limit.includes("end of january")) &&
            limits.every((limit) => !limit.includes("$1,500")),
          `the limits are ${limits.join(" | ")}`,
        ),
        ...unless(/\btakeout\b/iu.test(impliedGoal), `the goal is "${impliedGoal}"`),
        ...unless(
          wholeText(prompt).includes("my partner hates leftovers"),
          "what was told since is lost",
        ),
      ];
    },
  },
  {
    scenario: "long-talk",
    turn: 6,
    text: "a fresh executor goes on with the plan's second step",
    problems: ({ turn }) => {
      const workflow = turn.state.concierge.activeWorkflow;
      const [first, second] = workflow?.steps ?? [];
      return [
        ...rolledOver(turn, "executor"),
        ...unless(
          first?.status === "complete" && second?.status === "active",
          `the first steps are ${first?.status} and ${second?.status}`,
        ),
        ...unless(
          namesIn(replyOf(turn), [second?.title ?? "the second step"]).length === 1,
          `the reply does not go on with "${second?.title}": ${replyOf(turn)}`,
        ),
      ];
    },
  },
  {
    scenario: "long-talk",
    turn: 7,
    text: "a fresh executor tells what the last record says",
    problems: ({ turn, turns, index }) => {
      const record = turns[index - 1]?.state.turnExecutionSummaries.at(-1);
      const said = record?.responseSummary ?? "(there was no record)";
      return [
        ...rolledOver(turn, "executor"),
        ...unless(replyOf(turn).includes(said), `the reply does not say "${said}"`),
      ];
    },
  },
  {
    scenario: "block-again",
    turn: 2,
    text: "the block was written again, the plan stands, nobody saw a marker",
    problems: ({ turn }) => [
      ...unless(
        eventsOf(turn, "notice").some(({ code }) => code === "block-repaired"),
        "nobody says that the block was written again",
      ),
      ...unless(
        (turn.state.concierge.activeWorkflow?.steps.length ?? 0) >= 2,
        "there is no plan with steps",
      ),
      ...blocksShown(turn),
    ],
  },
  {
    scenario: "markers-while-exploring",
    turn: 2,
    text: "no phase change and no batch by signal; the conversation goes on",
    problems: markerProblems,
  },
];

const DECIDES = /\b(?:my choice|i would choose|go for|i decide)\b/iu;
const CURT = /\bshort\b/iu;
const WEIGHS = /\bpull against\b|\bagainst\b/iu;

/** A fresh instance of the same phase, which says of itself that it took over. */
function rolledOver(turn: PlayedTurn, node: string): readonly string[] {
  const { messages } = firstPrompt(turn, node);
  const codes = eventsOf(turn, "notice").map(({ code }) => code);
  return [
    ...unless(messages.length === 2, `the ${node} was shown ${messages.length} messages`),
    ...unless(codes.includes("rolled-over"), "nobody says that the thread was full"),
    ...unless(
      turn.state.concierge.conciergeContextId === `${node}@turn-${turn.state.turn}`,
      "the instance is an old one",
    ),
  ];
}
