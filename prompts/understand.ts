import type { ArchivedBatch } from "../state/archive.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import { oneLine } from "../text/fence.ts";
import type { Pending } from "../state/pending.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";
import type { Lane } from "../state/understanding.ts";
import { renderData } from "./columns.ts";
import { chooseUnderstandExample } from "./examples.ts";
import { HEADINGS } from "./headings.ts";
import { renderBatches } from "./render-batches.ts";
import { renderRecords } from "./records.ts";
import {
  bullets,
  dataSection,
  growingPart,
  section,
  stablePart,
  tableSections,
  volatilePart,
} from "./part.ts";
import { DATA_RULE, renderSystemText } from "./system-text.ts";
import { workingSetParts } from "./working-set.ts";
import { named, type ConversationView, type PromptContext } from "./view.ts";

export interface UnderstandPromptInput {
  readonly view: ConversationView;
  readonly lanes: Readonly<Record<Lane, boolean>>;
  readonly records: readonly TurnExecutionSummary[];
  readonly pending: Pending | null;
  /** The newest batches of experts, newest first. Default: none. */
  readonly batches?: readonly Pick<ArchivedBatch, "turn" | "batch">[];
}

const LANE_RULES = {
  both: "Small talk right after the concierge needs `advise`.",
  task: "Nothing needs `advise`.",
  concierge: "Everything needs `advise`.",
} as const;

const RULES = [
  "Use only refs that are listed below. A thing that the person only wishes for has no ref.",
  `"The first one" and "the second one" count in the order of \`${HEADINGS.listedLast}\`.`,
  "To exclude something, name every ref whose label or facts contain it, not only the one with that name.",
  "Report a lasting wish only when it holds beyond this message. The request itself is not a wish.",
  'Small talk, a wish, an exclusion or its withdrawal and a plain "no" need `talk`; a choice, a judgement, a draft or doubt needs `work`.',
  "Ask for clarification only when two readings would change different data and neither what is below nor a look-up decides; never in answer to a pending question.",
  "When nothing applies, write null or [].",
] as const;

/** Asks what a message means and what stays in view. Pinned by `test/golden/understand.*.md`. */
export function buildUnderstandPrompt(
  input: UnderstandPromptInput,
  context: PromptContext,
): EnvelopePart[] {
  const { view } = input;
  const { domain } = context;
  const { task, concierge } = input.lanes;
  const laneRule = LANE_RULES[task && concierge ? "both" : task ? "task" : "concierge"];
  return [
    stablePart(
      "rules",
      "prompt:understand",
      renderSystemText({
        duty: `You read the newest message for ${domain.persona} and say what it means. You do not plan and do not answer.`,
        rules: [laneRule, ...RULES],
        example: chooseUnderstandExample(domain, input.lanes),
        dataRule: DATA_RULE,
      }),
    ),
    stablePart(
      "data",
      `domain:${domain.name}`,
      task ? section(HEADINGS.data, renderData(domain)) : "",
    ),
    growingPart("calendar", "run", section(HEADINGS.calendar, view.calendar)),
    growingPart("registry", "registry", tableSections(HEADINGS.recentContext, view.table)),
    growingPart("constraints", "constraints", section(HEADINGS.wishes, view.constraints)),
    // Choices change less often than the turns below them: what begins alike is cached.
    ...workingSetParts(view.workingSet, { ...context, refs: true, facts: false }),
    volatilePart(
      "records",
      `record:turn-${input.records.map((record) => record.turnNumber).join("+")}`,
      section(HEADINGS.lastTurns, renderRecords(input.records)),
    ),
    volatilePart("earlier-turns", "ledger", dataSection(HEADINGS.earlierTurns, view.stated)),
    volatilePart("recent-turns", "transcript", dataSection(HEADINGS.recentTurns, view.recentTurns)),
    volatilePart(
      "pending",
      `pending:turn-${input.pending?.turn ?? 0}`,
      section(HEADINGS.pendingQuestion, input.pending === null ? "" : renderPending(input.pending)),
    ),
    ...(input.lanes.concierge ? journeyParts(input) : []),
    volatilePart("message", `input:turn-${view.turn}`, section(HEADINGS.message, view.message)),
  ];
}

/** Renders the state of the concierge's journey, for the choice of lane and journey. */
function journeyParts({ view, batches = [] }: UnderstandPromptInput): EnvelopePart[] {
  return [
    volatilePart("phase", "concierge", dataSection(HEADINGS.phase, view.phase)),
    volatilePart("journeys", "journeys", view.journeys),
    volatilePart("experts-asked", "batches", renderBatches(batches)),
    volatilePart(
      "concierge-asked",
      "concierge-thread",
      dataSection(HEADINGS.conciergeAsked, view.conciergeAsked),
    ),
  ];
}

function renderPending(pending: Pending): string {
  return [
    `${pending.kind}: ${oneLine(pending.text)}`,
    bullets(pending.kind === "question" ? pending.options.map(named) : []),
  ]
    .filter((text) => text !== "")
    .join("\n");
}
