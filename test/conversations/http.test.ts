import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { readSse } from "../support/read-sse.ts";
import { openSdkServer } from "../support/sdk-server.ts";

const server = await openSdkServer();
afterAll(() => server.close());

const EventSchema = z.looseObject({ type: z.string() });

/** Sends a message to `POST /chat` and returns its events when the stream has ended. */
async function chat(message: string): Promise<readonly z.infer<typeof EventSchema>[]> {
  const response = await fetch(`${server.url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, thread: "talk-over-http", today: "2026-01-12" }),
  });
  const events = await readSse(response);
  return events.map(({ data }) => EventSchema.parse(data));
}

test(
  "POST /chat holds a conversation from a question to a plan to a task",
  { timeout: 120_000 },
  async () => {
    const turns = [
      await chat(
        "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
      ),
      await chat("we both get home after seven and nobody wants to cook. budget is $1,500 a month"),
      await chat("ok let's do it. give me a plan"),
      await chat("put eggs on my shopping list"),
    ];

    const count = (type: string) =>
      turns.map((events) => events.filter((event) => event.type === type).length);
    expect(count("turn-end")).toEqual([1, 1, 1, 1]);
    expect(count("reply")).toEqual([1, 1, 2, 1]);
    expect(count("expert-end")).toEqual([4, 0, 8, 0]);
    expect(count("effect")).toEqual([0, 0, 0, 1]);
    expect(
      turns.map((events) =>
        events.flatMap(({ type, to }) => (type === "phase-change" ? [to] : [])),
      ),
    ).toEqual([[], ["explorer"], ["executor"], []]);
  },
);
