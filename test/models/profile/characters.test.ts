import { expect, test } from "vitest";
import { z } from "zod";
import type { ModelProfileStore } from "../../../state/model.ts";
import { createModelProfileStore } from "../../../storage/models/model-profiles.ts";
import { testDatabase } from "../../support/database.ts";
import { memoryProfiles } from "../../support/memory-profiles.ts";
import { readYaml } from "../../support/read-yaml.ts";
import {
  CharacterSchema,
  serveEndpoint,
  type ScriptedEndpoint,
} from "../../support/scripted-endpoint.ts";
import {
  answerShopping,
  openShopping,
  readRole,
  type ShoppingConversation,
} from "../../support/shopping-turns.ts";

/** Endpoints as they are documented, and the calls that learning each may take beside the ideal. */
const CasesSchema = z.record(
  z.string(),
  z.strictObject({
    model: z.string(),
    /** False for a server on this machine. */
    hosted: z.boolean(),
    extraCalls: z.number().int().max(3),
    character: CharacterSchema,
  }),
);
const CASES = readYaml(new URL("./characters.yaml", import.meta.url), CasesSchema);

const database = await testDatabase();
/** `PROFILE_TURNS=20 npm test -- test/models/profile/characters.test.ts` plays longer. */
const TURNS = Number(process.env["PROFILE_TURNS"] ?? 6);
/** Asked in a turn that writes: the receipts are its reply. */
const WRITING = ["understand", "think", "act"];
/** Asked in a turn of small talk. */
const TALKING = ["understand", "reply", "summarize"];
const TALK = "You are welcome. Tell me whenever something is missing in your kitchen.";

/** One turn, as the person and the endpoint saw it. */
interface PlayedTurn {
  readonly reply: string;
  readonly roles: readonly string[];
  readonly notices: readonly string[];
}

/** Plays turns that write and turns that talk, in alternation. */
async function play(
  conversation: ShoppingConversation,
  { endpoint, turns, first = 1 }: { endpoint: ScriptedEndpoint; turns: number; first?: number },
): Promise<readonly PlayedTurn[]> {
  const played: PlayedTurn[] = [];
  for (let turn = first; turn < first + turns; turn += 1) {
    const before = endpoint.requests.length;
    const sent = await conversation.send(
      turn % 2 === 1 ? `add item ${turn} to the shopping list` : "thanks",
    );
    played.push({
      reply: sent.reply,
      roles: endpoint.requests.slice(before).map(({ role }) => role),
      notices: sent.record?.notices.map(({ code }) => code) ?? ["no record"],
    });
  }
  return played;
}

/** The same turns at a well-behaved endpoint. */
function listIdeal(turns: number, first = 1): readonly PlayedTurn[] {
  return Array.from({ length: turns }, (_, at) => {
    const turn = first + at;
    return turn % 2 === 1
      ? { reply: `Added: item ${turn} (1)`, roles: WRITING, notices: [] }
      : { reply: TALK, roles: TALKING, notices: [] };
  });
}

function countCalls(turns: readonly PlayedTurn[]): number {
  return turns.reduce((sum, { roles }) => sum + roles.length, 0);
}

function withoutRoles(turns: readonly PlayedTurn[]) {
  return turns.map(({ reply, notices }) => ({ reply, notices }));
}

interface Case extends z.infer<(typeof CasesSchema)["valueType"]> {
  readonly store: ModelProfileStore;
  readonly turns: number;
}

/** Plays in one process, then goes on in another that has only the store of profiles. */
async function playTwice({ character, hosted, model, store, turns }: Case) {
  const endpoint = await serveEndpoint({ answer: answerShopping, readRole, character });
  const baseUrl = hosted ? endpoint.hostedUrl : endpoint.localUrl;
  const open = { baseUrl, model, services: { store } };
  const one = openShopping(database, open);
  const first = await play(one, { endpoint, turns });
  const other = openShopping(database, { ...open, continues: one });
  const second = await play(other, { endpoint, turns: 2, first: turns + 1 });
  return { first, second, listed: await other.listed() };
}

function listItems(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, at) => `item ${at + 1}`)
    .filter((_, at) => at % 2 === 0)
    .toSorted();
}

test.each(Object.entries(CASES))(
  "createOpenAIModels() learns %s in at most three calls, and a second process knows it",
  async (_name, example) => {
    const played = await playTwice({ ...example, store: memoryProfiles(), turns: TURNS });

    expect(withoutRoles(played.first)).toEqual(withoutRoles(listIdeal(TURNS)));
    expect(countCalls(played.first) - countCalls(listIdeal(TURNS))).toBe(example.extraCalls);
    expect(played.second).toEqual(listIdeal(2, TURNS + 1));
    expect(played.listed).toEqual(listItems(TURNS + 2));
  },
);

test("createOpenAIModels() finds in the database what an earlier process has learned", async () => {
  const example = CASES["An endpoint that rejects strict"];
  expect(example).toBeDefined();
  if (example === undefined) return;

  const store = createModelProfileStore(database.pool);
  const played = await playTwice({ ...example, store, turns: 2 });

  expect(countCalls(played.first) - countCalls(listIdeal(2))).toBe(example.extraCalls);
  expect(played.second).toEqual(listIdeal(2, 3));
});
