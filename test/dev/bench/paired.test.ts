import { expect, test } from "vitest";
import { pairedRatio, playRounds } from "../../../dev/bench/paired.ts";

test("playRounds() lets contenders run side by side, each first in turn, and does not count the round before", async () => {
  const order: string[] = [];
  let figure = 0;
  const contender = (name: string) => async () => {
    order.push(name);
    figure += 1;
    return figure;
  };
  const rounds = await playRounds({ a: contender("a"), b: contender("b"), c: contender("c") }, 3);
  expect(order.join("")).toBe("cababcbcacab");
  expect(rounds).toEqual({ a: [4, 9, 11], b: [5, 7, 12], c: [6, 8, 10] });
});

test("pairedRatio() compares within a round: what slows a whole round down changes nothing", () => {
  expect(pairedRatio([1, 10, 100], [2, 20, 200])).toBe(0.5);
  // The medians alone would say 10 / 200.
  expect(pairedRatio([1, 10, 300], [2, 200, 600])).toBe(0.5);
});
