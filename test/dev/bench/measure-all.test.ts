import { expect, test } from "vitest";
import { measureAll } from "../../../dev/bench/measure-all.ts";
import type { BenchContext, Measurement } from "../../../dev/bench/measurement.ts";

const TABLE = { title: "Figures", columns: ["n"], rows: [[1]], notes: [] };

function measurement(name: string, run: Measurement["run"]): Measurement {
  return { name, about: `what ${name} tells`, run };
}

async function openDatabase(): Promise<never> {
  throw new Error("Cannot open a database");
}

async function longConversation(): Promise<never> {
  throw new Error("Cannot hold a conversation");
}

test("measureAll() writes what came of each measurement; one that fails hides no other", async () => {
  const written: string[] = [];
  const noted: string[] = [];
  const given: Omit<BenchContext, "progress">[] = [];
  const options = { quick: true, seed: 3, openDatabase, longConversation };
  const results = await measureAll(
    [
      measurement("first", async ({ progress, ...context }) => {
        progress("half way");
        given.push(context);
        return [TABLE, TABLE];
      }),
      measurement("second", async ({ openDatabase: open }) => {
        await open();
        return [TABLE];
      }),
      measurement("third", async () => [TABLE]),
    ],
    {
      ...options,
      write: (text) => void written.push(text),
      note: (line) => void noted.push(line),
      signal: new AbortController().signal,
    },
  );
  expect(given).toEqual([options]);
  expect(results).toMatchObject([
    { name: "first", about: "what first tells", tables: [TABLE, TABLE], failure: null },
    { name: "second", about: "what second tells", tables: [], failure: "Cannot open a database" },
    { name: "third", about: "what third tells", tables: [TABLE], failure: null },
  ]);
  expect(written.map((text) => text.replace(/\([\d.]+ s\)/, "(s)"))).toEqual([
    "\n== first: what first tells (s)\n\nFigures\n\nn\n-\n1\n\nFigures\n\nn\n-\n1\n",
    "\n== second: what second tells (s)\n\nFailed: Cannot open a database\n",
    "\n== third: what third tells (s)\n\nFigures\n\nn\n-\n1\n",
  ]);
  expect(noted[0]).toBe("first: half way");
  expect(noted[1]).toContain("second: Error: Cannot open a database");
});

test("measureAll() that is told to end writes nothing more and measures nothing more", async () => {
  const stop = new AbortController();
  const heard: string[] = [];
  const hear = (text: string): void => void heard.push(text);
  const measuring = measureAll(
    [
      measurement("first", async ({ progress }) => {
        stop.abort(new Error("Interrupted"));
        progress("too late");
        throw new Error("The database has gone");
      }),
      measurement("second", async ({ progress }) => {
        progress("never");
        return [TABLE];
      }),
    ],
    {
      quick: true,
      seed: 3,
      openDatabase,
      longConversation,
      write: hear,
      note: hear,
      signal: stop.signal,
    },
  );
  await expect(measuring).rejects.toThrow("Interrupted");
  expect(heard).toEqual([]);
});
