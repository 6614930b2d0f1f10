import type { EntityType } from "../../state/entity.ts";
import type { CountTokens } from "../../state/model.ts";
import type { Registry } from "../../state/registry.ts";
import { judgeFittedWishes } from "./judge-fitted-wishes.ts";
import { judgeMadeUpEvents } from "./judge-made-up-events.ts";
import { judgeOutcomes } from "./judge-outcomes.ts";
import { judgeReadings } from "./judge-readings.ts";
import { judgeTexts } from "./judge-texts.ts";
import { judgeWishMerging } from "./judge-wishes.ts";
import { Numbers } from "./numbers.ts";
import type { Violation } from "./violation.ts";

interface MadeUpContext {
  readonly turn: number;
  readonly types: readonly EntityType[];
  readonly countTokens: CountTokens;
}

/** Laws that few conversations come to by themselves, on what one has come to: a third of them in each turn. */
export function judgeMadeUp(
  registry: Registry,
  { turn, types, countTokens }: MadeUpContext,
): Violation[] {
  if (turn % 3 === 1) return judgeOutcomes({ registry, types, countTokens, turn });
  const numbers = new Numbers(turn * 31 + registry.entries.length);
  if (turn % 3 === 0) return judgeMadeUpEvents(registry, { types, numbers, countTokens, turn });
  return [
    ...judgeTexts(registry, numbers, countTokens),
    ...judgeReadings(numbers),
    ...judgeFittedWishes(numbers),
    ...judgeWishMerging(numbers, countTokens),
  ];
}
