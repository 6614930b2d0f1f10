import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { HandoverPatch } from "../state/handover-patch.ts";
import type { IntentHandover } from "../state/handover.ts";

/** The bounds of a handover. */
export interface HandoverLimits {
  /** Entries a list; the oldest leave. */
  readonly entries: number;
  /** Entries of `revealedConstraints`, which hold longer than what was found. */
  readonly constraints: number;
  /** Characters of an entry that a patch adds. */
  readonly characters: number;
}

export const HANDOVER_LIMITS: HandoverLimits = { entries: 12, constraints: 24, characters: 200 };

type ListField =
  | "keyFindings"
  | "tensions"
  | "gaps"
  | "revealedConstraints"
  | "unpromptedReveals"
  | "stillUnclear";

/**
 * The handover with a patch applied, field by field.
 *
 * Contract: never rewritten whole. What opened the journey stays as it is; an empty text changes
 * nothing; lists lose only what no longer holds and what leaves at their limit, gain what is new
 * once, and keep their order.
 */
export function applyHandoverPatch(
  handover: IntentHandover,
  patch: HandoverPatch,
  limits: HandoverLimits = HANDOVER_LIMITS,
): IntentHandover {
  const list = (field: ListField): string[] =>
    patchList(handover[field], {
      add: patch[field],
      drop: patch.noLongerHolds,
      characters: limits.characters,
    }).slice(-(field === "revealedConstraints" ? limits.constraints : limits.entries));
  const text = (patched: string | null, kept: string): string =>
    clip(oneLine(patched ?? ""), limits.characters) || kept;
  return {
    ...handover,
    keyFindings: list("keyFindings"),
    tensions: list("tensions"),
    gaps: list("gaps"),
    impliedGoal: text(patch.impliedGoal, handover.impliedGoal),
    revealedConstraints: list("revealedConstraints"),
    acceptedFraming: text(patch.acceptedFraming, handover.acceptedFraming),
    resistedFraming: text(patch.resistedFraming, handover.resistedFraming ?? "") || null,
    unpromptedReveals: list("unpromptedReveals"),
    stillUnclear: list("stillUnclear"),
    effectiveStance: patch.effectiveStance ?? handover.effectiveStance,
  };
}

interface PatchListOptions {
  readonly add: readonly string[];
  readonly drop: readonly string[];
  readonly characters: number;
}

function patchList(entries: readonly string[], patch: PatchListOptions): string[] {
  const dropped = new Set(patch.drop.map(foldEntry));
  const kept = entries.filter((entry) => !dropped.has(foldEntry(entry)));
  const added = new Map(
    patch.add
      .map((entry) => clip(oneLine(entry), patch.characters))
      .filter((entry) => entry !== "")
      .map((entry) => [foldEntry(entry), entry]),
  );
  for (const entry of kept) added.delete(foldEntry(entry));
  return [...kept, ...added.values()];
}

/** Returns a key for comparing entries: models change case, spaces and the final period when they repeat one. */
export function foldEntry(entry: string): string {
  return oneLine(entry)
    .toLowerCase()
    .replace(/[.;,]+$/, "");
}
