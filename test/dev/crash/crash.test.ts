import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { chooseKills } from "../../../dev/crash/choose-kills.ts";
import { prepareKitchens } from "../../../dev/crash/kitchen-copies.ts";
import { describeKill, playAllUndisturbed, findUndisturbed } from "../../../dev/crash/play-all.ts";
import { playKill, type Kill, type Position, type Undisturbed } from "../../../dev/crash/play.ts";
import type { Fault } from "../../../dev/crash/run-program.ts";

/** Starting programs takes long on a busy machine. */
const TIMEOUT_MS = 240_000;
/** A sample: `CRASH_KILLS=20 npm test -- test/dev/crash`, or `npm run crash -- 100`, plays more. */
const KILLS = Number(process.env["CRASH_KILLS"] ?? 3);

const kitchens = await prepareKitchens({
  serverUrl: inject("databaseServer").url,
  programs: inject("programs"),
});
afterAll(() => kitchens.close(), TIMEOUT_MS);

let undisturbed: readonly Undisturbed[] = [];
beforeAll(async () => {
  undisturbed = await playAllUndisturbed(kitchens, 4);
}, TIMEOUT_MS);

test("conversations that nothing disturbs are whole", () => {
  expect(undisturbed.flatMap(({ problems }) => problems)).toEqual([]);
});

describe.concurrent("a program that is killed", { timeout: TIMEOUT_MS }, () => {
  test.each(Array.from({ length: KILLS }, (_, index) => index + 1))(
    `goes on as if nothing had happened: death %i of ${KILLS}`,
    async (number) => {
      const kill = chooseKills(undisturbed, KILLS)[number - 1];
      if (kill === undefined) throw new RangeError(`Cannot find death ${number}`);
      const { problems } = await playKill(kitchens, {
        kill,
        undisturbed: findUndisturbed(undisturbed, kill),
      });
      expect({ kill: describeKill(kill), problems }).toEqual({
        kill: describeKill(kill),
        problems: [],
      });
    },
  );
});

/** A fault, the place of the death, and the message that must report it. */
const FAULTS: readonly {
  readonly fault: Fault;
  readonly conversation: string;
  readonly place: string;
  /** The visit of the turn to the place. */
  readonly visit: "first" | "last";
  readonly moment: Kill["moment"];
  readonly noticed: RegExp;
}[] = [
  {
    fault: "effects-forgotten",
    conversation: "list",
    place: "after tools",
    // It reads the list before it writes to it.
    visit: "last",
    moment: "before",
    noticed: /^shopping_list\.\d+: .*"eggs".*, not missing$/u,
  },
  {
    fault: "replies-dropped",
    conversation: "list",
    place: "after summarize",
    visit: "first",
    moment: "before",
    noticed: /^Sent were \[\], archived are \[reply_\S+_1: /u,
  },
  {
    fault: "resets-dropped",
    conversation: "list",
    place: "after reply",
    visit: "first",
    moment: "before",
    noticed: /^Reply reply_\S+_1 goes on in another run without a reset$/u,
  },
  {
    fault: "writes-lost",
    conversation: "question",
    place: "after expert",
    visit: "first",
    moment: "answered",
    noticed: /^Expert t1-b1\/\w+ had answered and was asked again$/u,
  },
];

describe.concurrent("the harness notices", { timeout: TIMEOUT_MS }, () => {
  test.each(FAULTS)("$fault", async ({ fault, noticed, ...where }) => {
    const kill = createKill(where);
    const { problems } = await playKill(kitchens, {
      kill,
      undisturbed: findUndisturbed(undisturbed, kill),
      fault,
    });
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(noticed)]));
  });
});

/** Returns a kill at the first statement of a visit to a place, in the first turn. */
function createKill(where: {
  readonly conversation: string;
  readonly place: string;
  readonly visit: "first" | "last";
  readonly moment: Kill["moment"];
}): Kill {
  const { moment, place, visit } = where;
  const positions = undisturbed
    .flatMap((played) => played.positions)
    .filter(({ conversation, turn }) => conversation.id === where.conversation && turn === 1);
  const statements = positions.filter(({ kind }) => kind === "statement");
  const arrivals = statements.filter(
    (position, index) => position.place === place && statements[index - 1]?.place !== place,
  );
  const position: Position | undefined = arrivals.at(visit === "first" ? 0 : -1);
  if (position === undefined) throw new RangeError(`Cannot die at "${place}": never there`);
  return { position, moment, twice: false };
}
