import type { Breach, Change, Verdict } from "../../state/change.ts";
import { explainNever, type Tool } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import type { AlongRows } from "./count-along.ts";
import type { ListUnspoken } from "../word-new-values.ts";
import { findConfirmRules, type PlanConsent } from "./confirm-rules.ts";
import { hashChanges } from "./hash-changes.ts";
import { listBreaches } from "./judge-changes.ts";

/** Consent of the person to the changes. */
export interface Consent extends PlanConsent {
  readonly listUnspoken: ListUnspoken;
  /** The question that the person has said yes to; null where none was asked. */
  readonly confirmed: ConfirmedChanges | null;
  /** True where the model has been sent back for a breach already: the person is asked instead. */
  readonly isRepeated: boolean;
  /** True for a call that is only looked at, to list its changes in a proposal: nothing is kept. */
  readonly isPreview: boolean;
}

/** Scope of a "yes": exactly these changes, and these rules. */
export interface ConfirmedChanges {
  readonly changesHash: string;
  readonly rules: readonly string[];
}

/** Changes that wait for the person's "yes". */
export interface UnconfirmedChanges extends ConfirmedChanges {
  readonly changes: readonly Change[];
  readonly along: readonly AlongRows[];
  /** Why a rule of the domain speaks against them, by label. */
  readonly reasons: readonly string[];
  /** Why the effect cannot be taken back; null where it can. */
  readonly final: string | null;
}

/** The reason for which changes are not kept: they break a rule, or the person has not said yes to them. */
export type Objection =
  | { readonly kind: "breach"; readonly breaches: readonly Breach[] }
  | { readonly kind: "unconfirmed"; readonly unconfirmed: UnconfirmedChanges };

interface ObjectionOptions {
  readonly verdicts: readonly Verdict[];
  readonly tool: Tool;
  readonly entityTypes: readonly EntityType[];
  readonly consent: Consent;
  /** The drafts that new rows save, by `rowKey`. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Rows that go along and that the changes do not show. */
  readonly along: readonly AlongRows[];
}

/** The rule by which the changes of a proposal wait for a "yes". */
const PROPOSED = "proposed";

/**
 * Finds what speaks against keeping changes; null where nothing does. A breach goes back to the model
 * once; where it stands and the person may override it, the person is asked. Pure.
 */
export function findObjection(
  changes: readonly Change[],
  { verdicts, tool, entityTypes, consent, drafts, along }: ObjectionOptions,
): Objection | null {
  // Most changes are neither asked about nor confirmed, and need none.
  const hash = (): string => hashChanges(changes, entityTypes, along);
  const { confirmed: covered } = consent;
  // Where the changes are not those that a "yes" covers, the person is asked again.
  const confirmed = covered !== null && covered.changesHash === hash() ? covered.rules : null;
  const isAlone = along.length === 0;
  const rules =
    confirmed === null
      ? findConfirmRules(changes, { tool, entityTypes, consent, drafts, isAlone })
      : [];
  const breaches = listBreaches(verdicts).filter(
    ({ rule, overridable }) => !(overridable && confirmed?.includes(rule)),
  );
  const isAskable = consent.isRepeated || consent.isPreview || covered !== null;
  if (breaches.some(({ overridable }) => !overridable || !isAskable)) {
    return { kind: "breach", breaches };
  }
  const doubts = verdicts.filter(({ kind }) => kind === "confirm");
  const asked = [
    ...(consent.isPreview ? [PROPOSED] : []),
    // What was asked about once is not kept because the rules alone would not ask by now.
    ...(confirmed === null && rules.length === 0 ? (covered?.rules ?? []) : rules),
    ...doubts.map(({ rule }) => rule),
    ...breaches.map(({ rule }) => rule),
  ];
  if (asked.every((rule) => confirmed?.includes(rule))) return null;
  const reasons = [...breaches, ...doubts].map(({ reason, rule }) => `${reason} (${rule})`);
  const final = explainNever(tool);
  const unconfirmed = {
    changes,
    along,
    changesHash: hash(),
    rules: [...new Set(asked)],
    reasons,
    final,
  };
  return { kind: "unconfirmed", unconfirmed };
}
