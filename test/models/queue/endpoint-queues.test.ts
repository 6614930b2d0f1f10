import { inspect } from "node:util";
import { expect, test } from "vitest";
import { endpointAddress } from "../../../models/config.ts";
import { EndpointQueues } from "../../../models/queue/endpoint-queues.ts";

const LIMITS = {
  endpointCalls: 8,
  mostCalls: 32,
  retriesPerCall: 2,
  queueSeconds: 60,
  modelSeconds: 120,
};

test("endpointAddress() gives one queue to an endpoint, however its address is written", () => {
  expect(
    [
      "https://models.example/v1/",
      "https://MODELS.example:443/v1",
      "https://models.example/v1?api-version=2",
    ].map(endpointAddress),
  ).toEqual(Array.from({ length: 3 }, () => "https://models.example/v1"));
});

test("EndpointQueues.get() tells endpoints, ports, paths and keys apart", () => {
  const queues = new EndpointQueues();
  const all = [
    queues.get("https://models.example/v1", "key", LIMITS),
    queues.get("https://models.example/v1", "other", LIMITS),
    queues.get("https://models.example/v1", null, LIMITS),
    queues.get("https://models.example/v2", "key", LIMITS),
    queues.get("https://models.example:8443/v1", "key", LIMITS),
    queues.get("http://models.example/v1", "key", LIMITS),
    queues.get("https://models.test/v1", "key", LIMITS),
    queues.get("embedded", null, LIMITS),
  ];

  expect(new Set(all).size).toBe(all.length);
  expect(new EndpointQueues().get("embedded", null, LIMITS)).not.toBe(all.at(-1));
});

test("EndpointQueues.get() keeps the limits of a queue's first call", () => {
  const queues = new EndpointQueues();
  queues.get("embedded", null, LIMITS);

  expect(queues.get("embedded", null, { ...LIMITS, endpointCalls: 1 }).slots).toBe(8);
});

test("EndpointQueues keeps no key", () => {
  const queues = new EndpointQueues();
  queues.get("https://models.example/v1", "open-sesame-42", LIMITS);

  expect(inspect(queues, { depth: Infinity, showHidden: true })).not.toContain("open-sesame");
});
