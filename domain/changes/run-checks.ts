import { z } from "zod";
import {
  REASON_CHARACTERS,
  VerdictSchema,
  type Change,
  type Check,
  type CheckContext,
  type Verdict,
} from "../../state/change.ts";
import { isDatabaseId } from "../../text/quote-value.ts";
import { clipValue } from "../word-values.ts";
import type { Links } from "./load-links.ts";

/** The checks that look at some of the changes. */
export function selectChecks(
  checks: readonly Check[],
  changes: readonly Change[],
): readonly Check[] {
  return checks.filter((check) => changes.some((change) => isSubject(check, change)));
}

interface RunChecks {
  readonly checks: readonly Check[];
  readonly context: Omit<CheckContext, "linked">;
  readonly links: Links;
  /** Called with a check that threw, or whose answer is no verdict: its changes are refused. */
  readonly onFailure: (check: string, error: unknown) => void;
}

/** Runs the checks over the changes that they look at. A check that throws, or gives no verdict that can be read, refuses them. */
export function runChecks(
  changes: readonly Change[],
  { checks, context, links, onFailure }: RunChecks,
): readonly Verdict[] {
  return checks.flatMap((check) => {
    const own = changes.filter((change) => isSubject(check, change));
    if (own.length === 0) return [];
    try {
      const verdicts = check.run(own, { ...context, linked: links });
      return verdicts.map((verdict) => readVerdict(verdict, { changes, check: check.name }));
    } catch (error) {
      onFailure(check.name, error);
      return [
        { kind: "breach" as const, rule: check.name, reason: FAILED_CHECK, overridable: false },
      ];
    }
  });
}

const FAILED_CHECK = "It could not be checked, so nothing was stored";

function isSubject({ types, actions }: Check, { type, action }: Change): boolean {
  return types.includes(type) && actions.includes(action);
}

interface ReasonSource {
  readonly changes: readonly Change[];
  readonly check: string;
}

/** Reads a verdict, which a check in plain JavaScript may have misspelt: what nobody can read is no consent. */
function readVerdict(given: Verdict, source: ReasonSource): Verdict {
  const { data, error } = VerdictSchema.safeParse(given);
  if (data === undefined) {
    throw new TypeError(
      `Cannot read a verdict of the check "${source.check}": ${z.prettifyError(error)}`,
    );
  }
  const empty = (["rule", "reason"] as const).find((name) => data[name].trim() === "");
  if (empty !== undefined) {
    throw new TypeError(`Cannot use a verdict of the check "${source.check}": ${empty} is empty`);
  }
  assertNoRefs(data.reason, source);
  return Object.assign({}, data, { reason: clipValue(data.reason, REASON_CHARACTERS) });
}

/** People read reasons: they name rows by label. */
function assertNoRefs(reason: string, { changes, check }: ReasonSource): void {
  const words = reason.split(/[^\p{L}\p{N}_-]+/u);
  const refs = new Set(changes.flatMap(({ ref }) => ref ?? []));
  const named = words.find((word) => refs.has(word) || isDatabaseId(word));
  if (named === undefined) return;
  throw new TypeError(
    `Cannot use a reason of the check "${check}": it names a row by a ref or an id; use its label`,
  );
}
