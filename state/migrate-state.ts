import type { TurnState, TurnUpdate } from "./turn.ts";

/** Version of the state's shape. Older states are migrated when loaded, newer ones refused. */
export const SCHEMA_VERSION = 1;

/** Brings a stored state from its version to the next: the channels that change. */
export type StateMigration = (values: Partial<TurnState>) => TurnUpdate;

/** From each older version to the next. A change of a channel's shape adds one here and raises `SCHEMA_VERSION`. */
export const STATE_MIGRATIONS: ReadonlyMap<number, StateMigration> = new Map();

/** The way to load a stored state. */
export type StateReading =
  | { readonly kind: "current" }
  | { readonly kind: "migrated"; readonly update: TurnUpdate }
  /** Written by a newer program, or by one so old that no migration leads on from it. */
  | { readonly kind: "unreadable"; readonly version: number };

export interface StateVersions {
  readonly migrations: ReadonlyMap<number, StateMigration>;
  readonly current: number;
}

/**
 * Says how a stored state is loaded: as it is, with an update that brings it up to date, or not at
 * all. A thread without a version has no state yet.
 */
export function readStateVersion(
  values: Partial<TurnState>,
  { migrations, current }: StateVersions = {
    migrations: STATE_MIGRATIONS,
    current: SCHEMA_VERSION,
  },
): StateReading {
  const stored = values.schemaVersion ?? current;
  if (stored === current) return { kind: "current" };
  if (stored > current) return { kind: "unreadable", version: stored };
  let update: TurnUpdate = {};
  for (let version = stored; version < current; version += 1) {
    const migration = migrations.get(version);
    if (migration === undefined) return { kind: "unreadable", version: stored };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An update holds whole channels, as the state does.
    update = { ...update, ...migration({ ...values, ...update } as Partial<TurnState>) };
  }
  return { kind: "migrated", update: { ...update, schemaVersion: current } };
}
