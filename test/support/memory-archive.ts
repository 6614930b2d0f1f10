import type { Archive, ArchivedTurn } from "../../nodes/node.ts";
import type { Manifest } from "../../state/envelope.ts";
import type { RegistryEntry } from "../../state/registry.ts";

type SavedTurn = Parameters<Archive["saveTurn"]>[0];

/** An archive that keeps everything where a test can look. */
export interface MemoryArchive extends Archive {
  /** Every call of `saveTurn`, in order. */
  readonly saved: readonly SavedTurn[];
  readonly manifests: readonly Manifest[];
  /** Entries that left the registry, by ref. */
  readonly refs: ReadonlyMap<string, RegistryEntry>;
}

/** Makes an archive in memory; `turns` are what a recall finds. */
export function memoryArchive(
  options: { readonly turns?: readonly ArchivedTurn[]; readonly refs?: RegistryEntry[] } = {},
): MemoryArchive {
  const saved: SavedTurn[] = [];
  const manifests: Manifest[] = [];
  const refs = new Map((options.refs ?? []).map((entry) => [entry.ref, entry]));
  return {
    saved,
    manifests,
    refs,
    async saveTurn(turn) {
      saved.push(turn);
    },
    async findTurns({ turn, limit }) {
      const found = (options.turns ?? []).filter((one) => turn === null || one.turn === turn);
      return { turns: found.slice(0, limit), total: found.length };
    },
    async storeRefs({ entries }) {
      for (const entry of entries) refs.set(entry.ref, entry);
    },
    async findRefs(query) {
      const byId = [...refs.values()].filter(({ id }) => id !== null && query.ids.includes(id));
      return [...query.refs.flatMap((ref) => refs.get(ref) ?? []), ...byId];
    },
    noteManifest({ manifest }) {
      manifests.push(manifest);
    },
  };
}
