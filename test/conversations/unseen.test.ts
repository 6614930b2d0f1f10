import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { openModels } from "../../app/open-models.ts";
import { converse } from "../support/converse.ts";
import { testDatabase } from "../support/database.ts";

const texts = z.array(z.string());

const CheckSchema = z.strictObject({
  changes: texts.default([]),
  shows: texts.default([]),
  hides: texts.default([]),
  lists: texts.nullable().default(null),
  fair: z.array(z.enum(["asks", "refuses"])).default([]),
});

const EntriesSchema = z.array(
  z.object({
    id: z.string(),
    before: texts,
    say: z.string(),
    ability: z.string(),
    check: CheckSchema.default(CheckSchema.parse({})),
  }),
);

const ENTRIES = EntriesSchema.parse(
  parse(readFileSync(new URL("unseen.yaml", import.meta.url), "utf8")),
);

/** `UNSEEN_EVERY=1 npm test -- test/conversations/unseen.test.ts` plays all of them. */
const EVERY = Number(process.env["UNSEEN_EVERY"] ?? 3);
const PLAYED = ENTRIES.filter((_, index) => index % EVERY === 0);

/** Entries that ask for one of the stated abilities come first; the rest are outside them, or traps. */
const ABLE = 130;

/** Share of right answers among them when this floor was set. */
const RIGHT = 107 / ABLE;

type Entry = (typeof ENTRIES)[number];

/** Answer to an entry, and how it was judged. */
interface Judged {
  readonly entry: Entry;
  readonly reply: string;
  readonly changes: readonly string[];
}

const database = await testDatabase();
const { models } = await openModels({ kind: "simulated" });

async function play(entry: Entry): Promise<Judged> {
  let judged: Judged | null = null;
  await converse(
    database,
    async ({ say }) => {
      for (const message of entry.before) await say(message);
      const { changes, replies } = await say(entry.say);
      judged = { entry, changes, reply: replies.join("\n\n") };
    },
    { models, today: "2026-11-23" },
  );
  if (judged === null) throw new Error(`Cannot play ${entry.id}: nothing was answered`);
  return judged;
}

/** Articles, capitals and plurals do not count. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/s\b/g, "");

const includesOne = (text: string, alternatives: string): boolean =>
  alternatives.split(" | ").some((each) => plain(text).includes(plain(each)));

function changesAsExpected({ entry: { check }, changes }: Judged): boolean {
  return (
    changes.length === check.changes.length &&
    check.changes.every((expected) =>
      expected.split(" | ").some((each) => changes.map(plain).includes(plain(each))),
    )
  );
}

/** Words in quotation marks of a refusal; null for another reply. */
function refusedWords({ reply }: Judged): readonly string[] | null {
  const refused = /^I did not understand (.*?)\. Without a language model/s.exec(reply)?.[1];
  return refused === undefined
    ? null
    : [...refused.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
}

function isRight(judged: Judged): boolean {
  const { reply, changes, entry } = judged;
  const { shows, hides, lists, fair } = entry.check;
  const asks = changes.length === 0 && /\?$/m.test(reply) && !reply.startsWith("I ");
  if (fair.includes("asks") && asks) return true;
  if (fair.includes("refuses") && refusedWords(judged) !== null) return true;
  const lines = [...reply.matchAll(/^\d+\. (.*?)(?: \(.*\)|:.*)?$/gm)].map(([, line = ""]) => line);
  return (
    refusedWords(judged) === null &&
    changesAsExpected(judged) &&
    shows.every((text) => includesOne(reply, text)) &&
    hides.every((text) => !includesOne(reply, text)) &&
    (lists === null || lists.toSorted().join() === lines.toSorted().join())
  );
}

/** A change that the entry does not ask for; to change nothing is never wrong. */
const writesWrongly = (judged: Judged): boolean =>
  judged.changes.length > 0 && !changesAsExpected(judged);

/** A reply that claims a change without one, hides one, or misses what is there. */
function statesWrongly({ reply, changes, entry: { check } }: Judged): boolean {
  const claims = /^(?:Added|Changed|Deleted|Undone)\b/m.test(reply);
  const isThere = [...check.changes, ...check.shows, ...(check.lists ?? [])].length > 0;
  const deniesIt = /\bI found no|^There is no|Nothing is left\b/m.test(reply);
  return claims !== changes.length > 0 || (isThere && deniesIt);
}

const describeJudged = ({ entry, reply, changes }: Judged): string =>
  `${entry.id} ${entry.say} → ${[...changes, reply.slice(0, 120)].join(" | ")}`;

test("createSimulatedModel() answers unseen messages without a wrong write or statement", async () => {
  const all: Judged[] = [];
  const waiting = [...PLAYED];
  const playNext = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift())
      all.push(await play(entry));
  };
  await Promise.all([playNext(), playNext(), playNext()]);
  const unnamed = all.filter((judged) => {
    const words = refusedWords(judged);
    return words !== null && !words.some((word) => judged.entry.say.includes(word));
  });
  const able = all.filter(({ entry }) => ENTRIES.indexOf(entry) < ABLE);

  expect(ENTRIES).toHaveLength(200);
  expect(all.filter(writesWrongly).map(describeJudged)).toEqual([]);
  expect(all.filter(statesWrongly).map(describeJudged)).toEqual([]);
  expect(unnamed.map(describeJudged)).toEqual([]);
  expect(able.filter(isRight).length).toBeGreaterThanOrEqual(Math.floor(RIGHT * able.length));
}, 300_000);
