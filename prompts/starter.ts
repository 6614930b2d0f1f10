import type { ShapeName, StanceName } from "../state/analysis.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import { fence } from "../text/fence.ts";
import { getShapeGuidance, getStanceGuidance } from "../claim-analysis/guidance.ts";
import { quoteMessage } from "../summaries/quote.ts";
import {
  briefPart,
  conciergeIdentity,
  fencedMessage,
  messagePart,
  personPart,
  prefaceParts,
  readinessPart,
  type BriefInput,
  type InstanceInput,
  type PrefaceInput,
} from "./concierge-sections.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, instancePart, section, stablePart } from "./part.ts";

export interface StarterPromptInput extends InstanceInput, BriefInput {
  readonly stance: StanceName;
}

const NEVER = [
  "Mention models, experts, analysis, structure or claims: what you know is yours to say.",
  "Hedge without saying what exactly is uncertain.",
  'Say "it depends" without saying on what.',
] as const;

const NO_VIEWS =
  "No expert view came in this time. Answer from your own knowledge, and do not speak as if others had been asked.";

/** Opens a journey: the starter's first prompt. Pinned by `test/golden/starter-initial.*.md`. */
export function buildStarterInitialPrompt(
  userMessage: string,
  input: StarterPromptInput,
): EnvelopePart[] {
  const { analysis, stance, turn, persona } = input;
  const shape = analysis?.shape.name;
  const guidance = getStanceGuidance(stance, shape);
  return [
    stablePart(
      "rules",
      "prompt:starter",
      conciergeIdentity("You give the first answer to a new question.", persona),
    ),
    stablePart("stance", `stance:${stance}`, guidance.framing),
    stablePart(
      "response-guide",
      `shape:${shape ?? "none"}+stance:${stance}`,
      section(
        HEADINGS.responseGuide,
        [...(shape === undefined ? [] : [getShapeGuidance(shape)]), guidance.behavior].join("\n\n"),
      ),
    ),
    stablePart("voice", `stance:${stance}`, section(HEADINGS.voice, guidance.voice)),
    stablePart("never", "prompt:starter", section(HEADINGS.never, bullets(NEVER))),
    personPart(input),
    ...prefaceParts(input),
    instancePart(
      "message",
      `input:turn-${turn}`,
      section(HEADINGS.query, fencedMessage(userMessage)),
    ),
    briefPart(
      { heading: HEADINGS.openingBrief, source: "brief:opening", without: NO_VIEWS },
      input,
    ),
    instancePart("task", "prompt:starter", "Answer the query."),
  ];
}

export interface StarterHandoverInput extends PrefaceInput {
  /** True for the starter's last answer: the block is written whatever is known. Default: false. */
  readonly isLast?: boolean;
  /** Of the opening batch; null where there was no analysis. */
  readonly shape: ShapeName | null;
  /** The question that opened the journey, as the person wrote it. */
  readonly question: string;
}

/** Asks for an answer and the Intent Handover. Pinned by `test/golden/starter-turn-2.*.md`. */
export function buildStarterTurn2Wrapper(
  userMessage: string,
  input: StarterHandoverInput,
): EnvelopePart[] {
  return [
    ...prefaceParts(input),
    readinessPart(input),
    instancePart("handover-request", "prompt:starter", renderHandoverRequest(input)),
    messagePart(userMessage, input.turn),
  ];
}

export interface StarterRebuiltInput extends StarterPromptInput, StarterHandoverInput {
  /** The starter's answer to the question. */
  readonly answer: string;
}

/**
 * A fresh starter in the middle of its phase, where the old one's thread cannot go on: the first
 * prompt, the answer that was given, and the request for the handover. Pinned by
 * `test/golden/starter-rebuilt.*.md`.
 */
export function buildStarterRebuiltPrompt(
  userMessage: string,
  input: StarterRebuiltInput,
): EnvelopePart[] {
  const { question, answer } = input;
  const first = buildStarterInitialPrompt(question, {
    ...input,
    unansweredMessages: [],
    meanwhile: [],
  });
  return [
    ...first
      .filter(({ kind }) => kind !== "task")
      .map((part) => (part.kind === "message" ? asQuestion(part) : part)),
    instancePart("answered", "opening", section(HEADINGS.answered, fence("answer", answer))),
    ...buildStarterTurn2Wrapper(userMessage, input),
  ];
}

function asQuestion(part: EnvelopePart): EnvelopePart {
  return { ...part, kind: "question" };
}

/** Reminds of the handover that did not come, with the message. Pinned by `test/golden/starter-reminder.*.md`. */
export function buildStarterReminderWrapper(
  userMessage: string,
  input: PrefaceInput & Pick<StarterHandoverInput, "isLast">,
): EnvelopePart[] {
  return [
    ...prefaceParts(input),
    readinessPart(input),
    instancePart(
      "handover-request",
      "prompt:starter",
      input.tier === "small"
        ? ""
        : input.isLast === true
          ? "The Intent Handover is due: answer, then append the <<<HANDOVER>>> block as you were shown, closed by <<<END>>>."
          : "The Intent Handover is still open: append the <<<HANDOVER>>> block as you were shown, closed by <<<END>>>, once you know enough.",
    ),
    messagePart(userMessage, input.turn),
  ];
}

const ONCE_KNOWN =
  "Write it when you know enough to hand over meaningfully. If their message leaves you without what they want or what limits them, answer, ask the one question that would tell, and write it next time.\n\n";

function renderHandoverRequest({
  shape,
  question,
  tier,
  isLast = false,
}: StarterHandoverInput): string {
  if (tier === "small") return "They have replied. Answer them naturally.";
  return `They have replied. Answer them naturally, then write an Intent Handover for the one who takes over.

${isLast ? "" : ONCE_KNOWN}It is your reading of them, what was meant more than what was said:
${bullets([
  "What do they really want, beneath the question?",
  "Which limits came up: time, skill, means, stakes?",
  "How did they take your framing: accepted, resisted, turned elsewhere?",
  "What did they tell unasked? It shows what weighs.",
  "What is still unclear and worth probing?",
])}

After your answer, append this block, filled in: lists as [one, two], an item with a comma in quotes, [] or null for nothing.

<<<HANDOVER>>>
shape: ${shape ?? "null"}
key_findings: [what is known by now]
tensions: [what pulls against what]
gaps: [what nobody could answer]
user_query: ${quoteMessage(question)}
starter_response: [your first answer in a sentence]
user_reply: [what they have just said]
goal: [what you take them to want]
constraints: [what limits them]
accepted_framing: [how they took up your framing]
resisted_framing: [what they pushed back on, or null]
unprompted_reveals: [what they told unasked]
still_unclear: [what needs exploring]
effective_stance: explore|decide|challenge
<<<END>>>

---`;
}
