import type { Domain } from "../domains/domain.ts";
import { JsonObjectSchema } from "../state/json.ts";
import type { Registry } from "../state/registry.ts";
import type { PendingQuestion } from "../state/step.ts";
import type { TurnState } from "../state/turn.ts";

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
  const { understanding, plan, turn } = state;
  const waits = { plan: null, options: [], waives: [], turn };
  if (understanding?.route === "clarify" && understanding.clarification !== null) {
    const { question, options } = understanding.clarification;
    const text = [question, ...options.map(({ label }) => `- ${label}`)].join("\n");
    return { text, pending: { ...waits, kind: "question", text: question, options } };
  }
  if (plan === null) return null;
  if (plan.failure !== null) return { text: failedPlanText(plan.failure), pending: null };
  if (plan.decision === "clarify") {
    const text = plan.questions.join("\n");
    return { text, pending: { ...waits, kind: "question", text } };
  }
  if (plan.decision === "propose" && plan.proposal !== null) {
    const stored = JsonObjectSchema.parse(JSON.parse(JSON.stringify(plan)));
    return {
      text: plan.proposal,
      pending: { ...waits, kind: "proposal", text: plan.proposal, plan: stored },
    };
  }
  const asked = state.stepResults.find(({ status }) => status === "asked");
  if (asked !== undefined && state.effects.length === 0) {
    const partial = asked.outcome === asked.question ? "" : asked.outcome;
    const text = [partial, asked.question ?? ""].filter((part) => part !== "").join("\n\n");
    return {
      text,
      pending: {
        ...waits,
        kind: "question",
        text: asked.question ?? text,
        waives: asked.breaches.map(({ constraint }) => constraint),
      },
    };
  }
  if (plan.origin !== "quick") return null;
  const quick = quickText(state, context);
  return quick === null ? null : { text: quick, pending: null };
}

function failedPlanText(reason: string): string {
  return `I could not work out what to do: ${reason}\nNothing was changed. Your message is kept; send it again, or put it another way.`;
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
  const stored = state.effects.map(({ action, label }) => `- ${action}: ${label}`);
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
    stored.length === 0 ? "Nothing was changed." : `Stored:\n${stored.join("\n")}`,
  ];
  return parts.join("\n\n");
}

const SHOWN = 12;
