import { ModelError } from "../../state/model.ts";
import type { Observation } from "../profile/learn.ts";
import type { ConfiguredModel } from "../client/openai.ts";
import { chooseNextStep } from "./choose-next-step.ts";
import type { ProbedStep, ProbeProgress } from "./probe-progress.ts";
import { judgeProbe, type ProbeVerdict } from "./judge-probe.ts";
import { listShown, readProbedTraits } from "./read-traits.ts";
import { buildProbeRequest, forceTraits, type ProbePlan, type ProbeStep } from "./probe-steps.ts";
import { copyTraits, setTraits, type ModelProfile } from "../profile/profile.ts";
import { ProfileKeeper } from "../profile/profile-keeper.ts";

/** The circumstances of a probe. */
export interface ProbeOptions {
  readonly plan: ProbePlan;
  /** Seconds after which no more is asked. */
  readonly seconds: number;
}

/** A finished probe. */
export interface ProbeReport extends ProbeProgress {
  readonly verdict: ProbeVerdict;
  /** True where the time was over before the plan. */
  readonly isLate: boolean;
  /** The profile that holds from now on. */
  readonly profile: ModelProfile;
}

/**
 * Probes a model along the way on which the program asks it, and stores what was found out as
 * `probed`. A model that gives no text leaves its profile as it was.
 *
 * Source: models.md §1, "`npm run models` and `doctor`".
 */
export async function runProbe(
  model: ConfiguredModel,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const { plan, seconds } = options;
  const signal = AbortSignal.timeout(Math.max(1, Math.round(seconds * 1_000)));
  const done: ProbedStep[] = [];
  let working = model.start;
  for (;;) {
    const step = signal.aborted ? null : chooseNextStep({ done, plan, start: model.start });
    if (step === null) break;
    const asked = await askStep(step, { model, working, plan, signal });
    // What was broken off in the middle tells nothing.
    if (asked === null) break;
    done.push(asked.probed);
    working = applyTraits(asked.profile, { done, plan, start: model.start });
  }
  const progress = { done, plan, start: model.start };
  const verdict = judgeProbe(progress);
  const [text] = done;
  if (text?.outcome.kind === "answered") await store(model, { working, progress });
  return {
    ...progress,
    verdict,
    isLate: signal.aborted,
    profile: model.profile.current,
  };
}

interface Asking {
  readonly model: ConfiguredModel;
  readonly working: ModelProfile;
  readonly plan: ProbePlan;
  readonly signal: AbortSignal;
}

/** Knows what is forced and learns the rest; keeps what it has seen. */
class WatchingKeeper extends ProfileKeeper {
  readonly seen: Observation[] = [];

  override observe(observation: Observation): string | null {
    this.seen.push(observation);
    // A refusal that names no number says only that the prompt of this step was too long.
    const isVague = observation.kind === "window-named" && observation.tokens === null;
    return isVague ? null : super.observe(observation);
  }
}

async function askStep(
  step: ProbeStep,
  { model, working, plan, signal }: Asking,
): Promise<{ readonly probed: ProbedStep; readonly profile: ModelProfile } | null> {
  const keeper = new WatchingKeeper({
    start: working,
    settings: { ...model.settings, ...forceTraits(step) },
    store: null,
    now: Date.now,
    onError: () => undefined,
  });
  const asked = model.open({
    profile: keeper,
    ...(step.kind === "thinking" ? { reasoning: step.level } : {}),
  });
  const started = performance.now();
  let firstMs: number | null = null;
  let pieces = 0;
  const onText = (): void => {
    firstMs ??= performance.now() - started;
    pieces += 1;
  };
  const request = {
    ...buildProbeRequest(step, plan),
    signal,
    onText: step.kind === "stream" ? onText : null,
  };
  const outcome = await asked.complete(request).then(
    (answer): ProbedStep["outcome"] => ({ kind: "answered", answer }),
    (error: unknown): ProbedStep["outcome"] => {
      if (error instanceof ModelError) return { kind: "failed", error };
      throw error;
    },
  );
  if (outcome.kind === "failed" && signal.aborted) return null;
  const ms = performance.now() - started;
  // What was forced in this step goes; what was learned beside it stays.
  const profile = copyTraits(keeper.current, working, ({ source }) => source === "set");
  return { probed: { step, observations: keeper.seen, ms, firstMs, pieces, outcome }, profile };
}

/** Sets the fields that were found out so far. */
function applyTraits(profile: ModelProfile, progress: ProbeProgress): ModelProfile {
  const at = new Date().toISOString();
  return readProbedTraits(progress).reduce(
    (known, { traits, reason }) => setTraits(known, traits, { source: "probed", at, reason }),
    profile,
  );
}

interface Found {
  readonly working: ModelProfile;
  readonly progress: ProbeProgress;
}

const LESSONS: ReadonlySet<string> = new Set(["learned", "probed"]);

/** Stores the findings. Lessons of the probe count as probed: each of its calls was made to learn. */
async function store(model: ConfiguredModel, { working, progress }: Found): Promise<void> {
  await model.profile.ready();
  const at = new Date().toISOString();
  const learned = Object.entries(working.evidence).filter(([, { source }]) => source === "learned");
  // What an earlier probe or call found lacking is over, unless this one did too.
  const cured = listShown(progress.done).filter(
    (name) =>
      working.evidence[name]?.source !== "learned" &&
      working.evidence[name]?.source !== "probed" &&
      LESSONS.has(model.profile.current.evidence[name]?.source ?? "assumed"),
  );
  const found = { source: "probed", at, reason: "its answers show it" } as const;
  model.profile.merge({
    ...working,
    evidence: {
      ...working.evidence,
      ...Object.fromEntries(
        learned.map(([name, evidence]) => [name, { ...evidence, source: "probed" as const, at }]),
      ),
      ...Object.fromEntries(cured.map((name) => [name, found])),
    },
  });
  await model.profile.stored();
}
