/** A conversation that the program dies in. */
export interface Conversation {
  readonly id: string;
  readonly lane: "task" | "concierge";
  /** What the person says. In the last turn nothing is killed: it shows that the thread goes on. */
  readonly messages: readonly string[];
}

/** One of each kind of turn: quick, planned, proposed, several writes; every phase and batch of the concierge. */
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
