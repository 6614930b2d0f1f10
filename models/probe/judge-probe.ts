import { STRUCTURED_MODES } from "../profile/profile.ts";
import {
  type ProbeProgress,
  listProbed,
  findStop,
  isStructured,
  countValid,
} from "./probe-progress.ts";

/** The verdict on a model. */
export type ProbeVerdict =
  /** `partly`: the prompts of the nodes were not reached. */
  | { readonly kind: "usable"; readonly judged: "valid" | "with repairs" | "partly" }
  /** `advice`: the first thing to do, an imperative. */
  | { readonly kind: "unusable"; readonly advice: string }
  /** It gives no answer at all; the sentence says why and what to do. */
  | { readonly kind: "failed"; readonly sentence: string };

/** Judges a model by its answers. */
export function judgeProbe({ done, plan }: ProbeProgress): ProbeVerdict {
  const [text] = listProbed(done, "text");
  if (text === undefined) {
    return { kind: "unusable", advice: "choose a faster model: it gave no answer in time" };
  }
  if (text.outcome.kind === "failed") {
    return { kind: "failed", sentence: text.outcome.error.message };
  }
  const stop = findStop(done);
  if (stop !== null) return { kind: "failed", sentence: stop.message };
  const stream = listProbed(done, "stream")[0]?.outcome;
  // Every reply in words is streamed.
  if (stream?.kind === "failed") return { kind: "failed", sentence: stream.error.message };
  const modes = listProbed(done, "structured");
  if (modes.length === STRUCTURED_MODES.length && !modes.some(isStructured)) {
    return {
      kind: "unusable",
      advice: "choose another model: it gave no structured answer that can be read",
    };
  }
  const counts = countValid(done, plan);
  const none = counts.find(({ asked, valid }) => asked > 0 && valid === 0);
  if (none !== undefined) {
    return {
      kind: "unusable",
      advice: `choose another model: no answer to the prompt of ${none.node} was valid`,
    };
  }
  if (counts.some(({ asked }) => asked === 0)) return { kind: "usable", judged: "partly" };
  const isValid = counts.every(({ asked, valid }) => valid === asked);
  return { kind: "usable", judged: isValid ? "valid" : "with repairs" };
}
