import type { Change } from "../../state/change.ts";
import { describeChangeable, listChangeableTypes, type Domain } from "../../state/domain.ts";
import type { PlannedWrite, PlanStep } from "../../state/plan.ts";

/**
 * Returns true where a plan lists a change: its action and type, and its row where the plan names
 * rows. A plan that names none means rows that the step finds. Pure.
 */
export function isPlanned(change: Change, writes: readonly PlannedWrite[]): boolean {
  return writes.some(
    (write) =>
      isSameKind(change, write) &&
      (change.action === "create" || write.refs.length === 0 || includesRow(write, change)),
  );
}

/** Returns the changes whose very rows a plan lists: a "yes" to its proposal covers them. Pure. */
export function selectListed(
  changes: readonly Change[],
  writes: readonly PlannedWrite[],
): readonly Change[] {
  return changes.filter((change) =>
    writes.some((write) => isSameKind(change, write) && includesRow(write, change)),
  );
}

function isSameKind(change: Change, { action, type }: PlannedWrite): boolean {
  return change.action === action && change.type === type;
}

function includesRow({ refs }: PlannedWrite, { ref }: Change): boolean {
  return ref !== null && refs.includes(ref);
}

type DomainParts = Pick<Domain, "entityTypes" | "subdomains" | "tools">;

/** Returns the problems of what a step says it writes, as sentences that go back to the model. Pure. */
export function checkWrites(
  { stepType, subdomain, description, writes }: PlanStep,
  domain: DomainParts,
): string[] {
  const part = domain.subdomains.find(({ name }) => name === subdomain);
  if (stepType !== "write" || part === undefined) return [];
  const changeable = listChangeableTypes(part, domain);
  const isOutside = domain.tools.some(
    (tool) => tool.effect === "call" && tool.subdomain === subdomain,
  );
  if (writes.length === 0 && !isOutside) {
    return [`write step "${description}" lists no writes; list every change that it makes`];
  }
  return writes
    .filter(
      ({ action, type }) =>
        !changeable.some(
          (each) => each.type === type && (each.isToolWritten || each.actions.includes(action)),
        ),
    )
    .map(({ action, type }) => {
      const can = changeable.map(describeChangeable).join("; ");
      return `step "${description}" cannot ${action} "${type}"; ${subdomain} can change: ${can || "nothing"}`;
    });
}
