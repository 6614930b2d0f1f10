import { expect, test } from "vitest";
import { EndpointQueues } from "../../../models/queue/endpoint-queues.ts";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import { testDatabase } from "../../support/database.ts";
import { modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { serveEndpoint, type ScriptedEndpoint } from "../../support/scripted-endpoint.ts";
import { answerShopping, openShopping, readRole } from "../../support/shopping-turns.ts";

const database = await testDatabase();
const MESSAGE = "add milk to the shopping list";
const ADDED = "Added: milk (1)";

/** The roles that reached the endpoint, in order. */
function listRoles({ requests }: ScriptedEndpoint): readonly string[] {
  return requests.map(({ role }) => role);
}

test("modelSeconds ends a call that has no answer", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  endpoint.disturb({ role: "think", times: 2, character: { fails: { kind: "hang" } } });
  const open = { baseUrl: endpoint.hostedUrl, limits: { modelSeconds: 2 } };

  const { record } = await openShopping(database, open).send(MESSAGE);

  expect(record?.notices).toMatchObject([{ node: "think", code: "model_timeout" }]);
  expect(listRoles(endpoint)).toEqual(["understand", "think", "think"]);
});

test("a call that hangs for half of modelSeconds is made once more, and the turn goes on", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  endpoint.disturb({ role: "understand", times: 1, character: { fails: { kind: "hang" } } });
  const open = { baseUrl: endpoint.hostedUrl, limits: { modelSeconds: 2 } };

  const { record, reply } = await openShopping(database, open).send(MESSAGE);

  expect({ reply, notices: record?.notices }).toEqual({ reply: ADDED, notices: [] });
  expect(listRoles(endpoint)).toEqual(["understand", "understand", "think", "act"]);
});

test("a model that hangs in every role takes modelSeconds of a turn: no other node asks it", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  for (const role of ["understand", "think", "reply", "summarize"] as const)
    endpoint.disturb({ role, times: 9, character: { fails: { kind: "hang" } } });
  const open = { baseUrl: endpoint.hostedUrl, limits: { modelSeconds: 1 } };

  const { record } = await openShopping(database, open).send(MESSAGE);

  expect(record?.notices.map(({ code }) => code)).toEqual(["model_timeout", "model_timeout"]);
  expect(listRoles(endpoint)).toEqual(["understand", "understand"]);
});

test("modelSilenceSeconds cuts a stream without a piece, and the call is made once more", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  const silence = { fails: { kind: "silence", pieces: 0 } } as const;
  endpoint.disturb({ role: "reply", times: 1, character: silence });
  const open = { baseUrl: endpoint.hostedUrl, limits: { modelSilenceSeconds: 1 } };

  const { record, reply } = await openShopping(database, open).send("thanks");

  expect({ reply, notices: record?.notices }).toEqual({
    reply: "You are welcome. Tell me whenever something is missing in your kitchen.",
    notices: [],
  });
  expect(listRoles(endpoint)).toEqual(["understand", "reply", "reply", "summarize"]);
});

test("turnSeconds asks no further model once they are over", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  endpoint.disturb({ role: "understand", times: 1, character: { fails: { kind: "hang" } } });
  const open = { baseUrl: endpoint.hostedUrl, limits: { turnSeconds: 1 } };

  const { record } = await openShopping(database, open).send(MESSAGE);

  expect(record?.notices).toMatchObject([
    { node: "understand", code: "model_timeout" },
    { node: "think", code: "turn-time" },
  ]);
  expect(listRoles(endpoint)).toEqual(["understand"]);
});

test("queueSeconds ends the wait for a place", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: arrive } = Promise.withResolvers<void>();
  const endpoint = await serveEndpoint({
    answer: answerShopping,
    readRole,
    hold: async () => {
      arrive();
      await released;
    },
  });
  const services = { queues: new EndpointQueues() };
  const limits = { endpointCalls: 1, queueSeconds: 1 };
  const open = { baseUrl: endpoint.hostedUrl, services, limits };

  const first = openShopping(database, open).send(MESSAGE);
  await held;
  const { record } = await openShopping(database, open).send(MESSAGE);
  const requests = listRoles(endpoint);
  release();

  expect(record?.notices.map(({ code }) => code)).toEqual(["model_busy", "model_busy"]);
  expect(requests).toEqual(["understand"]);
  expect(await first).toMatchObject({ reply: ADDED });
});

test.each([1, 3])(
  "endpointCalls lets %s calls reach the endpoint at once",
  async (endpointCalls) => {
    const { promise: full, resolve: fill } = Promise.withResolvers<void>();
    let arrived = 0;
    const endpoint = await serveEndpoint({
      answer: answerShopping,
      readRole,
      // Nobody is answered before as many as may have come.
      hold: async () => {
        arrived += 1;
        if (arrived === endpointCalls) fill();
        await full;
      },
    });
    const services = { queues: new EndpointQueues() };
    const open = { baseUrl: endpoint.hostedUrl, services, limits: { endpointCalls } };

    const sent = await Promise.all(
      Array.from({ length: 5 }, () => openShopping(database, open).send(MESSAGE)),
    );

    expect(sent.map(({ reply }) => reply)).toEqual(Array.from({ length: 5 }, () => ADDED));
    expect(endpoint.most()).toBe(endpointCalls);
  },
);

test("modelSeconds ends a call at once that the endpoint would let wait for longer", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole });
  const tooMany = {
    kind: "status" as const,
    status: 429,
    body: { error: { message: "Too many requests" } },
    headers: { "retry-after": "90" },
  };
  endpoint.disturb({ role: "think", times: 1, character: { fails: tooMany } });
  const open = { baseUrl: endpoint.hostedUrl, limits: { modelSeconds: 60 } };

  const { record } = await openShopping(database, open).send(MESSAGE);

  expect(record?.notices).toMatchObject([{ node: "think", code: "model_rate_limited" }]);
  expect(listRoles(endpoint)).toEqual(["understand", "think"]);
});

test("a 429 costs one call, and the four experts that wait are all answered", async () => {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole: () => "expert" });
  const tooMany = { kind: "status" as const, status: 429, headers: { "retry-after-ms": "20" } };
  endpoint.disturb({ role: null, times: 1, character: { fails: tooMany } });
  const limits = { endpointCalls: 1 };
  const { expert } = createOpenAIModels(openAIConfig(endpoint.hostedUrl), { limits });

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => expert.complete(modelRequest({ role: "expert" }))),
  );

  expect(answers.map(({ text }) => text !== "")).toEqual([true, true, true, true, true]);
  expect(endpoint.requests).toHaveLength(6);
});
