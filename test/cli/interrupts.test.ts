import { expect, test } from "vitest";
import { Interrupts } from "../../cli/chat/interrupts.ts";

/** A turn that lasts until it is stopped. */
function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve()));
}

test("interrupt() counts a Ctrl-C as a first one after the person has continued", async () => {
  const interrupts = new Interrupts({ confirm: true });

  expect(interrupts.interrupt()).toBe("warns");
  interrupts.reset();
  expect(interrupts.interrupt()).toBe("warns");
  await interrupts.runTurn(async () => {});
  const turn = interrupts.runTurn(untilStopped);
  expect(interrupts.interrupt()).toBe("stops");
  await turn;
});

test("interrupt() ends the program after a stopped turn, until a turn has run to its end", async () => {
  const interrupts = new Interrupts({ confirm: false });
  const stopped = interrupts.runTurn(untilStopped);
  interrupts.interrupt();
  await stopped;
  const next = interrupts.runTurn(untilStopped);

  expect(interrupts.interrupt()).toBe("leaves");
  await next;
});

test("interrupt() stops all turns that run at the same time", async () => {
  const interrupts = new Interrupts({ confirm: true });
  const turns = [interrupts.runTurn(untilStopped), interrupts.runTurn(untilStopped)];
  await interrupts.runTurn(async () => {});

  expect(interrupts.interrupt()).toBe("stops");
  await Promise.all(turns);
  expect(interrupts.departure()).toBe(null);
});
