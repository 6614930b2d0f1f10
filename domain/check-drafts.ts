import type { Breach } from "../state/change.ts";
import type { Queryable } from "../state/store.ts";
import type { RefBook } from "../state/tool.ts";
import { collectDraftRows, toDraftChanges, type DraftContent } from "./changes/draft-changes.ts";
import {
  judgeChanges,
  listBreaches,
  selectWarnings,
  type ChangeRules,
} from "./changes/judge-changes.ts";

/** Verdicts of checks on drafts. */
export interface DraftVerdicts {
  readonly breaches: readonly Breach[];
  readonly warnings: readonly string[];
}

/** Rules and refs that drafts are checked with. */
export interface DraftCheck {
  readonly rules: ChangeRules;
  readonly refs: RefBook;
  /** Rules that the person has set aside. */
  readonly waived: readonly string[];
}

/** Checks drafts, all of them together, as the creations that saving them would be. */
export async function checkDrafts(
  db: Queryable,
  drafts: readonly DraftContent[],
  { rules, refs, waived }: DraftCheck,
): Promise<DraftVerdicts> {
  const changes = toDraftChanges(drafts, rules.entityTypes, refs);
  const rows = collectDraftRows(drafts, rules.entityTypes, refs);
  const verdicts = await judgeChanges(db, changes, { origin: "draft", rules, drafts: rows });
  const breaches = listBreaches(verdicts).filter(
    ({ rule, overridable }) => !(overridable && waived.includes(rule)),
  );
  return { breaches, warnings: selectWarnings(verdicts) };
}
