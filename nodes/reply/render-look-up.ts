import type { Domain } from "../../state/domain.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { Registry } from "../../state/registry.ts";
import type { CallResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { oneLine } from "../../text/fence.ts";
import { joinWithAnd } from "../../text/join-list.ts";
import { renderSentence } from "../../text/sentences.ts";
import { RECALL_SCHEMA } from "../steps/recall.ts";
import { describeReadScope } from "./read-scope.ts";
import { describeNothingFound } from "./nothing-found.ts";

interface LookUpContext {
  readonly registry: Registry;
  readonly domain: Domain;
}

/** Words the answer to a look-up of a known form; null where it takes a model. Pure. */
export function renderLookUp(state: TurnState, { registry, domain }: LookUpContext): string | null {
  const [result] = state.stepResults;
  const [step] = state.plan?.steps ?? [];
  if (result === undefined || step === undefined) return null;
  const failure = wordFailedReads(result.calls, domain);
  // Where a model says why it has failed, or what is in its way, that is more than code knows.
  if (result.status !== "done" && (failure === null || !result.outcome.endsWith(failure)))
    return null;
  // A row that is named is told whole, which no list of rows does.
  const isWhole = step.refs.length > 0 || state.plan?.calls.some(({ find }) => find?.all) === true;
  if (isWhole) return null;
  const { calls } = result;
  // The step may have ended without reading anything: then there is nothing that code can say.
  if (calls.length === 0) return null;
  const entries = new Map(registry.entries.map((entry) => [entry.ref, entry]));
  const answered = calls.filter(({ ok, effect }) => ok && effect === "read");
  // What the person has left out is not offered again by a list; it is counted.
  const out = new Set(registry.entries.filter((entry) => entry.demotion).map(({ ref }) => ref));
  const leftOut = answered.flatMap(({ refs }) => refs.filter((ref) => out.has(ref))).length;
  const reads = answered.map(({ tool, args, table, refs, count, suppressed }) => {
    const type = domain.entityTypes.find((candidate) => candidate.table === table);
    const rows = refs.flatMap((ref) => {
      const entry = entries.get(ref);
      if (entry === undefined || entry.row === null || entry.type !== type?.type) return [];
      if (out.has(ref)) return [];
      return [{ id: ref, rowVersion: entry.rowVersion ?? 0, values: flattenRow(entry.row) }];
    });
    return {
      table,
      type: type?.type ?? table,
      ids: rows.map(({ id }) => id),
      rows,
      detail: "summary" as const,
      total: count - refs.filter((ref) => out.has(ref)).length,
      suppressed,
      scope: describeReadScope({ tool, args }, type, { isWhole: rows.length === count }),
    };
  });
  const counted = leftOut === 0 ? [] : [renderSentence("moreLeftOut", { count: leftOut })];
  const added = [...counted, ...(failure === null ? [] : [failure])].join("\n\n");
  if (reads.every(({ rows }) => rows.length === 0))
    return added === "" ? describeNothingFound(answered, domain) : added;
  const text = domain.formatQuick({
    subdomain: step.subdomain,
    intent: step.description,
    message: state.input?.text ?? "",
    reads,
  });
  return text === null || added === "" ? text : `${text}\n\n${added}`;
}

/** Returns a row with every text on one line: what somebody wrote makes no line of a list. */
function flattenRow(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, flatten(value)]));
}

function flatten(value: Json): Json {
  if (typeof value === "string") return oneLine(value);
  if (Array.isArray(value)) return value.map((item: Json) => flatten(item));
  return isJsonObject(value) ? flattenRow(value) : value;
}

/**
 * Words the failed reads and questions to services that no later one has answered; null where there
 * are none. Pure.
 */
export function wordFailedReads(
  calls: readonly CallResult[],
  domain: Pick<Domain, "entityTypes">,
): string | null {
  // A look into earlier turns counts only where nothing else was looked at.
  const reads = calls.filter(({ tool }) => tool !== RECALL_SCHEMA.name);
  const failed = unansweredReads(reads.length > 0 ? reads : calls);
  return failed.length === 0 ? null : lookupFailureText(failed, domain);
}

/** Returns the failed reads that no later call of the same tool or table has answered. */
function unansweredReads(calls: readonly CallResult[]): CallResult[] {
  return calls.filter(
    ({ ok, effect, tool, table }, index) =>
      !ok &&
      effect === "read" &&
      !calls
        .slice(index + 1)
        .some(
          (later) =>
            later.ok &&
            later.effect === "read" &&
            (later.tool === tool || (table !== "" && later.table === table)),
        ),
  );
}

function lookupFailureText(
  failed: readonly CallResult[],
  domain: Pick<Domain, "entityTypes">,
): string {
  const names = failed.flatMap(
    ({ table }) => domain.entityTypes.find((type) => type.table === table)?.words.many ?? [],
  );
  const what =
    names.length === 0
      ? renderSentence("lookedUpThat")
      : renderSentence("lookedUpRows", { rows: joinWithAnd([...new Set(names)]) });
  const explained = failed.find(({ isExplained }) => isExplained);
  return explained === undefined
    ? renderSentence("lookupFailed", { what })
    : renderSentence("lookupUnfit", { what, reason: explained.summary });
}
