import { expect, test } from "vitest";
import { viableRefs } from "../../registry/candidates.ts";
import { testAssistant } from "../support/assistant.ts";
import { testDatabase } from "../support/database.ts";
import { workshopDomain } from "./domain.ts";
import { playTurns } from "./script.ts";

const database = await testDatabase({
  migrations: [{ name: workshopDomain.name, path: workshopDomain.migrations }],
});

const readAll = (table: string) => ({
  toolCalls: [
    {
      name: "db_read",
      args: {
        table,
        refs: null,
        where: [],
        anyOf: [],
        columns: null,
        orderBy: null,
        limit: null,
      },
    },
  ],
});
const complete = (
  resultSummary: string,
  more: { refs?: string[]; artifacts?: unknown[] } = {},
) => ({
  toolCalls: [
    {
      name: "complete_step",
      args: { resultSummary, noteForNextStep: null, refs: [], artifacts: [], ...more },
    },
  ],
});
const step = (
  stepType: "read" | "analyze" | "generate" | "write",
  subdomain: string,
  group = 1,
) => ({
  description: `${stepType} ${subdomain}`,
  stepType,
  subdomain,
  group,
  refs: [] as string[],
});
const demote = (refs: readonly string[], reason: string) => ({
  retain: [],
  demote: refs.map((ref) => ({ ref, reason })),
  restore: [],
  drop: [],
  clearAll: false,
  summary: `Demoted ${refs.join(", ")} (${reason})`,
});
const loan = (tool: string) => ({
  fields: [
    { name: "tool_id", value: tool },
    { name: "day", value: "2026-01-17" },
    { name: "borrower", value: "me" },
  ],
  children: [],
});
const lend = (tools: readonly string[]) => ({
  toolCalls: [{ name: "db_create", args: { table: "loans", rows: tools.map(loan), drafts: null } }],
});
const readsOf = (events: readonly { type: string }[]): string[] =>
  events.flatMap((event) =>
    event.type === "tool-end" && "effect" in event && event.effect === "read" && "table" in event
      ? [String(event.table)]
      : [],
  );

test("narrowing: what was excluded stays out, and nothing is read twice", async () => {
  const models = playTurns([
    {
      understand: {},
      think: { steps: [step("read", "tools"), step("analyze", "tools", 2)] },
      act: [
        readAll("tools"),
        complete("All seven would do", {
          refs: ["tool_1", "tool_2", "tool_3", "tool_4", "tool_5", "tool_6", "tool_7"],
        }),
      ],
      reply: "There are seven tools.",
      summary: { analysisConclusions: "7 tools would do" },
    },
    {
      understand: { curation: demote(["tool_1", "tool_5"], "run on a battery") },
      think: { decision: "answer" },
      reply: "Five without a battery.",
      summary: { conversationPhase: "narrowing" },
    },
  ]);
  const shed = await testAssistant({ database, domain: workshopDomain, models });

  const first = await shed.send("which tools could I use this weekend?");
  const second = await shed.send("nothing with a battery please");

  expect(readsOf(first.events)).toEqual(["tools"]);
  expect(readsOf(second.events)).toEqual([]);
  expect(viableRefs(second.state.registry, second.state.candidates, "tool")).toEqual([
    "tool_2",
    "tool_3",
    "tool_4",
    "tool_6",
    "tool_7",
  ]);
  const [, prompt] = models.think.requests;
  expect(prompt?.messages.at(-1)).toMatchObject({
    text: expect.stringContaining(
      "**Remaining viable options:** tool_2, tool_3, tool_4, tool_6, tool_7",
    ),
  });
});

test("failure: of two loans one fails by the database's own rule, and the record says which", async () => {
  const models = playTurns([
    {
      understand: {},
      think: { steps: [step("read", "tools")] },
      act: [readAll("tools")],
      reply: "hand saw and belt sander are there.",
      summary: {},
    },
    {
      understand: {},
      think: {
        steps: [{ ...step("write", "loans"), refs: ["tool_3", "tool_6"] }],
      },
      act: [
        lend(["tool_3", "tool_6"]),
        lend(["tool_6"]),
        { toolCalls: [{ name: "fail_step", args: { reason: "One tool is lent already" } }] },
      ],
      reply: "The hand saw is yours on Saturday; the belt sander is lent already.",
      summary: {},
    },
  ]);
  const shed = await testAssistant({ database, domain: workshopDomain, models });

  await shed.send("what is in the shed?");
  const { record, state } = await shed.send("lend me the hand saw and the belt sander on saturday");

  const { rows } = await database.owner.query(
    `select tools.name from loans join tools on tools.id = loans.tool_id
      where loans.user_id = $1 and loans.borrower = 'me'`,
    [shed.userId],
  );
  expect(rows).toEqual([{ name: "hand saw" }]);
  expect(record?.effects).toHaveLength(1);
  const [lent] = state.stepResults;
  expect(lent?.status).toBe("failed");
  expect(lent?.calls.flatMap(({ failures }) => failures)).not.toEqual([]);
  expect(JSON.stringify(models.reply.requests.at(-1)?.messages)).toContain("## Failed");
});
