import type { Domain } from "../../state/domain.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Plan } from "../../state/plan.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingQuestion } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import { sentence } from "./sentence.ts";

/** A reply that needs no model, and what it leaves waiting. */
export interface DirectReply {
  readonly text: string;
  readonly pending: PendingQuestion | null;
}

/** What code can say by itself: questions, proposals, a plan that failed, quick looks of a known form. */
export function directReply(
  state: TurnState,
  context: { readonly registry: Registry; readonly domain: Domain },
): DirectReply | null {
  const { understanding, plan } = state;
  if (understanding?.route === "clarify" && understanding.clarification !== null) {
    return clarification(understanding.clarification, state.turn);
  }
  if (plan === null) return null;
  if (plan.failure !== null) return { text: failedPlanText(plan.failure, state), pending: null };
  if (plan.decision === "clarify") {
    const text = plan.questions.join("\n");
    return { text: afterStored(state, text), pending: { ...questionIn(state.turn), text } };
  }
  if (plan.decision === "propose" && plan.proposal !== null) {
    return proposal(plan.proposal, { plan, state });
  }
  // What was stored besides has to be said with the question: the model does both.
  const asked = state.effects.length === 0 ? askedQuestion(state) : null;
  if (asked !== null) return asked;
  if (plan.origin !== "quick") return null;
  const quick = quickText(state, context);
  return quick === null ? null : { text: quick, pending: null };
}

/** What the turn's questions leave waiting, however they are said; null when no step has asked. */
export function askedQuestion(state: TurnState): DirectReply | null {
  const asked = state.stepResults.filter(({ status }) => status === "asked");
  if (asked.length === 0) return null;
  const said = asked.flatMap(({ outcome, question }) => [
    ...(outcome === question ? [] : [outcome]),
    question ?? "",
  ]);
  const questions = asked.map(({ question, outcome }) => question ?? outcome);
  const waives = asked.flatMap(({ breaches }) => breaches.map(({ constraint }) => constraint));
  return {
    text: said.filter((part) => part !== "").join("\n\n"),
    pending: {
      ...questionIn(state.turn),
      text: questions.join("\n"),
      waives: [...new Set(waives)],
    },
  };
}

function questionIn(turn: number): Omit<PendingQuestion, "text"> {
  return { kind: "question", plan: null, options: [], waives: [], turn };
}

function clarification(
  { question, options }: NonNullable<Understanding["clarification"]>,
  turn: number,
): DirectReply {
  const text = [question, ...options.map(({ label }) => `- ${label}`)].join("\n");
  return { text, pending: { ...questionIn(turn), text: question, options } };
}

/** The steps that are left run when the person agrees; what an earlier plan has done is not among them. */
function proposal(
  text: string,
  { plan, state }: { readonly plan: Plan; readonly state: TurnState },
): DirectReply {
  const steps = plan.steps.filter((_, index) => state.stepResults[index] === undefined);
  const stored = JsonObjectSchema.parse(JSON.parse(JSON.stringify({ ...plan, steps })));
  return {
    text: afterStored(state, text),
    pending: { ...questionIn(state.turn), kind: "proposal", text, plan: stored },
  };
}

function failedPlanText(reason: string, state: TurnState): string {
  const done = state.effects.length === 0 ? "Nothing was changed." : storedText(state);
  const text = `I could not work out what to do: ${sentence(reason)}`;
  return `${text}\n${done}\nPlease send it again, or put it another way.`;
}

/** What a plan before this one has stored goes before what is asked now. */
function afterStored(state: TurnState, text: string): string {
  return state.effects.length === 0 ? text : `${storedText(state)}\n\n${text}`;
}

function storedText(state: TurnState): string {
  return ["Stored:", ...state.effects.map(({ action, label }) => `- ${action}: ${label}`)].join(
    "\n",
  );
}

function quickText(
  state: TurnState,
  { registry, domain }: { readonly registry: Registry; readonly domain: Domain },
): string | null {
  const [result] = state.stepResults;
  const quick = state.understanding?.quick;
  if (result?.status !== "done" || quick === null || quick === undefined) return null;
  const entries = new Map(registry.entries.map((entry) => [entry.ref, entry]));
  const reads = result.calls
    .filter(({ ok, effect }) => ok && effect === "read")
    .map(({ table, refs, count, suppressed }) => {
      const type = domain.entityTypes.find((candidate) => candidate.table === table);
      const rows = refs.flatMap((ref) => {
        const entry = entries.get(ref);
        return entry === undefined || entry.row === null || entry.type !== type?.type
          ? []
          : [{ id: ref, rowVersion: entry.rowVersion ?? 0, values: entry.row }];
      });
      return {
        table,
        type: type?.type ?? table,
        ids: rows.map(({ id }) => id),
        rows,
        detail: "summary" as const,
        total: count,
        suppressed,
      };
    });
  const table = reads[0]?.table ?? "";
  if (reads.every(({ rows }) => rows.length === 0)) return domain.emptyText(table);
  return domain.formatQuick({
    subdomain: quick.subdomain,
    intent: quick.intent,
    message: state.input?.text ?? "",
    reads,
  });
}

/** One line a step: what came of it. */
export function outcomeLines(state: TurnState): string[] {
  return state.stepResults.map(({ step, status, outcome }) => {
    const description = state.plan?.steps[step]?.description ?? "Step";
    return status === "done"
      ? `${description}: ${outcome}`
      : `${description} (${status}): ${outcome}`;
  });
}

/** What is said when the model that speaks gives no answer: only what the execution holds. */
export function fallbackReply(state: TurnState, registry: Registry): string {
  const labels = new Map(registry.entries.map(({ ref, label }) => [ref, label]));
  const outcomes = state.stepResults.map(({ step, status, outcome, refs }) => {
    const names = refs.flatMap((ref) => labels.get(ref) ?? []).slice(0, SHOWN);
    const more = refs.length - names.length;
    const list =
      names.length === 0 ? "" : `: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    const lead =
      status === "done" ? "" : `${state.plan?.steps[step]?.description ?? "A step"} (${status}): `;
    return `- ${lead}${outcome}${list}`;
  });
  const parts = [
    "I could not put this into words, so here is what happened.",
    outcomes.length === 0 ? "Nothing was looked up." : outcomes.join("\n"),
    state.effects.length === 0 ? "Nothing was changed." : storedText(state),
  ];
  return parts.join("\n\n");
}

const SHOWN = 12;
