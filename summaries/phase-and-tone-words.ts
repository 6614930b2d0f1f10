import type { ConversationPhase, Tone } from "../state/turn-summary.ts";

/** The words for a phase of the conversation (seed 003, "Conversation Phases"). */
interface PhaseWords {
  /** Completes "User has been …" in the session context. */
  readonly session: string;
  /** The person's activity. */
  readonly user: string;
  /** The assistant's activity so far. */
  readonly we: string;
  /** The expected next step, for a turn summary without a narrative. */
  readonly next: string;
  /** The instructions for the reply. */
  readonly respond: readonly string[];
}

/** The words for each phase of the conversation. */
export const PHASES = {
  exploring: {
    session: "exploring options",
    user: "user is asking questions, browsing options",
    we: "Showing what is there, suggesting directions",
    next: "User picks something or asks for more",
    respond: [
      "Give what was asked for first, plainly",
      "Suggest one or two directions that fit what you know",
      'Bridge naturally to next step ("Want me to..." / "Shall I...")',
    ],
  },
  narrowing: {
    session: "collaborating to narrow down options",
    user: "user is filtering down options",
    we: "Presenting options, asking preferences, adjusting based on feedback",
    next: "User refines further or picks final options",
    respond: [
      'Acknowledge their choice naturally ("Got it!" / "Sure thing" / "No problem")',
      "Reference what you're excluding (shows you heard them)",
      "Present remaining options with the same helpful energy",
      'Bridge naturally to next step ("Want me to..." / "Ready to pick some?")',
    ],
  },
  confirming: {
    session: "settling on a choice",
    user: "user is about to commit to a choice",
    we: "Summarizing what was chosen, asking for the go-ahead",
    next: "User confirms or changes a detail",
    respond: [
      "Sum up clearly what was chosen, and what is not saved yet",
      "Ask for one confirmation at most",
    ],
  },
  executing: {
    session: "getting things done",
    user: "user is acting (creating, updating)",
    we: "Carrying out changes, reporting what was stored",
    next: "User checks the result or goes on to the next thing",
    respond: [
      "Confirm what was stored, by name",
      "Say plainly what was not, and why",
      "Bridge naturally to next step, if there is one",
    ],
  },
  reflecting: {
    session: "looking back at what was done",
    user: "user is reviewing what was done",
    we: "Summing up, inviting next steps",
    next: "User is content or starts something new",
    respond: ["Sum up from the record, without repeating it all", "Invite a next step lightly"],
  },
} as const satisfies Record<ConversationPhase, PhaseWords>;

/** The meaning of each tone (seed 003, "Tone Categories"). */
export const TONES = {
  collaborative: "we're helping them decide",
  informative: "we're answering their questions",
  clarifying: "we're making sure we understand",
  problem_solving: "we're handling an issue",
} as const satisfies Record<Tone, string>;
