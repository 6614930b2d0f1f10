import { describe, expect, test } from "vitest";
import {
  createExpertRace,
  type ExpertRace,
  type RaceLimits,
} from "../../nodes/concierge/expert-race.ts";

/** So long that a test which waits for it fails. */
const NEVER = 600_000;
const PATIENT: RaceLimits = { expertMs: NEVER, graceMs: NEVER, cutGraceMs: NEVER, quorum: 2 };

/** One expert's end: its answer, or why there is none. */
async function runOne(
  race: ExpertRace,
  work: (signal: AbortSignal) => Promise<string>,
  { leftMs = NEVER, cut = null }: { leftMs?: number; cut?: AbortSignal | null } = {},
): Promise<string> {
  const begun = (signal: AbortSignal, begin: () => void): Promise<string> => {
    begin();
    return work(signal);
  };
  const raced = await race.run(begun, { leftMs, cut, isAnswer: (text) => text !== "" });
  return raced.kind === "done" ? raced.value : raced.kind;
}

const saying = (text: string) => () => Promise.resolve(text);
/** Work that ends for nobody, its signal included. */
const hanging = (): Promise<string> => new Promise(() => undefined);

describe("createExpertRace()", () => {
  test("gives an expert its own deadline, whether or not the work heeds its signal", async () => {
    const race = createExpertRace({ ...PATIENT, expertMs: 5 });

    await expect(runOne(race, hanging)).resolves.toBe("late");
  });

  test("counts an expert's time from the beginning of its call", async () => {
    const race = createExpertRace({ ...PATIENT, expertMs: 0 });

    const waiting = race.run(() => Promise.resolve("one"), {
      leftMs: NEVER,
      cut: null,
      isAnswer: () => true,
    });

    await expect(waiting).resolves.toEqual({ kind: "done", value: "one" });
  });

  test("gives an expert no longer than the batch has", async () => {
    const race = createExpertRace(PATIENT);

    await expect(runOne(race, hanging, { leftMs: 5 })).resolves.toBe("late");
    await expect(runOne(race, hanging, { leftMs: -5 })).resolves.toBe("late");
  });

  test("tells the work that its time is over", async () => {
    const race = createExpertRace({ ...PATIENT, expertMs: 5 });
    let received: AbortSignal | null = null;

    await runOne(race, (signal) => {
      received = signal;
      return hanging();
    });

    expect(received).toMatchObject({ aborted: true });
  });

  test("waits for all when there is one answer", async () => {
    const race = createExpertRace({ ...PATIENT, graceMs: 1, expertMs: 30 });

    const ends = await Promise.all([runOne(race, saying("one")), runOne(race, hanging)]);

    expect(ends).toEqual(["one", "late"]);
  });

  test("cuts the rest a grace after the second answer", async () => {
    const race = createExpertRace({ ...PATIENT, graceMs: 5 });

    const ends = await Promise.all([
      runOne(race, saying("one")),
      runOne(race, saying("two")),
      runOne(race, hanging),
      runOne(race, hanging),
    ]);

    expect(ends).toEqual(["one", "two", "cut", "cut"]);
  });

  test("keeps an answer that comes within the grace", async () => {
    const race = createExpertRace(PATIENT);
    const third = Promise.withResolvers<string>();

    const ends = [
      runOne(race, saying("one")),
      runOne(race, saying("two")),
      runOne(race, () => third.promise),
    ];
    await Promise.all(ends.slice(0, 2));
    third.resolve("three");

    await expect(Promise.all(ends)).resolves.toEqual(["one", "two", "three"]);
  });

  test("throws what the work throws, and the others go on", async () => {
    const race = createExpertRace(PATIENT);

    const ends = await Promise.allSettled([
      runOne(race, () => Promise.reject(new Error("broken"))),
      runOne(race, saying("one")),
    ]);

    expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("a waiting message cuts at once what has two answers", async () => {
    const race = createExpertRace(PATIENT);
    const cut = new AbortController();

    const hung = runOne(race, hanging, { cut: cut.signal });
    await runOne(race, saying("one"), { cut: cut.signal });
    await runOne(race, saying("two"), { cut: cut.signal });
    cut.abort();

    await expect(hung).resolves.toBe("cut");
  });

  test("a waiting message cuts what has one answer with the second", async () => {
    const race = createExpertRace(PATIENT);
    const cut = new AbortController();
    const second = Promise.withResolvers<string>();

    const hung = runOne(race, hanging, { cut: cut.signal });
    const slow = runOne(race, () => second.promise, { cut: cut.signal });
    await runOne(race, saying("one"), { cut: cut.signal });
    cut.abort();
    second.resolve("two");

    await expect(Promise.all([slow, hung])).resolves.toEqual(["two", "cut"]);
  });

  test("a waiting message leaves what has no answer a grace of its own", async () => {
    const race = createExpertRace({ ...PATIENT, cutGraceMs: 5 });
    const cut = new AbortController();

    const hung = [1, 2].map(() => runOne(race, hanging, { cut: cut.signal }));
    cut.abort();

    await expect(Promise.all(hung)).resolves.toEqual(["cut", "cut"]);
  });

  test("a message that waits before the experts are asked cuts as well", async () => {
    const race = createExpertRace(PATIENT);
    const cut = AbortSignal.abort();

    const ends = await Promise.all([
      runOne(race, saying("one"), { cut }),
      runOne(race, saying("two"), { cut }),
      runOne(race, hanging, { cut }),
    ]);

    expect(ends).toEqual(["one", "two", "cut"]);
  });
});
