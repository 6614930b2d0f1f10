import { describe, expect, test } from "vitest";
import { z } from "zod";
import { domainFolder } from "../../domain/list-grants.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import { shopDomain } from "../shop/domain.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call, calls, complete, type StepScript } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const database = await testDatabase({ migrations: [domainFolder(shopDomain)] });

const COURIER = { subdomain: "orders", effect: "call" } as const;

/** A courier who is booked once the customer has said yes, and answers with the ref of the order. */
const bookCourier = defineTool({
  ...COURIER,
  name: "book_courier",
  description: "Book a courier.",
  parameters: z.strictObject({ order: z.string().describe("its ref") }),
  confirm: "always",
  run: async ({ order }, { refs }) =>
    refs.resolve(order).label.endsWith("3") ? null : `Booked for Monday: ${order}`,
});

const sendCourierNote = defineTool({
  ...COURIER,
  name: "tell_courier",
  description: "Tell a courier something.",
  parameters: z.strictObject({ text: z.string().describe("the note") }),
  steps: ["write"],
  run: async () => "Handed over",
});

/** A courier who does not answer. */
const lostCourier = defineTool({
  ...COURIER,
  name: "lose_courier",
  description: "Call a courier.",
  parameters: z.strictObject({}),
  confirm: "always",
  run: () => Promise.reject(new Error("socket hang up")),
});

const LOOK = makeStep({ description: "Look at the orders", subdomain: "orders" });
const SEND = makeStep({
  description: "Send the order",
  stepType: "write",
  subdomain: "orders",
  writes: [],
});

/** A bank that does not say its rate in time. */
const askRate = defineTool({
  ...COURIER,
  name: "ask_rate",
  description: "Ask for the rate.",
  parameters: z.strictObject({}),
  run: () => new Promise(() => undefined),
});

/** A customer who asks to see the orders, then to have one sent, then says yes. */
async function send(
  script: StepScript,
  tools: readonly DomainTool[] = [bookCourier, sendCourierNote],
) {
  const models = scriptTurns([[LOOK], [SEND], "yes"], {
    act: [call("read_orders", {}), ...script],
    reply: ["Two orders.", "The courier knows."],
  });
  const domain = { ...shopDomain, tools: [...shopDomain.tools, ...tools] };
  const shop = await testAssistant({ database, domain, models });
  await shop.send("what have I ordered?");
  return { shop, asked: await shop.send("have #W1002 sent") };
}

describe("a call that changes something outside", () => {
  test("asks with labels, and its answer is in the reply and in the turn summary", async () => {
    const { shop, asked } = await send([call("book_courier", { order: "order_2" })]);

    const { reply, record, state } = await shop.send("yes");

    expect(asked.reply).toBe(
      "This runs “book courier” at another service (order: “order #W1002”). It cannot be undone from here. Do it?",
    );
    expect(reply).toBe("Book courier: Booked for Monday: order #W1002");
    expect(state.stepResults[0]?.status).toBe("done");
    expect(record?.steps[0]?.outcome).toContain("Booked for Monday");
  });

  test("is done where the service answers with nothing", async () => {
    const { shop } = await send([call("book_courier", { order: "order_3" })]);

    expect((await shop.send("yes")).reply).toBe("Book courier: done");
  });

  test("is not called unchanged where nobody knows whether it happened", async () => {
    const { shop } = await send([call("lose_courier", {})], [lostCourier]);

    const { reply } = await shop.send("yes");

    expect(reply).toContain("it is not known whether it happened");
    expect(reply).not.toContain("Nothing was changed");
  });
});

test.each<[string, StepScript]>([
  ["after it", [call("tell_courier", { text: "Ring twice" }), complete("The courier is told")]],
  [
    "beside it",
    [
      calls(
        ["tell_courier", { text: "Ring twice" }],
        ["complete_step", { resultSummary: "Told", noteForNextStep: null, refs: [] }],
      ),
      complete("The courier is told"),
    ],
  ],
])("a call that needs no yes is the work of its write step: it completes %s", async (_, script) => {
  const { asked } = await send(script);

  expect(asked.state.stepResults[0]).toMatchObject({
    status: "done",
    outcome: "The courier is told",
  });
  expect(asked.reply).toBe("Tell courier: Handed over\n\nThe courier knows.");
});

test("a question that a service has not answered in time is no answer, whatever the step's model claims", async () => {
  const claim = complete("The rate is 1.1");
  const models = scriptTurns([[makeStep({ description: "Ask the rate", subdomain: "orders" })]], {
    act: [call("ask_rate", {}), claim, claim],
    reply: ["I could not look up the rate: the bank did not answer."],
  });
  const domain = { ...shopDomain, tools: [...shopDomain.tools, askRate] };
  const shop = await testAssistant({ database, domain, models, limits: { callSeconds: 1 } });

  const { record } = await shop.send("what is the rate?");

  const unread = "I could not look up that: it did not answer within 1 seconds.";
  const prompt = models.reply.requests[0]?.messages.map(({ text }) => text).join("\n");
  expect(prompt).toContain(`- Ask the rate (failed): ${unread}`);
  expect(prompt).not.toContain("1.1");
  expect(record?.steps[0]?.outcome).toBe(`Failed: ${unread}`);
});
