import { createHash } from "node:crypto";
import { join } from "node:path";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { recordProfile } from "../../../dev/bench/profile/record-profile.ts";
import { selfTimes, type SampledFunctions } from "../../../dev/bench/profile/self-time.ts";
import { sharesTable } from "../../../dev/bench/profile/shares-table.ts";

const ROOT = "/home/someone/the project";
const OWN = "file:///home/someone/the%20project";

function sampled(
  ...functions: readonly (readonly [name: string, url: string, hits: number])[]
): SampledFunctions {
  return {
    nodes: functions.map(([functionName, url, hitCount]) => ({
      callFrame: { functionName, url },
      hitCount,
    })),
  };
}

function ownersOf(profile: SampledFunctions): readonly string[] {
  return selfTimes(profile, ROOT).map(({ owner }) => owner);
}

describe("selfTimes()", () => {
  test("sums functions by package, and leaves out waiting", () => {
    const profile = sampled(
      ["(root)", "", 0],
      ["(idle)", "", 500],
      ["put", `${OWN}/storage/checkpointer.ts`, 2],
      ["getTuple", `${OWN}/storage/checkpointer.ts`, 1],
      ["query", `${ROOT}/node_modules/pg/lib/client.js`, 4],
      ["(garbage collector)", "", 1],
      ["tick", `${OWN}/node_modules/@langchain/langgraph/dist/pregel/index.js`, 10],
      ["(program)", "", 1],
      ["writev", "node:internal/stream_base_commons", 1],
    );

    expect(selfTimes(profile, ROOT)).toEqual([
      { owner: "@langchain/langgraph", share: 0.5 },
      { owner: "pg", share: 0.2 },
      { owner: "this project: storage", share: 0.15 },
      { owner: "node", share: 0.1 },
      { owner: "garbage collection", share: 0.05 },
    ]);
  });

  test.each([
    [`${OWN}/node_modules/a/node_modules/@b/c/index.js`, "@b/c"],
    [`${ROOT}/node_modules/a/index.js`, "a"],
    [`${OWN}/index.ts`, "this project"],
    [`${OWN}/cli/chat/chat.ts`, "this project: cli"],
    [`${OWN} of another/index.ts`, "elsewhere"],
    ["evalmachine.<anonymous>", "elsewhere"],
    ["node:net", "node"],
  ])("a function in %s is of %s", (url, owner) => {
    expect(ownersOf(sampled(["work", url, 1]))).toEqual([owner]);
  });

  test("has nothing to tell of a profile without samples", () => {
    expect(ownersOf(sampled(["(root)", "", 0], ["(idle)", "", 3]))).toEqual([]);
  });

  const places = fc.constantFrom("", "node:fs", `${OWN}/a/b.ts`, `${OWN}/node_modules/c/d.js`);
  test.prop([fc.array(fc.tuple(fc.constant("f"), places, fc.nat({ max: 99 })))])(
    "hands out all of the time, most first",
    (functions) => {
      const shares = selfTimes(sampled(...functions), ROOT).map(({ share }) => share);

      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      const all = functions.reduce((sum, [, , hits]) => sum + hits, 0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(all === 0 ? 0 : 1);
    },
  );
});

test("recordProfile() sees whose functions were at work", async () => {
  const folder = join(import.meta.dirname, "../../..");
  const profile = await recordProfile(async () => {
    let text = "";
    for (let round = 0; round < 100_000; round += 1) {
      text = createHash("sha256").update(text).digest("hex");
    }
  });

  expect(selfTimes(profile, folder).map(({ owner }) => owner)).toEqual(
    expect.arrayContaining(["this project: test", "node"]),
  );
});

test("sharesTable() has a row an owner, and one for all that are small", () => {
  const table = sharesTable([
    {
      name: "a run",
      times: [
        { owner: "node", share: 0.75 },
        { owner: "pg", share: 0.245 },
        { owner: "a", share: 0.005 },
      ],
    },
    {
      name: "a turn",
      times: [
        { owner: "pg", share: 0.99 },
        { owner: "b", share: 0.01 },
      ],
    },
  ]);

  expect(table).toMatchObject({
    columns: ["whose functions", "a run, %", "a turn, %"],
    rows: [
      ["node", 75, 0],
      ["pg", 24.5, 99],
      ["b", 0, 1],
      ["others (1)", 0.5, 0],
    ],
  });
});
