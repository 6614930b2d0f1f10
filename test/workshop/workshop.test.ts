import { domainFolder } from "../../domain/list-grants.ts";
import { expect, test } from "vitest";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptedRoles } from "../support/node-services.ts";
import { call } from "../support/step-script.ts";
import {
  NARRATIVE_ANSWER,
  makeStep,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";
import { workshopDomain } from "./domain.ts";

const database = await testDatabase({
  migrations: [domainFolder(workshopDomain)],
});

const loan = (tool: string) => ({ tool_id: tool, day: "2026-01-17", borrower: "me" });
const lend = (tools: readonly string[]) =>
  call("create_loans", { rows: tools.map(loan), drafts: [] });

test("workshopDomain: of two loans one fails by the database's own rule, and the summary says which", async () => {
  const steps = [
    makeStep({ subdomain: "tools" }),
    makeStep({ stepType: "write", subdomain: "loans", refs: ["tool_3", "tool_6"] }),
  ];
  const models = scriptedRoles({
    understand: steps.map(() => ({ json: understandAnswer() })),
    think: steps.map((step) => ({ json: thinkAnswer({ steps: [step] }) })),
    act: [
      call("read_tools", {}),
      lend(["tool_3", "tool_6"]),
      lend(["tool_6"]),
      call("fail_step", { reason: "One tool is lent already" }),
    ],
    reply: ["Hand saw and belt sander are there.", "The hand saw is yours on Saturday."],
    summarize: steps.map(() => ({ json: NARRATIVE_ANSWER })),
  });
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
  expect(lent?.status).toBe("partial");
  expect(lent?.calls.flatMap(({ failures }) => failures)).not.toEqual([]);
  expect(JSON.stringify(models.reply.requests.at(-1)?.messages)).toContain("## Failed");
});
