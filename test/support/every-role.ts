import { mapRoles, type ModelRole } from "../../state/model.ts";

/** The same for every role. */
export function everyRole<T>(value: T): Readonly<Record<ModelRole, T>> {
  return mapRoles(() => value);
}
