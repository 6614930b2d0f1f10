import { countTokens } from "../../../models/tokens.ts";
import { changesOf, eventsOf, replyOf } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import {
  blocksShown,
  briefProblems,
  expertsAsked,
  fieldsLeftOut,
  firstPrompt,
  freshProblems,
  lastMessage,
  placeOf,
  transcriptIn,
  wholeText,
} from "./concierge.ts";
import { namesIn, textsOf, unless } from "./words.ts";

/** From a question to a plan to doing it. */
export const JOURNEY: readonly Then[] = [
  {
    scenario: "question-to-plan",
    turn: 0,
    text: "four experts answered once each, mapper and structure ran before the starter, the brief is in the starter's prompt, no block in any text",
    problems: ({ turn }) => {
      const answered = eventsOf(turn, "expert-end")
        .filter(({ outcome }) => outcome === "answered")
        .map(({ expert }) => expert);
      const asked = expertsAsked(turn, "opening");
      const order = [
        ...["mapper", "structure"].map((node) => ended(turn, node)),
        placeOf(turn, (event) => event.type === "node-start" && event.node === "starter"),
      ];
      return [
        ...unless(
          answered.length === 4 && new Set(answered).size === 4 && asked.length === 4,
          `asked: ${asked.join(", ")}; answered: ${answered.join(", ")}`,
        ),
        ...unless(isAscending(order), `mapper, structure and starter stand at ${order.join(", ")}`),
        ...briefProblems(firstPrompt(turn, "starter"), {
          analysis: turn.state.opening?.analysis ?? null,
          source: "brief:opening",
        }),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "question-to-plan",
    turn: 1,
    text: "an intent handover with both constraints whole ($1,500 is one item), no experts asked",
    problems: ({ turn }) => {
      const constraints = turn.state.concierge.intentHandover?.revealedConstraints ?? [];
      const budget = constraints.filter((each) => /\$1|\b500\b|1,500/u.test(each));
      const until = constraints.filter((each) => /january/iu.test(each));
      return [
        ...unless(
          budget.length === 1 && budget.every((each) => each.includes("$1,500")),
          `the budget is not one item: ${constraints.join(" | ")}`,
        ),
        ...unless(
          until.length === 1 && until.every((each) => /end of january/iu.test(each)),
          `the end of January is not one item: ${constraints.join(" | ")}`,
        ),
        ...noExperts(turn),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "question-to-plan",
    turn: 2,
    text: "a fresh instance with the handover in its first prompt; no transcript of the starter",
    problems: ({ turn, turns, index }) => {
      const handover = turns[index - 1]?.state.concierge.intentHandover ?? null;
      if (handover === null) return ["there was no handover"];
      const prompt = firstPrompt(turn, "explorer");
      const quoted = Object.values(handover).flatMap((value) => value ?? []);
      return [
        ...freshProblems(turn, "explorer"),
        ...unless(prompt.sources["handover"] === "handover:intent", "no handover is shown"),
        ...fieldsLeftOut(prompt, handover),
        ...transcriptIn(prompt, { turns: turns.slice(0, index), quoted }),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "question-to-plan",
    turn: 3,
    text: "the same thread, a wrapper of under 40 tokens plus the message",
    problems: ({ turn, turns, index }) => {
      const before = firstPrompt(turns[index - 1], "explorer").messages;
      const prompt = firstPrompt(turn, "explorer");
      const wrapper = lastMessage(prompt).replace(turn.said, "");
      const contexts = [turns[index - 1], turn].map(
        (each) => each?.state.concierge.conciergeContextId,
      );
      return [
        ...unless(
          before.length > 0 &&
            JSON.stringify(prompt.messages.slice(0, before.length)) === JSON.stringify(before) &&
            prompt.messages.length === before.length + 2,
          "the prompt does not go on with the one before",
        ),
        ...unless(contexts[0] === contexts[1], `the instances are ${contexts.join(" and ")}`),
        ...unless(
          lastMessage(prompt).includes(turn.said),
          "the message is not whole in the wrapper",
        ),
        ...unless(countTokens(wrapper) < 40, `the wrapper has ${countTokens(wrapper)} tokens`),
        ...noExperts(turn),
      ];
    },
  },
  {
    scenario: "question-to-plan",
    turn: 4,
    text: "two replies in this turn: the explorer's, then one plan; a workflow with steps and done-when; a Step 1 batch was started after the second reply",
    problems: ({ turn }) => {
      const replies = eventsOf(turn, "reply");
      const steps = turn.state.concierge.activeWorkflow?.steps ?? [];
      const plan = replies[1]?.text ?? "";
      const places = [
        placeOf(turn, (event) => event.type === "node-end" && event.node === "explorer"),
        placeOf(turn, (event) => event.type === "reply"),
        placeOf(turn, (event) => event.type === "expert-start" && event.purpose === "workflow"),
        placeOf(turn, (event) => event.type === "node-end" && event.node === "executor"),
        placeOf(turn, (event) => event.type === "reply" && event.reply === replies[1]?.reply),
        placeOf(turn, (event) => event.type === "expert-start" && event.purpose === "step-help"),
      ];
      return [
        ...unless(replies.length === 2, `there are ${replies.length} replies`),
        ...unless(
          isAscending(places),
          `explorer, reply, batch, executor, plan and Step 1 batch stand at ${places.join(", ")}`,
        ),
        ...unless(steps.length >= 2, `the workflow has ${steps.length} steps`),
        ...steps.flatMap(({ title, doneWhen }) => [
          ...unless(doneWhen !== "", `"${title}" does not say when it is done`),
          ...unless(namesIn(plan, [title]).length === 1, `the plan does not name "${title}"`),
        ]),
        ...unless(
          stepTitles(replies[0]?.text ?? "").length === 0 &&
            stepTitles(plan).length === steps.length,
          `the steps of the replies: ${replies.map(({ text }) => stepTitles(text).length).join(", ")}`,
        ),
        ...unless(
          expertsAsked(turn, "step-help").length === 4,
          "not every expert was asked about Step 1",
        ),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "question-to-plan",
    turn: 5,
    text: "the Step 1 brief is in the prompt, and the wish about fridays is answered",
    problems: ({ turn, turns, index }) => [
      ...briefProblems(firstPrompt(turn, "executor"), {
        analysis: turns[index - 1]?.state.concierge.pendingStepBatchAnalysis ?? null,
        source: "brief:step-help",
      }),
      ...unless(
        /\bfridays?\b/iu.test(replyOf(turn)),
        `the reply says nothing of fridays: ${replyOf(turn)}`,
      ),
      ...blocksShown(turn),
    ],
  },
  {
    scenario: "question-to-plan",
    turn: 7,
    text: "step 1 complete, step 2 active; the concierge's wrapper begins with what was done about the shopping list",
    problems: ({ turn, turns, index }) => {
      const before = turns[index - 1];
      const bought =
        before === undefined ? [] : (changesOf(before)["shopping_list"]?.created ?? []);
      const [heading = "", told = ""] = lastMessage(firstPrompt(turn, "executor")).split("\n");
      const statuses = (turn.state.concierge.activeWorkflow?.steps ?? []).map(
        ({ status }) => status,
      );
      return [
        ...unless(
          statuses[0] === "complete" && statuses[1] === "active",
          `the steps are ${statuses.join(", ")}`,
        ),
        ...unless(heading.startsWith("What was done meanwhile"), `it begins with "${heading}"`),
        ...unless(
          namesIn(told, textsOf(bought, "name")).length > 0,
          `it does not say what was put on the list: ${told}`,
        ),
        ...blocksShown(turn),
      ];
    },
  },
  {
    scenario: "pivot",
    turn: 3,
    text: "a fresh explorer whose handover carries what stays true",
    problems: ({ turn, turns, index }) => {
      const before = turns[index - 1]?.state.concierge ?? null;
      const dropped = before?.executionHandover ?? null;
      const handover = turn.state.concierge.intentHandover;
      if (before === null || dropped === null || handover === null) {
        return ["there was no plan to drop, or no handover came of it"];
      }
      const carried = JSON.stringify(handover);
      const prompt = firstPrompt(turn, "explorer");
      return [
        ...unless(before.currentPhase === "executor", `the phase was ${before.currentPhase}`),
        ...freshProblems(turn, "explorer"),
        ...fieldsLeftOut(prompt, handover),
        ...[dropped.goal, ...dropped.constraints, ...dropped.priorities].flatMap((entry) =>
          unless(carried.includes(JSON.stringify(entry).slice(1, -1)), `it loses "${entry}"`),
        ),
        ...unless(/\bsav(?:e|ing)\b/iu.test(carried), "it loses the wish to save time"),
        ...unless(wholeText(prompt).includes(turn.said), "the message is not in its prompt"),
        ...unless(turn.state.concierge.activeWorkflow === null, "the old plan is still open"),
        ...unless(/\bkits?\b/iu.test(replyOf(turn)), `it is not taken up: ${replyOf(turn)}`),
        ...noExperts(turn),
        ...blocksShown(turn),
      ];
    },
  },
];

function noExperts(turn: PlayedTurn): readonly string[] {
  const asked = eventsOf(turn, "expert-start").map(({ expert }) => expert);
  return unless(asked.length === 0, `experts were asked: ${asked.join(", ")}`);
}

function ended(turn: PlayedTurn, node: string): number {
  return placeOf(turn, (event) => event.type === "node-end" && event.node === node);
}

/** Whether each place was found and comes after the one before. */
function isAscending(places: readonly number[]): boolean {
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}

/** The numbered lines of a text that have a title. */
function stepTitles(text: string): readonly string[] {
  return [...text.matchAll(/^\s*\d+\.\s+\*\*(.+?)\*\*/gmu)].map(([, title = ""]) => title);
}
