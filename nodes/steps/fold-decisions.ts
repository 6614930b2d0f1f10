import { applyEvent, foldRegistry } from "../../registry/apply-event.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import type { Artifact, StepResult } from "../../state/step.ts";
import { ToolInputError } from "../../state/tool.ts";
import type { TurnUpdate } from "../../state/turn.ts";
import { readArtifact } from "./drafts.ts";
import { advancePlan } from "./plan-progress.ts";
import type { ActRound, StepDecision } from "./round.ts";
import { emitEnds } from "./step-events.ts";

/** Joins the decisions of a round in step order: one writer, the same refs every time. */
export function foldDecisions(decisions: readonly StepDecision[], round: ActRound): TurnUpdate {
  const { state, plan, services, io } = round;
  const byStep = new Map(decisions.map((decision) => [decision.result.step, decision]));
  let registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const events: RegistryEvent[] = [];
  const results = state.stepResults.map((before): StepResult => {
    const decision = byStep.get(before.step);
    if (decision === undefined) return before;
    const drafted: string[] = [];
    for (const artifact of decision.artifacts) {
      const made = addDraft(artifact, { registry, round });
      registry = made.registry;
      events.push(made.event);
      drafted.push(made.ref);
    }
    const refs = [...new Set([...decision.result.refs, ...drafted])];
    return { ...decision.result, artifacts: drafted, refs };
  });
  const pendingCalls = decisions.flatMap((decision) => decision.pendingCalls);
  const progress = advancePlan(plan, results, { group: state.cursor?.group ?? 1 });
  const stepResults = [...progress.results];
  emitEnds(state.stepResults, stepResults, io);
  const judged = decisions.flatMap(({ result }) => collectJudged(result, { registry, round }));
  const notices = decisions.flatMap((decision) => decision.notices);
  return {
    stepResults,
    pendingCalls,
    cursor: { group: progress.group },
    registryEvents: [...state.registryEvents, ...events, ...judged],
    calls: [...state.calls, ...decisions.flatMap((decision) => decision.calls)],
    ...(notices.length === 0 ? {} : { notices: [...state.notices, ...notices] }),
  };
}

interface FoldContext {
  readonly registry: Registry;
  readonly round: ActRound;
}

/** The registry with the artifact as a draft: a new one under the next ref, or one changed in place. */
function addDraft(
  artifact: Artifact,
  { registry, round }: FoldContext,
): { readonly registry: Registry; readonly event: RegistryEvent; readonly ref: string } {
  const { state, services } = round;
  const reading = readArtifact(artifact, { registry, toolbox: services.toolbox });
  if (reading.kind === "wrong") throw new ToolInputError(reading.problem);
  const event: RegistryEvent = {
    kind: "drafted",
    turn: state.turn,
    type: artifact.type,
    ref: artifact.ref,
    content: reading.content.values,
  };
  const after = applyEvent(registry, event, services.domain.entityTypes);
  const known = new Set(registry.entries.map(({ ref }) => ref));
  const ref = after.entries.find((entry) => !known.has(entry.ref))?.ref ?? artifact.ref;
  if (ref === null) throw new TypeError(`Cannot draft a "${artifact.type}": it got no ref`);
  return { registry: after, event, ref };
}

/** Returns the result of a finished analysis for each type that it judged; empty for every other step. */
function collectJudged(result: StepResult, { registry, round }: FoldContext): RegistryEvent[] {
  const step = round.plan.steps[result.step];
  if (step?.stepType !== "analyze" || result.status !== "done") return [];
  const types = new Map(registry.entries.map(({ ref, type }) => [ref, type]));
  const { subdomains } = round.services.domain;
  const own = subdomains.filter(({ name }) => name === step.subdomain).map(({ type }) => type);
  const found = [...new Set(result.refs.flatMap((ref) => types.get(ref) ?? []))];
  // What the step is about is judged; rows it merely leaned on are not.
  const about = found.filter((type) => own.includes(type));
  const judged = about.length > 0 ? about : found.length > 0 ? found : own.slice(0, 1);
  const hasType = (type: string) => (ref: string) => types.get(ref) === type;
  return judged.map((type) => ({
    kind: "judged",
    turn: round.state.turn,
    type,
    refs: result.refs.filter(hasType(type)),
    of: step.refs.filter(hasType(type)).length || null,
    title: round.plan.goal,
    conclusion: result.outcome,
    topic: round.state.understanding?.topic ?? null,
  }));
}
