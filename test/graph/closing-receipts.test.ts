import { describe, expect, test } from "vitest";
import { collectClosingReceipts } from "../../graph/closing-receipts.ts";
import { createReceipt } from "../../registry/receipts.ts";
import { callResult, createEffect, makePlan, makeResult, makeStep } from "../support/turn-state.ts";
import { renderSentence } from "../../text/sentences.ts";

const PLAN = makePlan({
  origin: "confirmation",
  steps: [makeStep({ stepType: "write", description: "Pay", writes: [] })],
});
const CALL = {
  tool: "pay_bill",
  args: { to: "Ann" },
  step: { description: "Pay", subdomain: "bills" },
  changesHash: "h",
  changes: [],
  rules: ["pay_bill: always"],
  wording: "This calls pay bill. Do it?",
};
const CONFIRMED = {
  kind: "confirmation" as const,
  id: "confirm_1_1",
  calls: [CALL],
  text: CALL.wording,
  expiresAt: "2026-01-13T12:00:00Z",
  turn: 1,
};

describe("collectClosingReceipts()", () => {
  test("gives the answer of a service that was called before the turn was stopped", () => {
    const call = callResult({
      tool: "pay_bill",
      effect: "write",
      outside: { answer: "Paid 900 EUR to Ann" },
    });

    expect(
      collectClosingReceipts({
        plan: PLAN,
        confirmed: CONFIRMED,
        stepResults: [makeResult(0, { status: "open", calls: [call] })],
      }),
    ).toEqual([
      createReceipt({ kind: "answered", label: "Pay bill", reason: "Paid 900 EUR to Ann" }),
    ]);
  });

  test("says of a call that the stop has cut off that nobody knows whether it happened", () => {
    const pendingCalls = [
      {
        step: 0,
        call: 1,
        callId: "confirmed_1",
        tool: "pay_bill",
        args: {},
        argsError: null,
        effectKey: "key",
      },
    ];

    expect(
      collectClosingReceipts({
        plan: PLAN,
        confirmed: CONFIRMED,
        pendingCalls,
        stepResults: [makeResult(0, { status: "open" })],
      }),
    ).toEqual([
      createReceipt({
        kind: "unknown",
        label: "pay bill",
        reason: renderSentence("callStopped"),
      }),
    ]);
  });

  test("lists what was stored, and nothing for a turn that had not begun to act", () => {
    expect(collectClosingReceipts({ effects: [createEffect()] }).map(({ kind }) => kind)).toEqual([
      "created",
    ]);
    expect(collectClosingReceipts({})).toEqual([]);
  });
});
