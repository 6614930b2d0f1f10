import type { UnderstandAnswer } from "../../../state/understanding.ts";
import type { Wish } from "../language/wish.ts";
import { joinWords } from "../language/words.ts";
import type { Memory } from "./memory.ts";

const EXPRESSED: Readonly<Record<Wish["kind"], string>> = {
  options: "Wants to know what there is to choose from",
  exclude: "Wants to leave something out",
  welcome: "Wants something back that was left out",
  look: "Wants to see what is there",
  search: "Wants to find something",
  narrow: "Wants to narrow the options",
  show: "Wants to see something again",
  draft: "Wants something made up",
  change: "Wants a draft changed",
  save: "Wants drafts saved",
  add: "Wants something added",
  remove: "Wants something removed",
  clear: "Wants everything removed",
  finish: "Wants something marked as done",
  schedule: "Wants something put on the plan",
  move: "Wants something on another day",
  have: "Wants to know whether something is there",
  recall: "Wants to know what was said before",
  suppose: "Speaks of a change without wanting it",
  recap: "Wants to know what was done",
  fill: "Wants days filled",
  recount: "Wants another number",
  collect: "Wants to know what has to be got",
  rule: "States a rule that always holds",
  count: "Wants to know how many there are",
  verify: "Wants to be sure",
  standing: "Wants to know how things stand",
  earlier: "Wants to be reminded of how it began",
  repeat: "Wants to hear the answer again",
  why: "Wants to know why",
  meta: "Wants to know about the assistant",
  thanks: "Is content and says thanks",
  greet: "Says hello",
  yes: "Agrees",
  no: "Declines",
};

/** What the person wants or feels, in one sentence. */
export function expressedOf(
  { request, known, excluded }: Memory,
  curation: UnderstandAnswer["curation"],
): string {
  const labels = new Map([...known, ...excluded].map(({ ref, label }) => [ref, label]));
  const name = (decided: readonly { readonly ref: string }[]): string =>
    joinWords(decided.map(({ ref }) => labels.get(ref) ?? ref));
  if (curation.demote.length > 0) return `Wants to exclude ${name(curation.demote)}`;
  if (curation.restore.length > 0) return `Wants ${name(curation.restore)} back`;
  const [wish] = request.wishes;
  if (wish === undefined) return "Says something that was not understood";
  return `${EXPRESSED[wish.kind]}: ${wish.phrase.replaceAll(" ,", ",")}`;
}

/** Why a message is read that way, in one sentence. */
export function reasoningOf(wishes: readonly Wish[]): string {
  const kinds = [...new Set(wishes.map(({ kind }) => kind))];
  return kinds.length === 0
    ? "Nothing in the message fits what is known."
    : `The message asks to ${kinds.join(" and to ")}.`;
}
