import type {
  Breach,
  Change,
  ChangeOrigin,
  Check,
  CheckContext,
  Verdict,
} from "../../state/change.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { loadLinks } from "./load-links.ts";
import { runChecks, selectChecks } from "./run-checks.ts";

/** Rules that every change is checked against. */
export interface ChangeRules {
  readonly entityTypes: readonly EntityType[];
  readonly checks: readonly Check[];
  readonly facts: Pick<CheckContext, "constraints" | "profile" | "today" | "turn">;
  readonly onCheckFailure: (check: string, error: unknown) => void;
  readonly onRowDenied?: ((table: string, error: unknown) => void) | undefined;
}

interface JudgeOptions {
  readonly origin: ChangeOrigin;
  readonly rules: ChangeRules;
  /** Drafts that the changes point at, by their refs. */
  readonly drafts?: ReadonlyMap<string, EntityRow>;
}

/** Runs the checks over changes. */
export async function judgeChanges(
  tx: Queryable,
  changes: readonly Change[],
  { origin, rules, drafts }: JudgeOptions,
): Promise<readonly Verdict[]> {
  const { entityTypes, facts, onCheckFailure } = rules;
  const checks = selectChecks(rules.checks, changes);
  if (checks.length === 0) return [];
  const paths = checks.flatMap(({ links = [] }) => links);
  const links = await loadLinks(tx, {
    changes,
    paths,
    entityTypes,
    ...(drafts === undefined ? {} : { drafts }),
  });
  return runChecks(changes, {
    checks,
    links,
    context: { ...facts, origin },
    onFailure: onCheckFailure,
  });
}

/** The breaches among verdicts. */
export function listBreaches(verdicts: readonly Verdict[]): readonly Breach[] {
  return verdicts.filter((verdict): verdict is Breach => verdict.kind === "breach");
}

/** The reasons of warnings, each once. */
export function selectWarnings(verdicts: readonly Verdict[]): string[] {
  const reasons = verdicts.filter(({ kind }) => kind === "warning").map(({ reason }) => reason);
  return [...new Set(reasons)];
}
