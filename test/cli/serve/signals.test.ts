import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenToSignals } from "../../../cli/serve/signals.ts";

function open() {
  const source = new EventEmitter();
  const left: number[] = [];
  let now = 0;
  const shutdown = listenToSignals(source, {
    leave: (exitCode) => void left.push(exitCode),
    clock: () => now,
  });
  const send = (signal: string, at: number): void => {
    now = at;
    source.emit(signal);
  };
  return { source, left, shutdown, send };
}

test("listenToSignals() counts two signals at once as one, and leaves at a later one", () => {
  const { left, send } = open();

  send("SIGINT", 1_000);
  send("SIGINT", 1_003);
  expect(left).toEqual([]);
  send("SIGTERM", 2_000);

  expect(left).toEqual([143]);
});

test("stopListening() removes every listener", () => {
  const { source, shutdown } = open();

  shutdown.stopListening();

  expect(source.eventNames()).toEqual([]);
});
