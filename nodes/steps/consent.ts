import { z } from "zod";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Consent } from "../../domain/changes/find-objection.ts";
import type { ListUnspoken } from "../../domain/word-new-values.ts";
import { hashJson } from "../../domain/changes/hash-changes.ts";
import { explainNever } from "../../state/domain.ts";
import type { UnconfirmedCall } from "../../state/pending.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { PendingCall } from "../../state/step.ts";
import { ordersOtherThan, readOrder, requestsSomething } from "../../output-filter/asked-change.ts";
import { readAskedParts } from "../../output-filter/read-asked-parts.ts";
import { foldText } from "../../text/fold-words.ts";
import { asksForNoEnd } from "../../text/plan-change-words.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { asksForNothing, isCourtesy, readPersonsAnswer } from "../../text/read-yes-no.ts";
import { readLastReply } from "../read-last-reply.ts";
import { requireRun } from "../require-run.ts";
import { findReferences } from "./found-references.ts";
import { findTopic, listExchanges } from "./find-topic.ts";
import { listNameable } from "./named-rows.ts";
import { selectOrdered } from "./ordered-rows.ts";
import { createNameCheck } from "./other-names.ts";
import { isPlanned, selectAgreed } from "./planned-writes.ts";
import { selectPointing } from "./pointing-references.ts";
import { listSpokenWords } from "./doubtful-changes.ts";
import { listUnspoken, NewRowWords } from "./unspoken-values.ts";
import { selectUnasked } from "./stated-changes.ts";
import type { DomainCall, Round } from "./round.ts";
import { asksForNoChange, isAnswer } from "./unasked.ts";

/** Reads the consent of the person to a call: from the message, or from the answer to the question about it. */
export function readConsent(call: DomainCall): Consent {
  const { tool, pending, registry, round } = call;
  const { state, plan, services } = round;
  const step = plan.steps[pending.step];
  const writes = step?.writes ?? [];
  const isProposed = plan.origin === "proposal";
  const confirmed = findConfirmedCall(pending, round);
  // Words that ask for no change name nothing to change: "do not delete Kim", "is Kim any good?".
  const request = state.understanding?.needs === "change" ? readRequest(state, registry) : "";
  // The person has read the description of a step without calls in the proposal, and said yes to it.
  const described = isProposed && confirmed === null ? (step?.description ?? "") : "";
  const { ordered, asked } = readAskedParts(request, "gone");
  const words = {
    references: [
      ...selectPointing(state.understanding?.references ?? [], {
        lastReply: readLastReply(state),
        registry,
        entityTypes: services.domain.entityTypes,
      }),
      ...findReferences({
        request,
        calls: state.stepResults.flatMap(({ calls }) => calls),
        entries: registry.entries,
        entityTypes: services.domain.entityTypes,
      }),
    ],
    known: listNameable(registry),
    entityTypes: services.domain.entityTypes,
  };
  const namesOther = createNameCheck({
    message: `${request}\n${described}`,
    registry,
    entityTypes: services.domain.entityTypes,
    isStrict: true,
  });
  const earlier = state.stepResults[pending.step]?.calls ?? [];
  const isIrrevocable = explainNever(tool) !== null;
  return {
    selectNamed: (rows) =>
      selectOrdered(rows, { ...words, described, ordered, asked }).filter(
        (row) => !namesOther(row),
      ),
    selectPlanned: (changes) => changes.filter((change) => isPlanned(change, writes)),
    selectAgreed: isProposed
      ? (changes, drafts) =>
          selectAgreed(changes, {
            writes,
            drafts,
            seen: listSeenDrafts(registry, state),
            description: step?.description ?? "",
            given: listGivenColumns(pending.args),
            entityTypes: services.domain.entityTypes,
          })
      : null,
    isUnasked: asksForNoChange(state.understanding) || onlyAsks(state) || saysNothing(state),
    ordersNoDeletion:
      (plan.origin === "think" && ordersOtherThan("gone", request)) ||
      (!isProposed &&
        !answersQuestion(state) &&
        ordered === "" &&
        ((asked === "" && request !== "") || asksForNoEnd(asked))),
    isPreview: false,
    selectUnrelated: (changes, drafts) =>
      selectUnasked(changes, {
        ...readAskedFor(call),
        message: state.input?.text ?? "",
        lastReply: readLastReply(state),
        // What cannot be taken back needs words of its own.
        topic: isIrrevocable
          ? null
          : findTopic(listExchanges(state), {
              entries: registry.entries,
              entityTypes: services.domain.entityTypes,
            }),
        understanding: state.understanding,
        plan,
        effects: state.effects,
        drafts,
        ownTool: services.toolbox.isGenerated(tool) ? null : tool.name,
        isIrrevocable,
      }),
    listUnspoken: createUnspokenList(call),
    countEarlier: (change) => round.written.count(change),
    confirmed,
    isRepeated: earlier.some(
      ({ tool: before, breaches }) => before === tool.name && breaches.length > 0,
    ),
  };
}

/** Returns true for an answer, whose order stands in what it answers. */
function answersQuestion({ understanding }: Pick<TurnState, "understanding">): boolean {
  return understanding !== null && isAnswer(understanding);
}

/** The words by which the changes of a call are asked for. */
function readAskedFor({ registry, round: { state, services } }: DomainCall) {
  return {
    message: readAskedParts(state.input?.text ?? "", "there").asked,
    registry,
    entityTypes: services.domain.entityTypes,
    today: requireRun(state).today,
    language: state.language,
  };
}

/** Makes the function that lists what a call gives its new rows without a word of the message. */
export function createUnspokenList(call: DomainCall): ListUnspoken {
  const { entityTypes } = call.round.services.domain;
  // Most calls make no new rows.
  let words: NewRowWords | null = null;
  return (change) => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    words ??= new NewRowWords(listSpokenWords(readAskedFor(call)));
    return type === undefined ? [] : listUnspoken(change, type, words);
  };
}

/** Consent to a call that is only looked at: whatever it would change is listed, and nothing is kept. */
export function askAboutEverything(call: DomainCall): Consent {
  const { round } = call;
  return {
    listUnspoken: createUnspokenList(call),
    selectNamed: (rows) => rows,
    selectPlanned: (changes) => changes,
    selectAgreed: null,
    isUnasked: false,
    ordersNoDeletion: false,
    isPreview: true,
    selectUnrelated: () => [],
    countEarlier: (change) => round.written.count(change),
    confirmed: null,
    isRepeated: false,
  };
}

/** The refs of drafts as the person saw them before this turn. */
function listSeenDrafts(
  { entries }: Pick<Registry, "entries">,
  { stepResults, turn }: Pick<TurnState, "stepResults" | "turn">,
): ReadonlySet<string> {
  const fresh = new Set(stepResults.flatMap(({ artifacts }) => artifacts));
  const drafts = entries.filter(
    ({ ref, id, createdTurn }) => id === null && createdTurn < turn && !fresh.has(ref),
  );
  return new Set(drafts.map(({ ref }) => ref));
}

/** Returns true for a message that asks a question, and nobody to do something, and answers none. */
function onlyAsks({ input, understanding }: Round["state"]): boolean {
  const text = input?.text ?? "";
  if (answersQuestion({ understanding }) || understanding?.route === "undo") return false;
  // The question may stand behind an order: "put figs on the list, what's next?"
  const isOrder = readOrder(text.replaceAll(/[?？]/gu, ".")) !== null || requestsSomething(text);
  return !isOrder && isMereQuestion(text);
}

/** Returns true for thanks, a goodbye or praise that answers neither the question that waits nor one in the words of a model. */
function saysNothing(state: Round["state"]): boolean {
  const { input, understanding, pending } = state;
  const isAsked = pending === null && endsAsQuestion(readLastReply(state));
  return (
    !answersQuestion(state) &&
    understanding?.route !== "undo" &&
    asksForNothing(input?.text ?? "") &&
    !isAsked
  );
}

/** Returns true for a question that orders nothing in known words. */
function isMereQuestion(text: string): boolean {
  return readPersonsAnswer(text) === "asks" && readOrder(text) === null;
}

/** The person's words, where they ask for something: a mere question names nothing, nor does one word that says yes or no. */
function readRequest({ input, understanding }: Round["state"], registry: Registry): string {
  const text = input?.text ?? "";
  if (isMereQuestion(text) || isCourtesy(dropLabels(text, registry))) return "";
  const answer = understanding?.answersPending;
  const isYesOrNo = answer === "accept" || answer === "reject";
  return isYesOrNo && !/\s/u.test(text.trim()) ? "" : text;
}

/** Leaves out of a text what things are called: "thanks, milk" is nothing but thanks. */
function dropLabels(text: string, { entries }: Registry): string {
  return entries.reduce((rest, { label }) => rest.replaceAll(foldText(label), " "), foldText(text));
}

/** The call that the person has said yes to, where this is it; null for every other call. */
export function findConfirmedCall(
  { tool, args }: PendingCall,
  { state }: Round,
): UnconfirmedCall | null {
  const hash = hashJson([tool, args]);
  const calls = state.confirmed?.calls ?? [];
  return calls.find((call) => hashJson([call.tool, call.args]) === hash) ?? null;
}

const RowsArgsSchema = z.object({ rows: z.array(JsonObjectSchema) });
const SetArgsSchema = z.object({ set: JsonObjectSchema });

/** Returns the columns that a call of a generated tool gives values for; null for every other call. */
function listGivenColumns(args: PendingCall["args"]): ReadonlySet<string> | null {
  const created = RowsArgsSchema.safeParse(args);
  const updated = SetArgsSchema.safeParse(args);
  const rows = created.success ? created.data.rows : updated.success ? [updated.data.set] : null;
  if (rows === null) return null;
  return new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== null)));
}
