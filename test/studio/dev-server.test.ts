import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { Client, type Checkpoint } from "@langchain/langgraph-sdk";
import { expect, onTestFinished, test } from "vitest";
import { readThread } from "../../cli/thread-state.ts";
import { ASSISTANT_ID } from "../../server/protocol/assistant-id.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { startDevServer } from "../../studio/dev-server.ts";
import { testDatabase } from "../support/database.ts";
import { startStudio, studioFolder, whyNoDevServer } from "./running-studio.ts";

const database = await testDatabase();

const TEXT = "what could I cook this week?";

/** Starting it takes long on a busy machine, and it is started twice. */
const TIMEOUT_MS = 300_000;

test(
  "npm run studio: LangGraph's SDK converses with the dev server, and Postgres keeps it",
  { timeout: TIMEOUT_MS },
  async ({ skip }) => {
    const missing = await whyNoDevServer();
    skip(missing !== null, missing ?? "");
    const folder = studioFolder();
    onTestFinished(() => folder.remove());
    const start = { configPath: folder.configPath, databaseUrl: database.url };
    const first = await startStudio(start);
    onTestFinished(async () => void (await first.stop()));
    const client = new Client({ apiUrl: first.url, apiKey: null });

    expect(await (await fetch(`${first.url}/ok`)).json()).toEqual({ ok: true });
    expect(first.printed()).toContain(`baseUrl=${first.url}`);

    const assistants = await client.assistants.search();
    expect(assistants.map(({ assistant_id, graph_id }) => [assistant_id, graph_id])).toEqual([
      [ASSISTANT_ID, "concierge"],
    ]);
    const { nodes } = await client.assistants.getGraph("concierge");
    expect(nodes.map(({ id }) => id)).toContain("understand");
    const own = await client.assistants.create({ graphId: "concierge", context: { user: "demo" } });
    for (const assistant of ["concierge", ASSISTANT_ID, own.assistant_id]) {
      const { context_schema: context, input_schema: input } =
        await client.assistants.getSchemas(assistant);
      expect(Object.keys(context?.properties ?? {})).toContain("tokensPerTurn");
      expect(Object.keys(input?.properties ?? {})).toEqual(["messages"]);
    }
    const unknown = await fetch(`${first.url}/assistants/${randomUUID()}/schemas`);
    expect(unknown.status).toBe(404);

    const { thread_id: threadId } = await client.threads.create();
    const kinds = new Set<string>();
    const chunks = client.runs.stream(threadId, "concierge", {
      input: { messages: [{ role: "human", content: TEXT }] },
      context: { user: "demo", today: "2026-01-12", lanes: "task" },
      streamMode: ["updates", "messages-tuple", "custom", "values"],
    });
    for await (const { event } of chunks) kinds.add(event);
    expect([...kinds].toSorted()).toEqual(["custom", "messages", "metadata", "updates", "values"]);

    const state = await client.threads.getState<{ turn: number; run: unknown }>(threadId);
    expect(state.values.turn).toBe(1);
    expect(state.values.run).toMatchObject({ threadId, userId: "demo", today: "2026-01-12" });
    expect(state.next).toEqual([]);
    const history = await client.threads.getHistory(threadId, { limit: 50 });
    expect(history.length).toBeGreaterThan(5);

    const refused = client.runs.wait(threadId, "concierge", {
      input: { messages: [{ role: "human", content: TEXT }] },
      context: { today: "never" },
    });
    await expect(refused).rejects.toThrow("is not a calendar day");

    const checkpointer = createCheckpointer(database.pool);
    const storage = {
      database,
      checkpointer,
      archive: createTurnArchive(database.pool),
      store: createConversationStore(database.pool, checkpointer),
    };
    const report = await readThread(storage, { threadId, userId: "demo", turns: 5 });
    expect(report?.lastTurns.map(({ userMessage }) => userMessage)).toEqual([TEXT]);

    expect(await first.stop()).toBe(143);
    folder.forget();
    const second = await startStudio(start);
    onTestFinished(async () => void (await second.stop()));
    const again = new Client({ apiUrl: second.url, apiKey: null });

    await again.threads.create({ threadId, graphId: "concierge" });
    const found = await again.threads.getState<{ turn: number }>(threadId);
    expect(found.values.turn).toBe(1);
    await again.runs.wait(threadId, "concierge", {
      input: { messages: [{ role: "human", content: "not the wings" }] },
    });
    const after = await again.threads.getState<{ messages: { id: string; type: string }[] }>(
      threadId,
    );
    expect(after.values.messages.map(({ type }) => type)).toEqual(["human", "ai", "human", "ai"]);

    const say = async (
      content: string,
      checkpoint?: Checkpoint,
    ): Promise<(string | undefined)[]> => {
      const input = { messages: [{ role: "human", content }] };
      await again.runs.wait(threadId, "concierge", {
        input,
        ...(checkpoint === undefined ? {} : { checkpoint }),
      });
      const { values } = await again.threads.getState<typeof after.values>(threadId);
      return values.messages.map(({ id }) => id);
    };
    await say("hello");
    expect(await say("thanks", after.checkpoint)).toHaveLength(6);
    expect(await say("hello")).toHaveLength(8);
    expect(await second.stop()).toBe(143);
  },
);

test("npm run studio says in a sentence that npm cannot fetch the server", async () => {
  const folder = studioFolder();
  onTestFinished(() => folder.remove());
  const emptyCache = { npm_config_cache: join(dirname(folder.configPath), "npm") };

  const started = startStudio({
    configPath: folder.configPath,
    databaseUrl: database.url,
    env: emptyCache,
  });

  await expect(started).rejects.toThrow(
    /^Cannot fetch @langchain\/langgraph-cli@1\.5\.1 \(npm reports ECONNREFUSED\): connect to the network/m,
  );
});

test("startDevServer() refuses a port that is taken, before it starts anything", async () => {
  const holder = createServer();
  holder.listen(0, "127.0.0.1");
  await once(holder, "listening");
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;

  const started = startDevServer({
    port,
    configPath: "/nowhere/langgraph.json",
    noReload: true,
    origins: [],
    anyUser: false,
  });

  await expect(started).rejects.toThrow(`Cannot listen on port ${port}: another program uses it`);
});
