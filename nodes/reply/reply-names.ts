import type { ReplyNames } from "../../output-filter/reply-gate.ts";
import { refPrefix } from "../../registry/refs.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";

/** Collects the labels that stand for refs and ids in a reply. Pure. */
export function collectReplyNames({ entries }: Registry, types: readonly EntityType[]): ReplyNames {
  return {
    labels: new Map(entries.map(({ ref, label }) => [ref, label])),
    ids: new Map(
      entries.flatMap(({ id, label }) => (id === null ? [] : [[id.toLowerCase(), label]])),
    ),
    prefixes: types.flatMap((type) => [
      refPrefix(type, { draft: false }),
      refPrefix(type, { draft: true }),
    ]),
  };
}
