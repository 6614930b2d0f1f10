import type { EnvelopePart } from "../state/envelope.ts";
import { fence, oneLine } from "../text/fence.ts";
import type { Limits } from "../state/limits.ts";
import type { Understanding } from "../state/understanding.ts";
import { describeChangeable, listChangeableTypes } from "../state/domain.ts";
import { renderColumns } from "./columns.ts";
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
import { DATA_RULE } from "./understand.ts";
import type { ConversationView, PromptContext } from "./view.ts";
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

const rules = (limits: Limits): readonly string[] => [
  'decision `answer`: nothing has to be looked up, worked out or changed; what is below suffices ("thanks", "why not that one?", saving what is saved). No steps.',
  "decision `plan`: the request is clear. Steps say what is done, not how.",
  "decision `propose`: the work is costly to undo and was not asked for explicitly. Its steps run when the person agrees. proposal is one sentence that leads to them; code lists what they change.",
  "decision `clarify`: only for what cannot be found out. One or two questions in questions.",
  "stepType `read` finds data, `analyze` judges it, `generate` makes drafts that are not saved, `write` changes the data; saving a draft is a write.",
  "Steps of one group run side by side; a step that needs another's result has a higher group. Groups count from 1.",
  "refs: the refs a step is about, only refs listed below. Rows come with the step that names them: do not plan a read of what stands below with the facts that the step needs.",
  "writes: each change of a write step without calls, as action, type and the refs of the rows to update or delete (none for new rows and those it has to find); only what its subdomain can change. Else empty.",
  "calls: all calls of a read or write step whose refs and values are known; code runs them as they stand. None where a step needs what another one finds, a list in brackets, or a tool of its own. step: its index from 0. refs: rows, or drafts to save. find: conditions of a read (where), or with all: true all of its columns, or every row to delete; else null. set: the columns of new rows (`*` must be given) and a row of values for each, or the one of an update, where null empties a column; else null.",
  "Do not ask for confirmation; code does. A refusal of options is answered with an analyze step over what remains, or with `answer` when the remaining ones are named below.",
  `At most ${limits.stepsPerPlan} steps. One read step a table.`,
  "goal: what the turn is to achieve, one short line; null where one step says it. reasoning: the why, one sentence, first.",
];

/** Asks for the plan of a turn. Pinned by `test/golden/think.*.md`. */
export function buildThinkPrompt(input: ThinkPromptInput, context: PromptContext): EnvelopePart[] {
  const { view } = input;
  const { domain, limits } = context;
  return [
    stablePart(
      "rules",
      "prompt:think",
      [
        `You plan the work of ${domain.persona}. You decide what is to be done with the message; others carry it out and speak.`,
        section(HEADINGS.rules, bullets(rules(limits))),
        DATA_RULE,
      ].join("\n\n"),
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
        [view.today, ...input.resolved, input.replan]
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
