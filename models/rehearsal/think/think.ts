import type { PlanStep, ThinkAnswer } from "../../../state/plan.ts";
import { type Answer, asJson } from "../answer.ts";
import type { Wish } from "../language/wish.ts";
import { capital, joinWords } from "../language/words.ts";
import type { ParsedPrompt } from "../prompt/read-prompt.ts";
import type { World } from "../world/world.ts";
import {
  addWork,
  clearWork,
  collectWork,
  finishWork,
  leaveWork,
  removeWork,
  ruleWork,
} from "./change.ts";
import { lookWork, narrowedWork, narrowWork, optionsWork, searchWork, showWork } from "./choose.ts";
import {
  changeWork,
  draftWork,
  fillWork,
  recountWork,
  saveWork,
  scheduleWork,
  moveWork,
  saveDraftedWork,
} from "./draft.ts";
import { readSituation, type Situation } from "./situation.ts";
import {
  countWork,
  earlierWork,
  standingWork,
  verifyWork,
  whyWork,
  haveWork,
  recapWork,
  recallWork,
} from "./tell.ts";
import { say, type Work } from "./work.ts";

/** Plans a turn from what the prompt says: who asks, what is known, what was done, what is wanted now. */
export function think(prompt: ParsedPrompt, world: World): Answer {
  const situation = readSituation(prompt, world);
  return { kind: "value", value: asJson(planOf(situation)) };
}

function planOf(situation: Situation): ThinkAnswer {
  const works = worksOf(situation);
  const steps = sequenced(works);
  const goal = works.map((work) => work.goal).join("; ");
  const proposal = works.find((work) => work.proposal !== undefined)?.proposal ?? null;
  const questions = works.flatMap(({ question }) => (question === undefined ? [] : [question]));
  const base = { reasoning: reasonOf(situation), goal, proposal: null, questions: [] };
  if (questions.length > 0) return { ...base, decision: "clarify", steps: [], questions };
  if (proposal !== null) return { ...base, decision: "propose", steps, proposal };
  return { ...base, decision: steps.length > 0 ? "plan" : "answer", steps };
}

/** The steps of all wishes; what is the same is done once. */
function sequenced(works: readonly Work[]): PlanStep[] {
  const steps: PlanStep[] = [];
  for (const step of works.flatMap((work) => work.steps)) {
    const again = steps.some(
      (other) => other.description === step.description && other.subdomain === step.subdomain,
    );
    if (!again) steps.push(step);
  }
  return steps;
}

function worksOf(situation: Situation): Work[] {
  const { request, blocked, answersPending } = situation;
  if (blocked !== "") return [say(`this could not be done: ${blocked}`)];
  if (answersPending === "reject") return [say("it is left as it is")];
  const wishes = worthwhile(request.wishes);
  const drafts = wishes.find(({ kind }) => kind === "draft" || kind === "fill");
  const works = wishes.map((wish) =>
    drafts !== undefined && wish.kind === "save"
      ? saveDraftedWork(drafts, situation)
      : workOf(wish, situation),
  );
  if (works.length > 0) return works;
  return [{ steps: [], goal: `Say what was not understood: ${request.plain}` }];
}

/** An exclusion beside another request is heard by the step that judges; it needs no work of its own. */
function worthwhile(wishes: readonly Wish[]): readonly Wish[] {
  const others = wishes.filter(({ kind }) => kind !== "exclude" && kind !== "welcome");
  const works = others.filter(({ kind }) => kind !== "rule");
  return works.length > 0 ? others : wishes.slice(0, 1);
}

/** What one wish comes to. */
function workOf(wish: Wish, situation: Situation): Work {
  switch (wish.kind) {
    case "options":
      return optionsWork(situation);
    case "exclude":
    case "welcome":
      return narrowedWork(situation);
    case "narrow":
      return narrowWork(wish, situation);
    case "look":
      return lookWork(wish, situation);
    case "search":
      return searchWork(wish, situation);
    case "show":
      return showWork(wish, situation);
    case "draft":
      return draftWork(wish, situation);
    case "change":
      return changeWork(wish, situation);
    case "save":
    case "yes":
      return saveWork(wish, situation);
    case "add":
      return addWork(wish, situation);
    case "remove":
      return removeWork(wish, situation);
    case "clear":
      return clearWork(wish, situation);
    case "finish":
      return finishWork(wish, situation);
    case "move":
      return moveWork(wish, situation);
    case "have":
      return haveWork(wish, situation);
    case "recall":
      return recallWork(wish, situation);
    case "recap":
      return recapWork(situation);
    case "schedule":
      return scheduleWork(wish, situation);
    case "fill":
      return fillWork({ what: wish.phrase.replaceAll(" ,", ","), count: wish.count }, situation);
    case "recount":
      return recountWork(situation);
    case "collect":
      return collectWork(wish, situation);
    case "rule":
      return ruleWork(wish, situation);
    case "count":
      return countWork(wish, situation);
    case "verify":
      return verifyWork(wish, situation);
    case "standing":
      return standingWork(situation);
    case "earlier":
      return earlierWork(situation);
    case "repeat":
      return { steps: [], goal: "Say again what was said last" };
    case "why":
      return whyWork(situation);
    case "meta":
      return { steps: [], goal: "Say what can be asked" };
    case "thanks":
      return { steps: [], goal: "Take the thanks" };
    case "greet":
      return { steps: [], goal: "Say hello" };
    case "no":
      return leaveWork("it is left as it is", situation);
    case "suppose":
      return leaveWork("nothing is changed by that", situation);
    default:
      return wish satisfies never;
  }
}

function reasonOf({ request, remaining, references }: Situation): string {
  const kinds = [...new Set(request.wishes.map(({ kind }) => kind))].join(", ");
  const held = remaining === null ? "" : ` ${remaining.length} options are known already.`;
  const named =
    references.length === 0
      ? ""
      : ` It is about ${joinWords(references.map(({ label }) => label))}.`;
  return capital(
    `${kinds === "" ? "nothing was understood" : `the person wants: ${kinds}`}.${named}${held}`,
  );
}
