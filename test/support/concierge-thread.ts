import { afterEach, expect } from "vitest";
import { takeRepeatedClaims } from "./claims-once.ts";
import type { Expert } from "../../state/expert.ts";
import type { TurnEvent } from "../../state/event.ts";
import {
  renderExecutionBlock,
  renderIntentHandover,
  renderStepHelpBlock,
} from "./render-blocks.ts";
import type { Json } from "../../state/json.ts";
import type { LanguageModel, ModelRequest } from "../../state/model.ts";
import type { Phase } from "../../state/phase.ts";
import { EXECUTION, INTENT } from "./concierge-documents.ts";
import type { TestDatabase } from "./database.ts";
import { scriptedModel, type ScriptEntry } from "./scripted-model.ts";
import { testThread, type Behaviour, type TestThread, type ThreadParts } from "./test-thread.ts";
import { understandAnswer } from "./turn-state.ts";

afterEach(() => {
  expect(takeRepeatedClaims()).toEqual([]);
});

/** Answers of the concierge of each phase; null is `concierge`'s own answer. */
export type ConciergeScript = (
  phase: Phase,
  request: ModelRequest,
) => Exclude<ScriptEntry, () => unknown> | null;

/** The words that a person says in these tests, and what they do. */
export const MESSAGES = {
  question: "we keep ordering takeout on weeknights, what should we do?",
  reply: "we get home after seven. budget is $1,500 a month",
  plan: "give me a plan",
  start: "looks good, where do I start?",
} as const;

export const OPENING = "Prepare one base on Sunday. What is your budget?";
export const TO_EXPLORER = "That settles the budget.";
export const BEFORE_PLAN = "Then let us make it a plan.";
export const PLAN = `### Ahead

1. **Choose three bases** — a grain, a sauce and a roast, 20 minutes
   Done when: three bases stand on the list
2. **Prepare on Sunday** — cook them in two hours
   Done when: the freezer is full

What do you want to adjust?`;
export const WORKFLOW_PROMPT = "You are a meal planner of long standing. Plan five weeknights.";
export const STEP_PROMPT = "You are a grocer of long standing. Which three bases keep best?";

export const HANDOVER_BLOCK = renderIntentHandover(INTENT);
export const WORKFLOW_BLOCK = renderExecutionBlock(EXECUTION, WORKFLOW_PROMPT);
export const STEP_BLOCK = renderStepHelpBlock(
  { STEP: "Choose three bases", BLOCKER: "null", CONTEXT: "null" },
  STEP_PROMPT,
);

/** A map of two claims that exclude each other. */
export const FORKED_MAP: Json = {
  claims: [
    claim("c1", {
      label: "three bases",
      text: "Cook three bases on Sunday.",
      supporters: [1, 2],
    }),
    claim("c2", { label: "nothing ahead", text: "Cook nothing ahead.", supporters: [3, 4] }),
  ],
  edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "Sunday is either used or free" }],
  gaps: ["How much freezer room there is"],
};

/** A map on which all agree: what the experts say of the plan's first step. */
export const STEP_MAP: Json = {
  claims: [
    claim("c1", {
      label: "what keeps",
      text: "Rice, tomato sauce and roast roots keep five days.",
      supporters: [1, 2, 3],
    }),
    claim("c2", {
      label: "dated boxes",
      text: "Label every box with its day.",
      supporters: [1, 2, 4],
    }),
  ],
  edges: [{ from: "c1", to: "c2", type: "supports", reason: "What keeps long needs a date" }],
  gaps: [],
};

/** The words of a claim, and the answers that it is from. */
interface Statement {
  readonly label: string;
  readonly text: string;
  readonly supporters: number[];
}

function claim(id: string, statement: Statement) {
  return { id, why: "", type: "prescriptive", stakes: "none", ...statement };
}

/** Experts who answer at once, "View of e1" and so on. */
export function quickExperts(count: number): Expert[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `e${index + 1}`;
    return createExpert(id, () => `View of ${id}`);
  });
}

/** An expert without a lens who answers every request by a function. */
export function createExpert(id: string, answer: Parameters<typeof modelThat>[0]) {
  return { id, lens: null, model: modelThat(answer) };
}

/** A model that answers every request by a function; what it is asked is kept. */
export function modelThat(
  answer: (request: ModelRequest) => Answered | Promise<Answered>,
): LanguageModel & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: "answering",
    requests,
    complete: async (request) => {
      requests.push(request);
      return scriptedModel(await answer(request)).complete(request);
    },
  };
}

type Answered = Exclude<ScriptEntry, () => unknown>;

/** A model that never answers; by default it does not even heed its signal. */
export function hangingModel({ heeds = false }: { readonly heeds?: boolean } = {}): LanguageModel {
  return {
    name: "hanging",
    complete: ({ signal }) =>
      new Promise((_, reject) => {
        if (heeds) signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  };
}

/** Returns the phase of the concierge that gets a request; null for another call of the role. */
export function readPhase({ role, messages }: ModelRequest): Phase | null {
  const [first] = messages;
  if (role !== "concierge" || first?.role !== "system") return null;
  if (first.text.includes("You are the explorer.")) return "explorer";
  if (first.text.includes("You give the first answer to a new question.")) return "starter";
  return first.text.includes("You enter execution") || first.text.includes("carry out a plan")
    ? "executor"
    : null;
}

/** Returns what an expert is asked, without what it is told besides. */
export function readQuestion(request: ModelRequest): string {
  return /^## Question\n\n([\s\S]*?)\n\n## /u.exec(lastText(request))?.[1] ?? "";
}

/** The text of a request's last message. */
export function lastText({ messages }: ModelRequest): string {
  return messages.at(-1)?.text ?? "";
}

/** Returns the person's words in the request's last message. */
export function readMessage(request: ModelRequest): string {
  const text = lastText(request).split("\n---\n\n").at(-1) ?? "";
  const fenced = [...text.matchAll(/<message>\n([\s\S]*?)\n<\/message>/gu)].at(-1)?.[1];
  return fenced ?? text;
}

/** Returns the answer of a concierge without a script: the whole way to the plan. */
function wayToThePlan(phase: Phase, request: ModelRequest): string {
  const message = readMessage(request);
  const isFirst = request.messages.length === 2 && !lastText(request).includes("## You Answered");
  switch (phase) {
    case "starter":
      return isFirst ? OPENING : `${TO_EXPLORER}\n\n${HANDOVER_BLOCK}`;
    case "explorer":
      return message === MESSAGES.plan
        ? `${BEFORE_PLAN}\n\n${WORKFLOW_BLOCK}`
        : `On "${message}": go on.`;
    case "executor":
      return isFirst && lastText(request).includes("Write the plan")
        ? `${PLAN}\n\n${STEP_BLOCK}`
        : `Do this about "${message}".`;
    default:
      return phase satisfies never;
  }
}

/**
 * A thread in the concierge lane: quick experts, a forked map, concierges that lead to a plan and
 * through it. `concierge` answers in their place where it wants. A message that begins with
 * "task: ", "new: " or "drop: " is understood as that, the first one as a new question.
 */
export async function conciergeThread(
  database: TestDatabase,
  {
    concierge = () => null,
    behaviour = {},
    ...parts
  }: ThreadParts & { readonly concierge?: ConciergeScript } = {},
): Promise<TestThread> {
  return testThread(database, {
    experts: quickExperts(4),
    ...parts,
    behaviour: { ...conciergeBehaviour(concierge), ...behaviour },
  });
}

/** Returns the behaviour of the models of such a thread. */
export function conciergeBehaviour(concierge: ConciergeScript = () => null): Behaviour {
  return {
    understand: (request) => ({ json: understood(readMessage(request), request) }),
    concierge: (request) => {
      const phase = readPhase(request);
      return phase === null ? null : (concierge(phase, request) ?? wayToThePlan(phase, request));
    },
    mapper: (request) => ({
      json: lastText(request).includes(STEP_PROMPT) ? STEP_MAP : FORKED_MAP,
    }),
  };
}

function understood(message: string, request: ModelRequest): Json {
  const isFirst = !lastText(request).includes("## Phase\n");
  const journey =
    isFirst || message.startsWith("new: ")
      ? "new"
      : message.startsWith("drop: ")
        ? "reopen"
        : "continue";
  const lane = message.startsWith("task: ") ? "task" : "concierge";
  const planActions = [...message.matchAll(/done with step (\d)/gu)].map(([words, number]) => ({
    kind: "done" as const,
    step: `step_${number}`,
    after: null,
    text: null,
    words,
  }));
  return { ...understandAnswer({ lane, journey, planActions }) };
}

/** Sends messages one after the other; the events of each. */
export async function sendAll(
  thread: TestThread,
  messages: readonly string[],
): Promise<readonly TurnEvent[][]> {
  const all: TurnEvent[][] = [];
  for (const message of messages) all.push([...(await thread.send(message))]);
  return all;
}

/** The requests that concierges of a phase got, in order. */
export function listRequests(thread: TestThread, phase: Phase): ModelRequest[] {
  return thread.requests.filter((request) => readPhase(request) === phase);
}

/** The notices of a turn, as `node code`. */
export function noticesIn(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "notice" ? [`${event.node} ${event.code}`] : [],
  );
}
