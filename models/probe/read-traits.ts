import {
  STRUCTURED_MODES,
  ToolModeSchema,
  TRAITS,
  type ModelProfile,
  type ProfileTraits,
} from "../profile/profile.ts";
import { PROBED_NODES, type ProbePlan, type ProbeStep } from "./probe-steps.ts";
import {
  readWindowStep,
  type ProbedStep,
  type ProbeProgress,
  listProbed,
  findStop,
  isStructured,
  findWorkingTools,
  isChoiceIgnored,
  findControl,
  hasThought,
  countValid,
} from "./probe-progress.ts";

/** Windows come in such steps: one that has taken a prompt of 15,000 tokens has at least 16,384. */
const WINDOW_STEP = 4_096;

/** Valid answers below this share make a model small (models.md §1). */
const FULL_SHARE = 0.9;

/** A field that a probe has found out. */
export interface ProbedTrait {
  readonly field: keyof ProfileTraits;
  /** The fields to set; none where what is known stays. */
  readonly traits: Partial<ProfileTraits>;
  readonly reason: string;
}

/** Returns what the answers so far tell about the endpoint and its model. Pure. */
export function readProbedTraits(progress: ProbeProgress): readonly ProbedTrait[] {
  const { plan, start } = progress;
  const done = findStop(progress.done) === null ? progress.done : progress.done.slice(0, -1);
  return [
    readStructured(done),
    readTools(done),
    readStrict(done),
    readStream(done),
    readControl(done, start),
    readWindowTrait(done, start),
    readCache(done, plan),
    readTier(done, plan),
  ].flatMap((trait) => trait ?? []);
}

function readStructured(done: readonly ProbedStep[]): ProbedTrait | null {
  const tried = listProbed(done, "structured");
  const working = tried.findIndex(isStructured);
  if (working === -1) {
    // Nothing worked: the way with the fewest demands is left.
    return tried.length < STRUCTURED_MODES.length
      ? null
      : {
          field: "structured",
          traits: { structured: "text" },
          reason: "no way of asking gave a valid answer",
        };
  }
  const found = tried[working];
  if (found === undefined) return null;
  const failed = tried.slice(0, working).map((one) => `${one.step.mode} ${describeFailure(one)}`);
  const { mode } = found.step;
  const others = tried
    .slice(working + 1)
    .filter(isStructured)
    .map((one) => one.step.mode);
  const areAll = others.length === STRUCTURED_MODES.length - 1;
  const also = areAll ? "all others" : others.join(", ");
  const first = others.length === 0 ? mode : `${mode}; also ${also}`;
  return {
    field: "structured",
    traits: { structured: mode },
    reason: failed.length === 0 ? first : `${failed.join(", ")} → ${mode}`,
  };
}

function describeFailure({ outcome }: ProbedStep): string {
  if (outcome.kind === "answered") return "is ignored";
  return outcome.error.code === "model_request_refused" ? "is refused" : "fails";
}

function readTools(done: readonly ProbedStep[]): ProbedTrait | null {
  const tried = listProbed(done, "tools");
  const tools = findWorkingTools(done);
  if (tools === null) {
    return tried.length < ToolModeSchema.options.length
      ? null
      : { field: "tools", traits: { tools: "union" }, reason: "no way of asking gave a call" };
  }
  const ignored = tried.some(isChoiceIgnored);
  const first = tried[0];
  const isFirst = tools === "required";
  const failure =
    ignored || first === undefined ? "required is ignored" : `required ${describeFailure(first)}`;
  const reason = isFirst ? "required" : `${failure} → ${tools}`;
  return { field: "tools", traits: { tools }, reason };
}

function readStrict(done: readonly ProbedStep[]): ProbedTrait | null {
  const sent = listProbed(done, "structured").find(
    (one) => isStructured(one) && ["json_schema", "tool"].includes(one.step.mode),
  );
  if (sent === undefined) return null;
  const isRefused = done.some(({ observations }) =>
    observations.some((one) => one.kind === "field-refused" && one.field === "strict"),
  );
  return {
    field: "strict",
    traits: { strict: !isRefused },
    reason: isRefused ? '"strict" is refused' : '"strict" is taken',
  };
}

/** An answer this short may come in one piece from anybody. */
const LONG_TEXT = 100;

function readStream(done: readonly ProbedStep[]): ProbedTrait | null {
  const [stream] = listProbed(done, "stream");
  if (stream === undefined) return null;
  const field = "streams";
  const { outcome, pieces, observations } = stream;
  if (outcome.kind === "failed") return { field, traits: {}, reason: "a streamed answer failed" };
  const isRefused = observations.some(
    (one) => one.kind === "field-refused" && one.field === "stream",
  );
  const isIgnored = observations.some(({ kind }) => kind === "stream-ignored");
  if (isRefused || isIgnored) {
    const reason = `${isRefused ? "is refused" : "is ignored"} → whole answers`;
    return { field, traits: { streams: false }, reason };
  }
  if (pieces > 1) return { field, traits: { streams: true }, reason: "in pieces" };
  if (outcome.answer.text.length < LONG_TEXT) return null;
  return { field, traits: { streams: false }, reason: "the whole answer in one piece" };
}

function readControl(done: readonly ProbedStep[], start: ModelProfile): ProbedTrait | null {
  const tried = listProbed(done, "thinking");
  if (tried.length === 0) return null;
  const control = findControl(done, start);
  if (control !== null && done.some(hasThought)) {
    const isDown = tried.some((one) => one.step.level === "off" && hasThought(one));
    return {
      field: "reasoningControl",
      traits: { reasoningControl: control },
      reason: isDown ? "can be turned down" : "can be switched off",
    };
  }
  // A field that changes nothing need not be sent.
  if (!done.some(hasThought)) {
    return {
      field: "reasoningControl",
      traits: start.reasoningControl === "none" ? { reasoningControl: "none" } : {},
      reason: "none seen",
    };
  }
  return {
    field: "reasoningControl",
    traits: { reasoningControl: "none" },
    reason: "cannot be switched off",
  };
}

function readWindowTrait(done: readonly ProbedStep[], start: ModelProfile): ProbedTrait | null {
  const readings = listProbed(done, "window").map(readWindowStep);
  const kept = readings.findLast((one) => one.kind === "kept")?.tokens ?? null;
  const least = kept === null ? null : Math.ceil(kept / WINDOW_STEP) * WINDOW_STEP;
  const field = "contextWindow";
  const last = readings.at(-1);
  switch (last?.kind) {
    case "cut": {
      const tokens = last.read ?? least;
      const reason = "a longer prompt lost its beginning";
      return { field, traits: tokens === null ? {} : { contextWindow: tokens }, reason };
    }
    case "refused": {
      const tokens = last.window ?? least;
      const reason = "a longer prompt is refused";
      return { field, traits: tokens === null ? {} : { contextWindow: tokens }, reason };
    }
    case "kept": {
      const isKnown = start.evidence.contextWindow?.source === "known";
      // More was not tried: what is known by the name may be more.
      if (isKnown && (start.contextWindow ?? 0) >= last.tokens) {
        return { field, traits: {}, reason: `a prompt of ${last.tokens} tokens was read whole` };
      }
      const traits = least === null ? {} : { contextWindow: least };
      return { field, traits, reason: "at least; more was not tried" };
    }
    case "failed":
      return { field, traits: {}, reason: "a long prompt failed" };
    case undefined:
      return null;
    default:
      return last satisfies never;
  }
}

export function readCache(
  done: readonly ProbedStep[],
  { questions }: ProbePlan,
): ProbedTrait | null {
  const isReported = done.some(({ observations }) =>
    observations.some(({ kind }) => kind === "cached"),
  );
  const field = "promptCache";
  if (isReported) return { field, traits: { promptCache: "reported" }, reason: "counted" };
  const asked = listProbed(done, "question").map(({ step }) => questions[step.index]?.request);
  return new Set(asked).size === asked.length
    ? null
    : { field, traits: { promptCache: "unreported" }, reason: "none of the same prompt twice" };
}

function readTier(done: readonly ProbedStep[], plan: ProbePlan): ProbedTrait | null {
  const counts = countValid(done, plan);
  const asked = counts.reduce((sum, count) => sum + count.asked, 0);
  const valid = counts.reduce((sum, count) => sum + count.valid, 0);
  if (asked === 0 || valid / asked >= FULL_SHARE) return null;
  const reason = `${valid} of ${asked} answers valid`;
  return { field: "tier", traits: { tier: "small" }, reason };
}

/** Fields that a probe sets only where something is lacking, and the step that would show it. */
const SHOWN_BY: Partial<Record<keyof ProfileTraits, ProbeStep["kind"]>> = {
  systemRole: "text",
  delivery: "stream",
  streamUsage: "stream",
  tier: "question",
};

/** Lists the fields that would have been set if they were still lacking: their step was answered. */
export function listShown(done: readonly ProbedStep[]): readonly (keyof ProfileTraits)[] {
  const answered = new Set(
    done.flatMap(({ step, outcome }) => (outcome.kind === "answered" ? [step.kind] : [])),
  );
  return TRAITS.filter((name) => {
    const kind = SHOWN_BY[name];
    return kind !== undefined && answered.has(kind);
  });
}

/** Tokens a second, and seconds of a usual turn; null where nothing shows it. */
export interface ProbedSpeed {
  readonly read: number | null;
  readonly written: number | null;
  readonly turnSeconds: number | null;
}

/** Computes the speed from the answers: of reading from the nodes' prompts, of writing from the stream. */
export function readSpeed(done: readonly ProbedStep[], plan: ProbePlan): ProbedSpeed {
  const [stream] = listProbed(done, "stream");
  const written = stream === undefined ? null : readWritingSpeed(stream);
  const answered = listProbed(done, "question").flatMap(({ step, ms, outcome }) =>
    outcome.kind === "failed"
      ? []
      : [{ node: plan.questions[step.index]?.node, ms, usage: outcome.answer.usage }],
  );
  const reading = answered.flatMap(({ ms, usage }) => {
    const seconds = ms / 1_000 - (written === null ? 0 : usage.output / written);
    const tokens = usage.input - usage.cached;
    return seconds > 0 && tokens > 0 ? [tokens / seconds] : [];
  });
  const nodes = PROBED_NODES.map((node) =>
    average(answered.filter((one) => one.node === node).map(({ ms }) => ms)),
  );
  const [understand, think] = nodes;
  return {
    read: average(reading),
    written,
    turnSeconds:
      understand == null || think == null || stream === undefined
        ? null
        : (understand + think + stream.ms) / 1_000,
  };
}

function readWritingSpeed({ ms, firstMs, outcome }: ProbedStep): number | null {
  if (outcome.kind === "failed") return null;
  // A text in one piece was written before it came.
  const writing = firstMs !== null && ms - firstMs > ms / 10 ? ms - firstMs : ms;
  const { output } = outcome.answer.usage;
  return output === 0 || writing <= 0 ? null : (output * 1_000) / writing;
}

function average(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
