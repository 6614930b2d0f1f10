import type { ModelRole } from "../../state/model.ts";

/** The same for every role. */
export function everyRole<T>(value: T): Readonly<Record<ModelRole, T>> {
  return {
    understand: value,
    think: value,
    act: value,
    reply: value,
    summarize: value,
    concierge: value,
    expert: value,
    mapper: value,
  };
}
