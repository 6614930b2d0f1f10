import { failuresOf, type PlayReport } from "../../cli/scenarios/judge.ts";
import { blocksShown } from "../../cli/scenarios/then/concierge.ts";
import { checkEventOrder } from "./event-order.ts";
import { idsShown } from "./ids-shown.ts";

/**
 * What is wrong with a scenario as it was played, a sentence each: expectations that do not hold,
 * ids of rows and signal blocks that were shown, events out of order.
 */
export function checkPlay(report: PlayReport): readonly string[] {
  const { turns } = report;
  return [
    ...failuresOf(report),
    ...idsShown(turns).map((shown) => `a row's id was shown: ${shown}`),
    ...turns.flatMap(blocksShown),
    ...turns.flatMap(({ events }) => checkEventOrder(events)),
  ];
}
