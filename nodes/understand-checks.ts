import type { Domain } from "../state/domain.ts";
import type { ConversationView } from "../prompts/view.ts";
import type { TurnState } from "../state/turn.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { collectRecordRefs } from "./steps/refs-of-record.ts";

/** The refs and subdomains of Understand's prompt: an answer may name no others. */
export interface ShownToUnderstand {
  readonly refs: ReadonlySet<string>;
  readonly subdomains: Domain["subdomains"];
}

/** Collects every ref that stands somewhere in Understand's prompt. */
export function shownToUnderstand(
  state: TurnState,
  { view, domain }: { readonly view: ConversationView; readonly domain: Domain },
): ShownToUnderstand {
  const refs = new Set([
    ...view.table.shown,
    ...view.excluded.map(({ ref }) => ref),
    ...view.listed.map(({ ref }) => ref),
    ...(state.pending?.options.map(({ ref }) => ref) ?? []),
    ...state.turnExecutionSummaries.flatMap(collectRecordRefs),
  ]);
  return { refs, subdomains: domain.subdomains };
}

/** Returns the problems of an answer, as sentences that go back to the model. */
export function checkUnderstanding(answer: UnderstandAnswer, shown: ShownToUnderstand): string[] {
  const { curation, quick } = answer;
  const refs = [
    ...answer.references.map(({ ref }) => ref),
    ...[...curation.retain, ...curation.demote, ...curation.restore].map(({ ref }) => ref),
    ...curation.drop,
    ...(answer.clarification?.options.map(({ ref }) => ref) ?? []),
  ];
  const unknown = [...new Set(refs.filter((ref) => !shown.refs.has(ref)))];
  const problems = unknown.map((ref) => `ref "${ref}" does not stand in the prompt`);
  if (quick === null || isSubdomain(quick.subdomain, shown)) return problems;
  const names = shown.subdomains.map(({ name }) => name).join(", ");
  return [...problems, `quick.subdomain "${quick.subdomain}" does not exist; there are: ${names}`];
}

/** The answer without what `checkUnderstanding` finds wrong in it. */
export function keepShown(answer: UnderstandAnswer, shown: ShownToUnderstand): UnderstandAnswer {
  const { curation, clarification, quick } = answer;
  const isShown = ({ ref }: { readonly ref: string }): boolean => shown.refs.has(ref);
  return {
    ...answer,
    references: answer.references.filter(isShown),
    curation: {
      ...curation,
      retain: curation.retain.filter(isShown),
      demote: curation.demote.filter(isShown),
      restore: curation.restore.filter(isShown),
      drop: curation.drop.filter((ref) => shown.refs.has(ref)),
    },
    quick: quick === null || !isSubdomain(quick.subdomain, shown) ? null : quick,
    clarification:
      clarification === null
        ? null
        : { ...clarification, options: clarification.options.filter(isShown) },
  };
}

function isSubdomain(name: string, { subdomains }: ShownToUnderstand): boolean {
  return subdomains.some((subdomain) => subdomain.name === name);
}
