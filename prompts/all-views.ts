import type { ExpertProfile } from "../state/batch.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import type { ExpertQuestion } from "../state/expert-question.ts";
import { oneLine } from "../text/fence.ts";
import { buildExpertPrompt } from "./expert.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, section, stablePart } from "./part.ts";

export interface AllViewsPromptInput {
  readonly question: ExpertQuestion;
  readonly experts: readonly ExpertProfile[];
  /** Id of the batch, for the source. */
  readonly batch: string;
}

/** Said to one model that takes the place of several. */
const ALL_VIEWS_RULE =
  "Answer once for each view below, in its order, each as if the others were not there. Where they would differ, let them differ.";

/** Asks one model for the views of several experts, where its endpoint has no time for a call each. */
export function buildAllViewsPrompt({
  question,
  experts,
  batch,
}: AllViewsPromptInput): EnvelopePart[] {
  const [rules, , ...asked] = buildExpertPrompt({ question, lens: null, batch });
  const views = experts.map(({ id, lens }) => `${id}: ${oneLine(lens ?? "a view of its own")}`);
  return [
    ...(rules === undefined ? [] : [rules]),
    stablePart(
      "lens",
      "config:lens",
      section(HEADINGS.expertViews, `${ALL_VIEWS_RULE}\n\n${bullets(views)}`),
    ),
    ...asked,
  ];
}
