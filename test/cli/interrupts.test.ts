import { expect, test } from "vitest";
import { Interrupts } from "../../cli/chat/interrupts.ts";

/** A turn that lasts until it is stopped. */
function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve()));
}

test("a first Ctrl-C stops the turn, a second one leaves", async () => {
  const interrupts = new Interrupts({ confirm: true });
  const turn = interrupts.runTurn(untilStopped);

  expect(interrupts.interrupt()).toBe("stops");
  await turn;
  expect(interrupts.departure()).toBe(null);
  expect(interrupts.interrupt()).toBe("leaves");
  await expect(interrupts.left).resolves.toEqual({ exitCode: 0 });
});

test("a second Ctrl-C leaves though the turn has not stopped yet", async () => {
  const interrupts = new Interrupts({ confirm: false });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const turn = interrupts.runTurn(() => promise);

  expect([interrupts.interrupt(), interrupts.interrupt()]).toEqual(["stops", "leaves"]);
  resolve(undefined);
  await turn;
});

test("a Ctrl-C after something else has happened is a first one again", async () => {
  const interrupts = new Interrupts({ confirm: true });

  expect(interrupts.interrupt()).toBe("warns");
  interrupts.reset();
  expect(interrupts.interrupt()).toBe("warns");
  await interrupts.runTurn(async () => {});
  const turn = interrupts.runTurn(untilStopped);
  expect(interrupts.interrupt()).toBe("stops");
  await turn;
});

test("a turn that ran to its end forgives the Ctrl-C before it, one that was stopped does not", async () => {
  const interrupts = new Interrupts({ confirm: false });
  const stopped = interrupts.runTurn(untilStopped);
  interrupts.interrupt();
  await stopped;
  const next = interrupts.runTurn(untilStopped);

  expect(interrupts.interrupt()).toBe("leaves");
  await next;
});

test("without anything to stop, Ctrl-C leaves where nobody can be warned", () => {
  const interrupts = new Interrupts({ confirm: false });

  expect(interrupts.interrupt()).toBe("leaves");
  expect(interrupts.departure()).toEqual({ exitCode: 130 });
});

test("a signal stops the turn and leaves with its own code", async () => {
  const interrupts = new Interrupts({ confirm: true });
  const turn = interrupts.runTurn(untilStopped);

  interrupts.terminate(143);
  await turn;
  interrupts.interrupt();

  await expect(interrupts.left).resolves.toEqual({ exitCode: 143 });
});

test("a Ctrl-C stops all turns that run beside each other", async () => {
  const interrupts = new Interrupts({ confirm: true });
  const turns = [interrupts.runTurn(untilStopped), interrupts.runTurn(untilStopped)];
  await interrupts.runTurn(async () => {});

  expect(interrupts.interrupt()).toBe("stops");
  await Promise.all(turns);
  expect(interrupts.departure()).toBe(null);
});
