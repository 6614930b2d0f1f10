import type { Advice, Topic } from "./advice.ts";
import { FOOD_TOPICS } from "./food-topics.ts";
import { LIFE_TOPICS } from "./life-topics.ts";

const GENERAL: Topic = {
  words: [],
  opinions: [
    {
      text: "Begin with one small change about {subject} and keep it for two weeks.",
      views: ["craft", "person", "cost"],
    },
    {
      text: "Before you begin with one small change, write down how things are today.",
      views: ["risk", "craft", "cost"],
    },
    {
      text: "Find out first what {subject} costs you now, in time and in money.",
      views: ["cost", "risk"],
    },
    {
      text: "However, one small change is too slow if somebody else is waiting for {subject}.",
      views: ["risk", "person"],
    },
    {
      text: "Ask somebody who has dealt with {subject} what surprised them.",
      views: ["craft", "person"],
    },
    { text: "I do not know what a good outcome would look like.", views: ["person", "risk"] },
  ],
  steps: [
    {
      title: "Write down how things are",
      description: "Describe today's situation and what would be better, on half a page.",
      time: "20 minutes",
      doneWhen: "half a page says what is and what should be",
      actions: ["Write what is, without reasons.", "Add one sentence on what would be better."],
      pitfall: "Starting with the solution hides what the matter is.",
    },
    {
      title: "Choose one change",
      description: "List three possible changes and take the one that is easiest to undo.",
      time: "20 minutes",
      doneWhen: "one change is chosen",
      actions: ["Three ideas, then stop.", "Take the one that can be undone."],
      pitfall: "Two changes at once teach nothing about either.",
    },
    {
      title: "Try it for two weeks",
      description: "Do it on fixed days and note each time how it went.",
      time: "10 minutes a day",
      doneWhen: "two weeks are noted",
      actions: ["Fix the days now.", "One line of notes each time."],
      pitfall: "Without notes only the last day is remembered.",
    },
    {
      title: "Look back and decide",
      description: "Compare the notes with the first page: keep it, change it or drop it.",
      time: "30 minutes",
      doneWhen: "one sentence says what you keep",
      actions: ["Read the first page before the notes."],
      pitfall: "Going on without deciding is a decision too.",
    },
  ],
};

/** What the rehearsal model has to say about anything. */
export const ADVICE: Advice = {
  topics: [...FOOD_TOPICS, ...LIFE_TOPICS],
  general: GENERAL,
  choice: [
    {
      text: "Rather {a}: what comes to mind first is mostly easier to keep up.",
      views: ["craft", "person"],
    },
    {
      text: "Rather {b}: the second thought is mostly the one with fewer regrets.",
      views: ["risk", "cost"],
    },
    {
      text: "Before you choose ({a} or {b}), try each of them for one week.",
      views: ["craft", "risk", "person"],
    },
  ],
};
