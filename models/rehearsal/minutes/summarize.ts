import type { ConversationPhase, Narrative } from "../../../state/turn-summary.ts";
import { type Answer, asJson } from "../answer.ts";
import { doneSteps, reopenedSteps } from "../concierge/read-person.ts";
import { linesOf, type ParsedPrompt, unfenced } from "../prompt/read-prompt.ts";

/** Says what a turn came to, from what was asked, done, decided and said. */
export function summarize(prompt: ParsedPrompt): Answer {
  const { section, message } = prompt;
  const done = linesOf(section("Done")).map((line) => line.replace(/^- /, ""));
  const goal = /^Goal: (.*)$/.exec(done[0] ?? "")?.[1] ?? "";
  const outcomes = done.filter((line) => !line.startsWith("Goal: "));
  const decided = section("Decided");
  const said = unfenced("reply", section("Said"));
  const phase = phaseOf({ outcomes, decided, said, goal });
  const narrative: Partial<Narrative> = {
    analysisConclusions: conclusionOf(outcomes),
    responseSummary: responseOf(said),
    whatWeAcknowledged: acknowledgedBy({ decided, outcomes, said }),
    naturalNext: NEXT[phase],
  };
  const plan = section("The Plan");
  const value = plan === "" ? narrative : { ...narrative, workflow: progressOf(message, plan) };
  return { kind: "value", value: asJson(value) };
}

interface Progress {
  readonly completed: readonly string[];
  readonly reopened: readonly string[];
}

/** The steps that the message says are done, and those that it takes up again. */
function progressOf(message: string, plan: string): Progress {
  const steps = linesOf(plan).flatMap((line) => {
    const [, id, status] = /^- (step_\d+) \((pending|active|complete)\): /.exec(line) ?? [];
    return id === undefined ? [] : [{ id, status }];
  });
  const idOf = (number: number): string[] => {
    // "That is done" speaks of the step they are on.
    const step = number === 0 ? steps.find(({ status }) => status === "active") : steps[number - 1];
    return step === undefined ? [] : [step.id];
  };
  const reopened = reopenedSteps(message).flatMap(idOf);
  const completed = doneSteps(message).flatMap(idOf);
  return {
    completed: completed.filter((id) => !reopened.includes(id)),
    reopened: reopened.filter((id) =>
      steps.some((step) => step.id === id && step.status === "complete"),
    ),
  };
}

interface Turn {
  readonly outcomes: readonly string[];
  readonly decided: string;
  readonly said: string;
  readonly goal: string;
}

/** "Judge which …: 6 recipes fit the inventory" → "6 recipes fit the inventory". */
function conclusionOf(outcomes: readonly string[]): string | null {
  const found = outcomes.flatMap(
    (line) => /: (\d+ [\w ]+ (?:fit|remain|take|are possible)\b.*)$/.exec(line)?.[1] ?? [],
  );
  return found.length === 0 ? null : found.join("; ");
}

function responseOf(said: string): string {
  if (said === "") return "Said nothing";
  const items = linesOf(said).filter((line) => /^(?:\d+\.|-) /.test(line)).length;
  const [first = ""] = linesOf(said);
  if (/not saved yet/.test(said)) return shortened(`Showed a draft: ${first.replaceAll("*", "")}`);
  if (items > 1) return `Listed ${items} ${/choose/.test(said) ? "options" : "things"}`;
  return shortened(first);
}

function shortened(text: string): string {
  const points = Array.from(text);
  return points.length <= 120 ? text : `${points.slice(0, 119).join("")}…`;
}

function phaseOf({ outcomes, decided, said, goal }: Turn): ConversationPhase {
  const did = outcomes.join("\n");
  if (decided !== "") return "narrowing";
  if (/\b(?:Created|Updated|Deleted|Saved|Changed|Done for)\b/.test(did)) return "executing";
  if (/\bDrafted\b|\bChanged\b/.test(did) || /not saved yet/.test(said)) return "confirming";
  if (/\b(?:fit|remain|take at most|are possible)\b/.test(did)) return "narrowing";
  return /\b(?:thanks|already|first thing)\b/.test(goal) ? "reflecting" : "exploring";
}

function acknowledgedBy({
  decided,
  outcomes,
  said,
}: Pick<Turn, "decided" | "outcomes" | "said">): string {
  if (decided !== "") return shortened(`Confirmed: ${decided}`);
  const [outcome] = outcomes;
  if (outcome !== undefined) return shortened(`Reported: ${outcome}`);
  return said === "" ? "Nothing" : "Answered";
}

const NEXT = {
  exploring: "User picks something or asks for more",
  narrowing: "User refines further or picks final options",
  confirming: "User saves the draft or changes a detail",
  executing: "User checks the result or goes on to the next thing",
  reflecting: "User is content or starts something new",
} as const satisfies Record<ConversationPhase, string>;
