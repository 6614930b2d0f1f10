import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenToSignals } from "../../../cli/serve/signals.ts";

function open() {
  const source = new EventEmitter();
  const left: number[] = [];
  let now = 0;
  const farewell = listenToSignals(source, {
    leave: (exitCode) => void left.push(exitCode),
    clock: () => now,
  });
  const send = (signal: string, at: number): void => {
    now = at;
    source.emit(signal);
  };
  return { source, left, farewell, send };
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"])(
  "the first %s asks the program to leave",
  async (signal) => {
    const { left, farewell, send } = open();

    send(signal, 0);
    await farewell.requested;

    expect(left).toEqual([]);
  },
);

test("two signals that come at once are one, a later one leaves", () => {
  const { left, send } = open();

  send("SIGINT", 1_000);
  send("SIGINT", 1_003);
  expect(left).toEqual([]);
  send("SIGTERM", 2_000);

  expect(left).toEqual([143]);
});

test("asking is like a first signal", async () => {
  const { left, farewell, send } = open();

  farewell.request();
  await farewell.requested;
  send("SIGTERM", 1_000);

  expect(left).toEqual([143]);
});

test("signals that are listened to no more are the process's own", () => {
  const { source, farewell } = open();

  farewell.stopListening();

  expect(source.eventNames()).toEqual([]);
});
