import type { Archive, JourneyQuery } from "../../state/archive.ts";
import { findActiveJourney } from "../../state/journey.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { viewPlan } from "../../state/view-plan.ts";
import { chooseJourneyMove } from "../../summaries/choose-journey-move.ts";
import { findNamedJourneys, sortByTurn } from "../../summaries/find-journey.ts";
import { renderJourneyQuestion, renderJourneyRefusal } from "../../summaries/word-journeys.ts";
import type { PlanToShow } from "./commands.ts";
import { renderChecklist } from "./render-checklist.ts";
import { renderJourneyRows } from "./render-journeys.ts";
import { renderPlanLog } from "./render-plan-log.ts";

/** The conversation whose journeys are shown. */
export interface JourneyPlace extends Omit<JourneyQuery, "journeyId"> {
  readonly archive: Pick<Archive, "findJourney" | "listJourneys" | "listPlanChanges">;
  /** The active journey's plan; null without one. */
  readonly plan: JourneyPlan | null;
  readonly columns: number;
}

const NO_PLAN = "There is no plan in this conversation yet.";

/** The result of a command: a text to show, or the message that it stands for. */
export type CommandResult = string | { readonly message: string };

/** Lists a conversation's journeys, or goes back to the one that is named, where there is one. */
export async function runJourneyCommand(
  name: string,
  { archive, threadId, userId, columns }: Omit<JourneyPlace, "plan">,
): Promise<CommandResult> {
  const all = await archive.listJourneys({ threadId, userId });
  if (name === "") return renderJourneyRows(all, columns);
  const choice = chooseJourneyMove({ action: "resume", name, message: "" }, { lines: [], all });
  if (choice.kind === "ask") return renderJourneyQuestion(choice.journeys);
  if (choice.kind === "refuse") return renderJourneyRefusal(choice.refusal);
  // One way back for all: the message that a person would write.
  return choice.kind === "move" && choice.move.kind === "resume"
    ? { message: `back to ${choice.move.journey.title}` }
    : renderJourneyRows(all, columns);
}

/** Renders the active journey's plan, its versions, or the plan of a journey that is named. */
export async function renderPlanCommand(shown: PlanToShow, place: JourneyPlace): Promise<string> {
  const { plan, columns } = place;
  switch (shown.kind) {
    case "active":
      return plan === null ? describeOtherPlan(place) : renderChecklist(viewPlan(plan), columns);
    case "log":
      return plan === null ? describeOtherPlan(place) : renderLog(plan, place);
    case "named":
      return renderNamed(shown.name, place);
    default:
      return shown satisfies never;
  }
}

/** Says that there is no plan here, and which other journey has one. */
async function describeOtherPlan({ archive, threadId, userId }: JourneyPlace): Promise<string> {
  const all = sortByTurn(await archive.listJourneys({ threadId, userId }));
  const other = all.find(({ status, planVersion }) => status !== "active" && planVersion !== null);
  if (other === undefined) return NO_PLAN;
  const { title } = other;
  return `The question that is open now has no plan yet. “${title}” has one: /plan ${title} shows it.`;
}

async function renderLog(
  plan: JourneyPlan,
  { archive, threadId, userId, columns }: JourneyPlace,
): Promise<string> {
  const active = findActiveJourney(await archive.listJourneys({ threadId, userId }));
  const stored =
    active === null
      ? []
      : await archive.listPlanChanges({ threadId, userId, journeyId: active.id });
  const [oldest = Infinity] = plan.changes.map(({ version }) => version);
  const changes = [...stored.filter(({ version }) => version < oldest), ...plan.changes];
  return renderPlanLog({ plan, changes }, columns);
}

async function renderNamed(name: string, place: JourneyPlace): Promise<string> {
  const { archive, threadId, userId, columns } = place;
  const all = await archive.listJourneys({ threadId, userId });
  const found = findNamedJourneys(name, { shown: [], all });
  if (found.kind === "none") return renderJourneyRefusal({ reason: "unknown", name, known: all });
  if (found.kind === "several") return renderJourneyQuestion(found.journeys);
  const { journey } = found;
  const stored = await archive.findJourney({ threadId, userId, journeyId: journey.id });
  if (stored === null) return renderJourneyRefusal({ reason: "not-kept", journey });
  const plan = journey.status === "active" ? place.plan : stored.state.plan;
  return plan === null
    ? `There is no plan for “${journey.title}” yet.`
    : renderChecklist(viewPlan(plan), columns);
}
