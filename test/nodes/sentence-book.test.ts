import { describe, expect, test } from "vitest";
import { SentenceBook } from "../../nodes/translate/sentence-book.ts";
import type { SentenceStore, TranslatedSentence } from "../../state/sentence-store.ts";
import { markTemplate } from "../../nodes/translate/mark-template.ts";
import { SENTENCES } from "../../text/sentences.ts";
import { SHIPPED_SENTENCES } from "../../text/shipped-sentences.ts";
import { translateOddly } from "../support/odd-translator.ts";

const COUNT = Object.keys(SENTENCES).length;
const SHIPPED = Object.keys(SHIPPED_SENTENCES["de"] ?? {}).length;

function memoryStore(rows: readonly TranslatedSentence[] = []) {
  const kept = new Map(rows.map((row) => [row.id, row]));
  const store: SentenceStore = {
    load: async () => [...kept.values()],
    save: async (_, sentences) => {
      for (const row of sentences) kept.set(row.id, row);
    },
  };
  return { store, kept };
}

function openBook(store: SentenceStore | null) {
  const warned: string[] = [];
  return { book: new SentenceBook(store, { warn: (line) => void warned.push(line) }), warned };
}

test("markTemplate() tells templates apart", () => {
  const templates = Object.values(SENTENCES);
  expect(new Set(templates.map(markTemplate)).size).toBe(new Set(templates).size);
});

describe("SentenceBook", () => {
  test("misses nothing of English, of German what does not come with the program", async () => {
    const { book } = openBook(null);
    expect(await book.listMissing("en")).toEqual([]);
    expect(await book.listMissing("de")).toHaveLength(COUNT - SHIPPED);
    expect(await book.listMissing("sv")).toHaveLength(COUNT);
  });

  test("keeps what can stand in for its template, and asks for nothing else again", async () => {
    const { store, kept } = memoryStore();
    const { book } = openBook(store);
    const missing = await book.listMissing("sv");
    const asked = missing.slice(0, 3);
    const [first, second, third] = asked;
    const given = new Map([
      [first?.id ?? "", translateOddly(first?.template ?? "")],
      [second?.id ?? "", "without a placeholder and far too long ".repeat(9)],
      ["modelAway", "never asked for"],
    ]);

    await book.keep("sv", asked, given);

    expect([...kept.keys()]).toEqual([first?.id]);
    expect(await book.listMissing("sv")).toEqual(missing.slice(3));
    expect((await book.open("sv")).templates).toEqual(
      new Map([[first?.id, translateOddly(first?.template ?? "")]]),
    );
    expect(third).toBeDefined();
    // Another process asks for them once more.
    expect(await openBook(store).book.listMissing("sv")).toEqual(missing.slice(1));
  });

  test("asks for nothing that another process has had translated meanwhile", async () => {
    const { store } = memoryStore();
    const [first, second] = [openBook(store).book, openBook(store).book];
    const [one] = await second.listMissing("sv");
    const asked = one === undefined ? [] : [one];

    await first.keep("sv", asked, new Map(asked.map(({ id, template }) => [id, template])));

    expect(await second.listMissing("sv")).toHaveLength(COUNT - 1);
    expect((await second.open("sv")).templates.size).toBe(1);
  });

  test("leaves out translations of older templates", async () => {
    const { store } = memoryStore([
      { id: "doIt", mark: markTemplate(SENTENCES.doIt), text: "Ska jag?" },
      { id: "doItAnyway", mark: markTemplate("Really?"), text: "Verkligen?" },
    ]);
    const { templates } = await openBook(store).book.open("sv");
    expect(templates).toEqual(new Map([["doIt", "Ska jag?"]]));
  });

  test("speaks with what it has where the store fails, and says so in the log", async () => {
    const { book, warned } = openBook({
      load: () => Promise.reject(new Error("away")),
      save: () => Promise.reject(new Error("away")),
    });

    expect((await book.open("de")).templates.get("doIt")).toBe("Soll ich das tun?");
    await book.keep("de", [{ id: "doIt", template: "Do it?" }], new Map([["doIt", "Los?"]]));

    expect(warned).toEqual([
      'Cannot read sentences in "de": Error: away',
      'Cannot read sentences in "de": Error: away',
      'Cannot keep sentences in "de": Error: away',
    ]);
  });
});
