import type { EnvelopePart } from "../state/envelope.ts";
import { fence, oneLine } from "../text/fence.ts";
import type { Understanding } from "../state/understanding.ts";
import { describeChangeable, listChangeableTypes } from "../state/domain.ts";
import { renderColumns } from "./columns.ts";
import { chooseThinkExample } from "./examples.ts";
import { HEADINGS } from "./headings.ts";
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
import type { ConversationView, PromptContext } from "./view.ts";
import { UNREAD_LINE } from "./unread-line.ts";
import { workingSetParts } from "./working-set.ts";

export interface ThinkPromptInput {
  readonly view: ConversationView;
  /** Rendered `## Last Turn Summary`, empty in a first turn. */
  readonly lastTurnSummary: string;
  readonly profile: string;
  readonly snapshot: string;
  readonly understanding: Understanding;
  /** Rendered by code: "User excluded: …", resolved references. */
  readonly resolved: readonly string[];
  /** Why the plan before this one could not be carried out; empty on the first try. */
  readonly replan: string;
}

const listRules = ({ limits, tier }: Pick<PromptContext, "limits" | "tier">): readonly string[] => [
  'Decide `answer` when nothing has to be looked up, worked out or changed: "thanks", "why not that one?", saving what is saved.',
  "Decide `propose` when the work is costly to undo and was not asked for explicitly; its steps run when the person agrees. Do not ask for other confirmations; code does.",
  "Answer a refusal of options with an analyze step over what remains, or decide `answer` when the remaining ones are named below.",
  `Steps say what is done, not how: at most ${limits.stepsPerPlan}, and one read step a table.${tier === "small" ? " They run one after the other." : ""}`,
  "Use only refs that are listed below. Rows come with the step that names them: do not plan a read of what stands below with the facts that the step needs.",
  "A read or change whose refs and values are known is a call with step null. List steps for what needs another step's result, a list in brackets or a tool of its own.",
  // Steps of a small model are not offered it.
  ...(tier === "small"
    ? []
    : [
        "Where it asks about an earlier turn and what is below does not tell, plan one `read` step without calls that says which words to `recall`.",
      ]),
  "When nothing applies, write null or [].",
];

/** Asks for the plan of a turn. Pinned by `test/golden/think.*.md` and `think-small.*.md`. */
export function buildThinkPrompt(input: ThinkPromptInput, context: PromptContext): EnvelopePart[] {
  const { view } = input;
  const { domain, tier = "full" } = context;
  return [
    stablePart(
      "rules",
      "prompt:think",
      renderSystemText({
        duty: `You plan the work of ${domain.persona}. You decide what is to be done with the message; others carry it out and speak.`,
        rules: listRules(context),
        example: chooseThinkExample(domain, tier),
        dataRule: DATA_RULE,
      }),
    ),
    stablePart("guidance", `domain:${domain.name}`, renderDomainGuide(domain)),
    growingPart("profile", "profile", section(HEADINGS.profile, input.profile)),
    growingPart(
      "history",
      "history",
      view.history === "" ? "" : fence("conversation_history", view.history),
    ),
    growingPart("registry", "registry", tableSections(HEADINGS.recentContext, view.table)),
    growingPart("constraints", "constraints", section(HEADINGS.wishes, view.constraints)),
    growingPart("ledger", "ledger", dataSection(HEADINGS.earlierTurns, view.ledger)),
    volatilePart("snapshot", "snapshot", section(HEADINGS.snapshot, input.snapshot)),
    volatilePart("recent-turns", "transcript", dataSection(HEADINGS.recentTurns, view.recentTurns)),
    ...workingSetParts(view.workingSet, { ...context, refs: true, facts: false }),
    volatilePart("last-turn-summary", "records", input.lastTurnSummary),
    volatilePart("active-plan", "workflow", dataSection(HEADINGS.activePlan, view.activePlan)),
    volatilePart(
      "this-turn",
      `understanding:turn-${view.turn}`,
      section(
        HEADINGS.thisTurn,
        [
          view.today,
          input.understanding.degraded ? UNREAD_LINE : "",
          ...input.resolved,
          input.replan,
        ]
          .filter((line) => line !== "")
          .map(oneLine)
          .join("\n"),
      ),
    ),
    volatilePart("message", `input:turn-${view.turn}`, section(HEADINGS.message, view.message)),
  ];
}

/** Rules of the house and how steps are done in each part of the domain. */
function renderDomainGuide(domain: PromptContext["domain"]): string {
  const subdomains = domain.subdomains.map((subdomain) => {
    const { name, about, guidance = {} } = subdomain;
    const changeable = listChangeableTypes(subdomain, domain).map(describeChangeable);
    const changes = changeable.length === 0 ? [] : [`  - can change: ${changeable.join("; ")}`];
    const steps = Object.entries(guidance).map(([type, text]) => `  - ${type}: ${text}`);
    return [`- ${name}: ${about}`, ...changes, ...steps].join("\n");
  });
  return [
    section(HEADINGS.houseRules, bullets(domain.rules)),
    section(HEADINGS.subdomains, subdomains.join("\n")),
    section(HEADINGS.columns, renderColumns(domain.entityTypes, "values")),
  ].join("\n\n");
}
