import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../support/database.ts";
import { readYaml } from "../../support/read-yaml.ts";
import { CharacterSchema, serveEndpoint } from "../../support/scripted-endpoint.ts";
import { answerShopping, openShopping, readRole } from "../../support/shopping-turns.ts";

const FaultSchema = z.strictObject({
  /** The role whose answers are bad; left out where the endpoint always is like this. */
  role: z.enum(["understand", "think", "act", "reply", "summarize"]).optional(),
  /** Bad answers of the turn. */
  times: z.number().default(0),
  /** The kind of turn. Default: of the role. */
  message: z.enum(["write", "talk"]).optional(),
  /** The reply of the bad turn, compared with that of a well-behaved endpoint. */
  turn: z.enum(["same", "differs"]),
  /** Turns in which something is learned, or is bad. */
  learning: z.number().default(1),
  /** False for a server on this machine. */
  hosted: z.boolean().default(true),
  model: z.string().default("scripted"),
  limits: z.record(z.string(), z.number()).default({}),
  character: CharacterSchema,
});
const FAULTS = readYaml(
  new URL("./faults.yaml", import.meta.url),
  z.record(z.string(), FaultSchema),
);

const database = await testDatabase();
const TALKING_ROLES = new Set<string | undefined>(["reply", "summarize"]);
const TALK = {
  text: "thanks",
  reply: "You are welcome. Tell me whenever something is missing in your kitchen.",
  roles: ["understand", "reply", "summarize"],
};

/** A message and what comes of it at a well-behaved endpoint. */
function chooseTurn(turn: number, writes: boolean): typeof TALK {
  return writes
    ? {
        text: `add item ${turn} to the shopping list`,
        reply: `Added: item ${turn} (1)`,
        roles: ["understand", "think", "act"],
      }
    : TALK;
}

test("the table has the 56 faults of an earlier measurement, and more than 24 others", () => {
  expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(80);
});

// Half of the time is waiting before another attempt.
describe.concurrent("a conversation", () => {
  test.each(Object.entries(FAULTS))("loses no turn where %s", async (_name, fault) => {
    const { role, times, character, hosted, model, limits, learning } = fault;
    const ends: (() => void)[] = [];
    const endpoint = await serveEndpoint({
      answer: answerShopping,
      readRole,
      character: role === undefined ? character : {},
      onEnd: (end) => void ends.push(end),
    });
    const baseUrl = hosted ? endpoint.hostedUrl : endpoint.localUrl;
    const conversation = openShopping(database, { baseUrl, model, limits });
    const writes =
      fault.message === undefined ? !TALKING_ROLES.has(role) : fault.message === "write";

    const bad = [];
    for (let turn = 1; turn <= learning; turn += 1) {
      if (role !== undefined) endpoint.disturb({ role, times, character });
      const { text, reply } = chooseTurn(turn, writes);
      const sent = await conversation.send(text);
      bad.push({
        failure: sent.failure,
        recorded: sent.record?.userMessage === text,
        said: sent.reply !== "",
        turn: sent.reply === reply ? "same" : "differs",
      });
    }
    endpoint.calm();
    const before = endpoint.requests.length;
    const next = chooseTurn(learning + 1, writes);
    const sent = await conversation.send(next.text);
    const after = endpoint.requests.slice(before);
    for (const end of ends) end();

    const good = { failure: null, recorded: true, said: true };
    expect(bad).toEqual(Array.from({ length: learning }, () => ({ ...good, turn: fault.turn })));
    expect({
      reply: sent.reply,
      roles: after.map((each) => each.role),
      notices: sent.record?.notices,
    }).toEqual({ reply: next.reply, roles: next.roles, notices: [] });
  });
});
