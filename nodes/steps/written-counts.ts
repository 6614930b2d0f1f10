import type { Change } from "../../state/change.ts";
import type { Effect } from "../../state/step.ts";
import type { ToolWrite } from "../../state/tool.ts";

type Kind = Pick<Change, "action" | "type">;

const ACTIONS = {
  created: "create",
  updated: "update",
  deleted: "delete",
} as const satisfies Record<Effect["action"], Change["action"]>;

/** Counts the changes of a turn by kind, so that a limit cannot be met call by call. */
export class WrittenCounts {
  readonly #counts = new Map<string, number>();

  /** Begins with what the steps before have stored. */
  constructor(effects: readonly Pick<Effect, "action" | "type">[]) {
    for (const { action, type } of effects) this.#add({ action: ACTIONS[action], type });
  }

  /** Adds the rows of a call that was carried out; what followed from them does not count. */
  addCall(writes: readonly Pick<ToolWrite, "action" | "type" | "follows">[]): void {
    for (const { action, type, follows } of writes) {
      if (!follows) this.#add({ action: ACTIONS[action], type });
    }
  }

  /** Returns the number of changes of a kind. */
  count(kind: Kind): number {
    return this.#counts.get(placeKind(kind)) ?? 0;
  }

  #add(kind: Kind): void {
    this.#counts.set(placeKind(kind), this.count(kind) + 1);
  }
}

function placeKind({ action, type }: Kind): string {
  return `${action} ${type}`;
}
