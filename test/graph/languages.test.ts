import { expect, test } from "vitest";
import { ModelError, type ModelRequest } from "../../state/model.ts";
import { SENTENCES } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { freshKitchen } from "../support/fresh-kitchen.ts";
import { translateOddly } from "../support/odd-translator.ts";
import { lastText } from "../support/concierge-thread.ts";
import { openThread, repliesIn, type Behaviour } from "../support/test-thread.ts";
import { NARRATIVE_ANSWER, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

const ASKED = /^(\w+): (.*)$/gmu;

/** Translates what the prompt lists, and nothing else. */
function translate(request: ModelRequest) {
  const [, listed = ""] = lastText(request).split("## Sentences\n\n");
  const sentences = Array.from(listed.matchAll(ASKED), ([, id = "", template = ""]) => ({
    id,
    text: translateOddly(template),
  }));
  return { json: { sentences } };
}

function isTranslation({ schema }: ModelRequest): boolean {
  return schema?.name === "translation";
}

/** Understands every message as small talk, in the language that stands before its colon. */
function speaking(): Behaviour {
  return {
    understand: (request) => {
      const language = /<message>\n(\w+):/u.exec(lastText(request))?.[1] ?? null;
      return { json: understandAnswer({ lane: "task", needs: "talk", language }) };
    },
    summarize: (request) =>
      isTranslation(request) ? translate(request) : { json: NARRATIVE_ANSWER },
  };
}

/** Wants a wish forgotten that nobody has said. */
const FORGETS_IN_SWEDISH = understandAnswer({
  needs: "talk",
  language: "sv",
  constraints: [
    {
      text: "",
      kind: "soft",
      count: null,
      until: null,
      replaces: "det där med fisken",
      scope: "conversation",
    },
  ],
});

const away = (): ModelError => new ModelError("model_unreachable", "Cannot reach it");

test("code speaks the person's language, also to the next person and where no model answers", async () => {
  const parts = { behaviour: speaking() };
  const first = openThread(database, { run: await freshKitchen(database), ...parts });

  // One answer holds a part of the table.
  const turns = [
    "sv: hej på dig du",
    "sv: mår du bra idag",
    "och",
    "vad händer nu då",
    "en så vad mer då",
  ];
  for (const text of turns) await first.send(text);
  const asked = first.requests.filter(isTranslation);
  const translated = asked.flatMap((request) =>
    Array.from(lastText(request).matchAll(ASKED), ([, id]) => id),
  );
  expect(translated).toEqual(Object.keys(SENTENCES));
  expect((await first.state()).language).toBe("sv");

  const dead = openThread(database, {
    run: await freshKitchen(database),
    behaviour: { ...speaking(), think: away, reply: away, summarize: away },
  });
  const [reply] = repliesIn(await dead.send("sv: och vem är du"));
  expect(reply).toContain(translateOddly(SENTENCES.modelAway));
  expect(dead.requests.filter(isTranslation)).toEqual([]);

  // Also of the message with which the language changes.
  const forgets = openThread(database, {
    run: await freshKitchen(database),
    behaviour: { ...speaking(), understand: () => ({ json: FORGETS_IN_SWEDISH }) },
  });
  const [unclear] = repliesIn(await forgets.send("glöm det där med fisken"));
  expect(unclear).toContain(
    translateOddly(SENTENCES.wishUnknown).replace("{wish}", "det där med fisken"),
  );
});

test("a message of two words, and a language that nobody knows, change nothing", async () => {
  const thread = openThread(database, {
    run: await freshKitchen(database),
    behaviour: speaking(),
  });

  await thread.send("sv: hej");
  await thread.send("pirate: ahoy my dear friend");

  expect((await thread.state()).language).toBe("en");
  expect(thread.requests.filter(isTranslation)).toEqual([]);
});
