import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { createToolsNode } from "../../nodes/tools.ts";
import type { PendingCall } from "../../state/step.ts";
import { toValues } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { failingReads } from "../support/failing-reads.ts";
import { appliedWrites, freshKitchen } from "../support/fresh-kitchen.ts";
import { recordedIO, testServices } from "../support/node-services.ts";
import { plannedTurn, makeStep } from "../support/turn-state.ts";

const database = await testDatabase();

test("tools() lets a stop that one tool notices harm nothing beside it", async () => {
  const run = await freshKitchen(database);
  const stop = new AbortController();
  const steps = [
    makeStep({ stepType: "write", subdomain: "shopping", description: "Add figs" }),
    makeStep({ description: "Read the tasks", subdomain: "tasks" }),
  ];
  const reading = { ...adding(1, "none"), step: 1, tool: "read_tasks", args: {} };
  const userData = failingReads(database.userData, 'from "tasks"', () => {
    stop.abort(new Error("Stopped"));
    return stop.signal.reason;
  });
  const services = testServices({ domain: mealsDomain, userData });
  const state = plannedTurn(steps, { run, pendingCalls: [adding(1, "figs"), reading] });

  const update = toValues(await createToolsNode(services)(state, recordedIO(stop.signal)));

  const applied = await appliedWrites(database, run.threadId);
  expect(update.effects).toHaveLength(applied);
  expect(update.stepResults?.[1]?.calls[0]?.text).toBe("Not done: I was stopped before it");
});

function adding(number: number, name: string): PendingCall {
  return {
    step: 0,
    call: number,
    callId: `call_${number}`,
    tool: "create_shopping_list_lines",
    args: {
      table: "shopping_list",
      rows: [{ name: name }],
    },
    argsError: null,
    effectKey: `${name}/${randomUUID()}`,
  };
}
