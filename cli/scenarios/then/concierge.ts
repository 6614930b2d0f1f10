import { countTokens } from "../../../models/tokens.ts";
import type { StructuralAnalysis } from "../../../state/analysis.ts";
import type { BatchPurpose } from "../../../state/batch.ts";
import { neutralise, oneLine } from "../../../text/fence.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { buildStructuralBrief } from "../../../claim-analysis/brief.ts";
import { eventsOf, replyOf, shownPrompts, type ShownPrompt } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import { unless } from "./words.ts";

/** A marker, and the keys that stand at the beginning of a block's lines. */
const BLOCK = /<<|^\s*(?:TYPE|HANDOVER|PROMPT|STEP|BLOCKER|CONTEXT)\s*:/mu;

/** Texts that the person saw in which something of a signal block stands: whole replies, and what was streamed of them. */
export function blocksShown(turn: PlayedTurn): readonly string[] {
  const streamed = eventsOf(turn, "text-delta")
    .map(({ text }) => text)
    .join("");
  return [...eventsOf(turn, "reply").map(({ text }) => text), streamed]
    .filter((text) => BLOCK.test(text))
    .map((text) => `a block was shown: ${text}`);
}

/** Where the first event of the turn is that fits; -1 for none. */
export function placeOf(
  turn: PlayedTurn,
  fits: (event: PlayedTurn["events"][number]) => boolean,
): number {
  return turn.events.findIndex(fits);
}

/** The experts that were asked in batches of a purpose, each as often as it was asked. */
export function expertsAsked(turn: PlayedTurn, purpose: BatchPurpose): readonly string[] {
  return eventsOf(turn, "expert-start")
    .filter((event) => event.purpose === purpose)
    .map(({ expert }) => expert);
}

/** The first prompt of a concierge in the turn; an empty one where it was shown none. */
export function firstPrompt(turn: PlayedTurn | undefined, node: string): ShownPrompt {
  const [prompt] = turn === undefined ? [] : shownPrompts(turn, node);
  return prompt ?? { messages: [], sources: {} };
}

/** The text of a prompt's last message. */
export function lastMessage({ messages }: ShownPrompt): string {
  return messages.at(-1)?.text ?? "";
}

/** A prompt's messages as one text. */
export function wholeText({ messages }: ShownPrompt): string {
  return messages.map(({ text }) => text).join("\n\n");
}

/** What is missing of a brief in a prompt: its section, or the text that the analysis makes. */
export function briefProblems(
  prompt: ShownPrompt,
  brief: { readonly analysis: StructuralAnalysis | null; readonly source: string },
): readonly string[] {
  const { analysis, source } = brief;
  if (analysis === null) return ["there is no analysis to make a brief of"];
  const text = buildStructuralBrief(analysis, {
    countTokens,
    tokens: DEFAULT_LIMITS.briefTokens,
  });
  return [
    ...unless(prompt.sources["brief"] === source, `the prompt has no section of "${source}"`),
    ...unless(
      text !== "" && lastMessage(prompt).includes(neutralise(text)),
      `the prompt does not hold the brief: ${text}`,
    ),
  ];
}

/** A handover's entries that a prompt leaves out. */
export function fieldsLeftOut(prompt: ShownPrompt, handover: object): readonly string[] {
  const text = wholeText(prompt);
  return Object.entries(handover).flatMap(([field, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      .filter((entry) => typeof entry === "string")
      .map(oneLine)
      .filter((entry) => !text.includes(entry))
      .map((entry) => `the prompt leaves out ${field}: ${entry}`),
  );
}

/** A fresh instance has no message but its own first prompt. */
export function freshProblems(turn: PlayedTurn, node: string): readonly string[] {
  const { messages } = firstPrompt(turn, node);
  const roles = messages.map(({ role }) => role).join(", ");
  const { conciergeContextId, turnInPhase } = turn.state.concierge;
  return [
    ...unless(roles === "system, user", `the ${node} was shown: ${roles || "nothing"}`),
    ...unless(
      conciergeContextId === `${node}@turn-${turn.state.turn}`,
      `the instance is "${conciergeContextId}", of an earlier turn`,
    ),
    ...unless(turnInPhase === 1, `the instance has answered ${turnInPhase} times`),
  ];
}

/** Long lines of what was said in earlier turns that a prompt repeats outside of `quoted`. */
export function transcriptIn(
  prompt: ShownPrompt,
  { turns, quoted }: { readonly turns: readonly PlayedTurn[]; readonly quoted: readonly string[] },
): readonly string[] {
  const allowed = quoted.map(oneLine);
  const text = wholeText(prompt);
  return turns
    .flatMap((turn) => replyOf(turn).split("\n"))
    .map((line) => line.trim())
    .filter((line) => line.length > 40 && text.includes(line))
    .filter((line) => !allowed.some((entry) => entry.includes(oneLine(line))))
    .map((line) => `the prompt repeats what was said: ${line}`);
}
