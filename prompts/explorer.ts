import type { EnvelopePart } from "../state/envelope.ts";
import { oneLine } from "../text/fence.ts";
import type { SignalProblem } from "../control-blocks/choose-block.ts";
import type { EffectiveStance, IntentHandover } from "../state/handover.ts";
import {
  BATCH_PROMPT_GUIDE,
  briefPart,
  conciergeIdentity,
  fencedMessage,
  labelled,
  labelledList,
  messagePart,
  personPart,
  nestedList,
  prefaceParts,
  readinessPart,
  quoted,
  type BriefInput,
  type InstanceInput,
  type PrefaceInput,
} from "./concierge-sections.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, instancePart, section, stablePart } from "./part.ts";

export interface ExplorerPromptInput extends InstanceInput {
  readonly userMessage: string;
  /** The opening's brief, for a handover that code has built: it stands in place of its findings. */
  readonly opening?: BriefInput;
}

/** A fresh explorer's first prompt. Pinned by `test/golden/explorer-initial.*.md`. */
export function buildExplorerInitialPrompt(
  handover: IntentHandover,
  input: ExplorerPromptInput,
): EnvelopePart[] {
  const { userMessage, turn, persona, opening, tier = "full" } = input;
  return [
    stablePart(
      "rules",
      "prompt:explorer",
      [
        conciergeIdentity(
          "You have inherited a conversation that is under way; to the person you have been there all along.",
          persona,
        ),
        YOUR_ROLE,
        HYPOTHESES,
        WHEN_TO_TRIGGER,
        ...(tier === "small" ? [TO_TRIGGER_LATER] : [TO_TRIGGER, BATCH_PROMPT_GUIDE]),
      ].join("\n\n"),
    ),
    personPart(input),
    ...(opening === undefined
      ? []
      : [
          briefPart(
            { heading: HEADINGS.learned, source: "brief:opening", without: NO_OPENING_VIEWS },
            opening,
          ),
        ]),
    instancePart(
      "handover",
      "handover:intent",
      [
        ...(opening === undefined ? [renderFindings(handover)] : []),
        renderIntentHandover(handover),
      ].join("\n\n"),
    ),
    ...prefaceParts(input),
    readinessPart(input),
    instancePart(
      "message",
      `input:turn-${turn}`,
      section(HEADINGS.currentMessage, fencedMessage(userMessage)),
    ),
    instancePart(
      "task",
      "prompt:explorer",
      "Go on exploring. Trigger the workflow only once a commitment has taken shape.",
    ),
  ];
}

export interface ExplorerContinueInput extends PrefaceInput {
  /** True once, where several messages in a row have brought nothing new. Default: false. */
  readonly isStalled?: boolean;
}

/** The next message in an explorer's thread. Pinned by `test/golden/explorer-continue.*.md`. */
export function buildExplorerContinueWrapper(
  userMessage: string,
  input: ExplorerContinueInput,
): EnvelopePart[] {
  return [
    ...prefaceParts(input),
    readinessPart(input),
    instancePart("stall", "quiet-turns", input.isStalled === true ? NOTHING_NEW : ""),
    instancePart("task", "prompt:explorer", "Continue the exploration."),
    messagePart(userMessage, input.turn),
  ];
}

/** The fault of an answer to somebody who asks for the plan: a block that could not be read, or none. */
export type BlockFault = SignalProblem | "missing";

/**
 * Asks an explorer for its block once more; `fault` says what is wrong with its answer. Pinned by
 * `test/golden/block-request.*.md`.
 */
export function buildBlockRequest(fault: BlockFault): EnvelopePart[] {
  const text =
    fault === "missing"
      ? "Your block is missing: they asked for the plan, and nothing follows your answer. Write the block"
      : `Your block could not be read (${fault}). Write the block again`;
  return [
    instancePart(
      "block-request",
      "prompt:explorer",
      `${text}, whole, from <<<BATCH>>> to <<<END>>>, and nothing else.`,
    ),
  ];
}

const YOUR_ROLE = section(
  HEADINGS.role,
  `You are the explorer. You are not here to move the conversation on to the next phase but to raise its alignment density: constraints are clear, tradeoffs have names, red lines are spoken, and both of you know what would reverse a choice.

Listen for gravity wells, where talk turns into commitment. A commitment costs something: "I might build something" is none, "I need to ship by Friday" is one.

**Permissions:**
${bullets([
  "Return to an assumption, without apology.",
  "Reframe the matter when what you learn breaks the old frame.",
])}

**Prohibition:**
- Never invent urgency. It comes from them or from the facts.

Progress is less surprise, not forward motion: an exploration that ends without a plan can have succeeded. Speak as yourself, without sources, analysis or these instructions.`,
);

const HYPOTHESES = section(
  HEADINGS.hypotheses,
  "Keep two or three readings of what is going on, each with what would rule it out. Let one go only when something they say rules it out, and say so. Ask what tells them apart.",
);

/** The mirror of seed 001: a diagnosis, given once a stall. */
const NOTHING_NEW = section(
  HEADINGS.nothingNew,
  'Nothing new has come up for a while, and nobody commits. You may gently hold up a mirror: "Nothing new is coming up. Mostly that means the question is answered, or the decision is being put off." This is a diagnosis, not a push.',
);

const WHEN_TO_TRIGGER = section(
  HEADINGS.whenToTrigger,
  `Not when you think that they are ready, but when they show it:
${bullets([
  'They ask: "give me a plan", "what are the steps", "let\'s do it".',
  'They commit: "I need to", "I\'m going to", "by [a date]".',
  "Exploring brings up nothing new: it loops, it repeats, doubt gets no sharper.",
])}`,
);

const TO_TRIGGER = section(
  HEADINGS.toTrigger,
  `Answer them first, in a few sentences and without the plan, which follows. Then end with this block, which they never see:

<<<BATCH>>>
TYPE: WORKFLOW

HANDOVER:
  goal: [the goal as it is understood now]
  problem_summary: [one paragraph]
  situation: [who they are, what they have to work with]
  constraints: [hard limits]
  priorities: [what they optimize for]
  decisions_made: [what is settled, reopened only at their wish]
  open_questions: [what may come up on the way]
  exploration_highlights: [moments that shaped the understanding]

PROMPT:
[what several experts are asked, see below]
<<<END>>>`,
);

/** The same for a small model, which is asked for the content of the block after its answer. */
const TO_TRIGGER_LATER = section(
  HEADINGS.toTrigger,
  "Answer them first, in a few sentences and without the plan, which follows. You are asked afterwards whether it begins.",
);

const STANCES = {
  explore: "explore: keep it open",
  decide: "decide: they want it settled",
  challenge: "challenge: they want it tested",
} as const satisfies Record<EffectiveStance, string>;

const NO_OPENING_VIEWS = "No expert view came in. Do not speak as if others had been asked.";

function renderFindings(handover: IntentHandover): string {
  return section(
    HEADINGS.learned,
    [
      `**Shape:** ${oneLine(handover.shape) || "not known"}`,
      labelledList("Key findings", handover.keyFindings, "None yet"),
      labelledList("Tensions", handover.tensions, "None identified"),
      labelledList("Gaps", handover.gaps, "None identified"),
    ].join("\n\n"),
  );
}

function renderIntentHandover(handover: IntentHandover): string {
  return [
    section(
      HEADINGS.exchange,
      [
        `**They asked:** ${quoted(handover.userQuery)}`,
        `**You responded:** ${quoted(handover.starterResponse)}`,
        `**They replied:** ${quoted(handover.userReply)}`,
      ].join("\n\n"),
    ),
    section(
      HEADINGS.read,
      [
        labelled("Goal", handover.impliedGoal, "not clear"),
        nestedList("Constraints", handover.revealedConstraints, "none named"),
        labelled("Accepted", handover.acceptedFraming, "not clear"),
        labelled("Resisted", handover.resistedFraming, "nothing"),
        nestedList("Volunteered", handover.unpromptedReveals, "nothing"),
        nestedList("Unclear", handover.stillUnclear, "nothing"),
        `- **Stance:** ${STANCES[handover.effectiveStance]}`,
      ].join("\n"),
    ),
  ].join("\n\n");
}
