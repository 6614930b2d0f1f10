import { DRAFT_MESSAGES } from "./draft-answers.ts";

/** A conversation in which the program is killed. */
export interface Conversation {
  readonly id: string;
  readonly lane: "task" | "concierge";
  /** The person's messages. Nothing is killed in the last turn: it shows that the thread goes on. */
  readonly messages: readonly string[];
}

/** One of each kind of turn: quick, planned, proposed, drafted, several writes; every phase and batch of the concierge. */
export const CONVERSATIONS: readonly Conversation[] = [
  {
    id: "list",
    lane: "task",
    messages: ["add eggs to my shopping list", "what's on my shopping list?", "thanks"],
  },
  {
    id: "proposal",
    lane: "task",
    messages: [
      "what could I cook this week?",
      "not the wings",
      "plan 3 dinners",
      "great, save it",
      "thanks",
    ],
  },
  {
    id: "week",
    lane: "task",
    messages: [
      "show me recipes that use chickpeas or eggs",
      "plan the curry for dinner tomorrow and the risotto on wednesday",
      "clear my shopping list",
      "yes",
      "what's in my fridge?",
      "thanks",
    ],
  },
  { id: "draft", lane: "task", messages: [...DRAFT_MESSAGES, "thanks"] },
  {
    id: "question",
    lane: "concierge",
    messages: [
      "we keep ordering takeout, what should we do?",
      "mostly at dinner, we both get home after seven",
      "thanks",
    ],
  },
  {
    id: "journey",
    lane: "concierge",
    messages: [
      "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
      "we both get home after seven and nobody wants to cook. budget is $1,500 a month and it has to work by the end of january",
      "ok let's do it. give me a plan, I want to start this sunday",
      "looks good. can we keep fridays free though?",
      "i am stuck on step 1",
      "thanks",
    ],
  },
];
