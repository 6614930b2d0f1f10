import { mealsDomain } from "../../meals/index.ts";
import type { Domain } from "../../state/domain.ts";
import type { Limits } from "../../state/limits.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { RowCall } from "../../state/row-call.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnContext, TurnState } from "../../state/turn.ts";
import { carryOut } from "./carry-out.ts";
import type { TestDatabase } from "./database.ts";
import { freshKitchen } from "./fresh-kitchen.ts";
import { testServices, type Scripts } from "./node-services.ts";
import { stepScripts } from "./step-script.ts";
import { plannedTurn } from "./turn-state.ts";

/** A turn of which only the steps are carried out. */
export interface PlayedSteps {
  /** Default: a new person with the demo kitchen. */
  readonly run?: TurnContext;
  /** The model's answers for each step, by its description. */
  readonly scripts: Parameters<typeof stepScripts>[0];
  /** Calls that Think has planned. */
  readonly calls?: RowCall[];
  readonly think?: Scripts["think"];
  readonly limits?: Partial<Limits>;
  readonly changes?: Partial<TurnState>;
  readonly domain?: Domain;
  readonly userData?: UserData;
}

/** Returns a function that carries steps out in the demo kitchen, with scripted models. */
export function stepPlayer(database: TestDatabase) {
  return async (steps: PlanStep[], turn: PlayedSteps) => {
    const run = turn.run ?? (await freshKitchen(database));
    const services = testServices({
      domain: turn.domain ?? mealsDomain,
      userData: turn.userData ?? database.userData,
      scripts: { act: stepScripts(turn.scripts), think: turn.think ?? [] },
      limits: turn.limits ?? {},
    });
    const planned = plannedTurn(steps, { run, ...turn.changes });
    const { plan, ...rest } = planned;
    const state =
      plan === null ? planned : { ...rest, plan: { ...plan, calls: turn.calls ?? plan.calls } };
    return { ...(await carryOut(services, state)), services, run };
  };
}
