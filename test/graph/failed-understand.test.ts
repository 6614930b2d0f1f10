import { expect, test } from "vitest";
import { ModelError } from "../../state/model.ts";
import { UNREAD_LINE } from "../../prompts/unread-line.ts";
import { renderSentence } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { repliesIn, testThread } from "../support/test-thread.ts";
import { thinkAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** Replies that confirm what was never stored. */
const CLAIMS = [
  "No cod, noted!",
  "Got it: no cod from now on.",
  "I have excluded every cod dish.",
  "Cod is off the list for good.",
  "I will remember that you do not want cod.",
  "Done. The cod recipes are gone.",
  "Understood, cod is excluded.",
  "I have stored your wish: no cod.",
  "Noted for every conversation: no cod",
  "Your preferences now say: no cod.",
  "I removed the two cod dishes from your options.",
  "Cod has been left out.",
  "As you asked, no more cod.",
  "OK, I saved that you avoid cod.",
  "From now on I leave cod out.",
  "The choices no longer contain cod.",
  "I crossed out the cod.",
  "Your wish about cod is kept.",
  "Alles klar, kein Kabeljau mehr.",
  "Sure — cod is banned!",
];

test.each(CLAIMS)("a failed Understand is never confirmed by %j alone", async (claim) => {
  const thread = await testThread(database, {
    behaviour: {
      understand: () => new ModelError("model_failed", 'Cannot get an answer from model "m"'),
      think: () => ({ json: thinkAnswer({ decision: "answer" }) }),
      reply: () => ({ text: claim }),
    },
  });
  const events = await thread.send("no cod");
  const state = await thread.state();

  const [reply] = repliesIn(events);
  // Code's line stands first, whatever the model writes.
  expect(reply?.split("\n")[0]).toBe(renderSentence("wishesNotRead"));
  expect(events.findLast(({ type }) => type === "reply")).toMatchObject({
    receipts: [{ kind: "notRead" }],
  });
  expect({ wishes: state.constraints, excluded: state.registry.choices }).toEqual({
    wishes: [],
    excluded: [],
  });
  const shown = thread.requests
    .filter(({ role }) => role === "think" || role === "reply")
    .map(({ role, messages }) => {
      const prompt = messages.map(({ text }) => text).join("\n");
      return [role, prompt.includes("## This Turn"), prompt.includes(UNREAD_LINE)];
    });
  expect(shown).toEqual([
    ["think", true, true],
    ["reply", true, true],
  ]);
  expect(events.at(-1)).toMatchObject({ outcome: "degraded", code: "model_failed" });
});
