import { nameRows } from "../../domain/name-rows.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import { oneLine } from "../../text/fence.ts";

/** Parts that known rows are named from. */
export interface EntryNames {
  readonly registry: Registry;
  readonly entityTypes: readonly EntityType[];
  /** The person's, in which times are shown. */
  readonly timeZone: string;
}

/** Names the rows of refs by label and facts, and by what tells those apart that read the same; refs of no row are left out. Pure. */
export function nameEntries(
  refs: readonly string[],
  { registry, entityTypes, timeZone }: EntryNames,
): ReadonlyMap<string, string> {
  const entries = refs.flatMap((ref) => registry.entries.find((entry) => entry.ref === ref) ?? []);
  const types = entityTypes.map((type) => ({
    type,
    own: entries.filter((entry) => entry.type === type.type),
  }));
  return new Map(
    types.flatMap(({ type, own }) => {
      const names = nameRows(own.map(describeEntry), type, { labels: new Map(), timeZone });
      return own.map(({ ref, label }, index): [string, string] => [ref, names[index] ?? label]);
    }),
  );
}

function describeEntry({ label, facts, row }: RegistryEntry) {
  return { label: oneLine(label), facts: [oneLine(facts)], values: row ?? {} };
}
