import { mealsDomain } from "../../../meals/index.ts";
import { countTokens } from "../../../models/tokens.ts";
import { recall } from "../../../nodes/steps/recall.ts";
import { foldRegistry } from "../../../registry/apply-event.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { TurnContextSchema } from "../../../state/turn.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { longConversation } from "../../../test/support/long-conversation.ts";
import { readTables } from "../../../test/support/tables.ts";
import { recordConversation, type RecordedConversation } from "../long-recording.ts";
import type { BenchDatabase, Measurement, Row } from "../measurement.ts";
import { NEVER_SAID, PLANTING, type PlantedFact } from "../planted-facts.ts";
import { playRival, RIVALS } from "../rivals.ts";

/**
 * Facts of the first turns that are still known at the end of a long conversation about other things:
 * one line of the last turn's prompts holds it, a row of the person's does, or one call of `recall` by
 * the words that a person would use finds it.
 */
export const plantedFacts: Measurement = {
  name: "planted-facts",
  about: "Facts of early turns that are still in the prompt or one look-up away",
  async run({ quick, seed, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const turns = (quick ? 80 : 200) - PLANTING.length - 1;
      const messages = PLANTING.map(({ message }) => message);
      const conversation = await recordConversation(
        database,
        [...messages, ...longConversation(turns, seed), "thanks"],
        { progress },
      );
      const look = await openLookUps(database, conversation);
      const facts = PLANTING.flatMap(({ facts: planted }) => planted);
      const own = await findFacts(facts, look);
      const invented = await findFacts(NEVER_SAID, look);
      const lost = facts.filter((_, index) => own[index] === "lost");
      const count = (way: Way): number => own.filter((found) => found === way).length;
      const rows: Row[] = [
        ["this project", ...WAYS.map(count), countFound(invented)],
        ...RIVALS.map((rival): Row => {
          const [last] = playRival(rival, conversation.turns, "typed").slice(-1);
          const lines = (last?.calls[last.reply]?.prompt ?? []).join("\n").split("\n");
          const shown = facts.filter((fact) => lines.some((line) => holdsFact(line, fact)));
          const stored = facts.filter((fact) => !shown.includes(fact) && look.isStored(fact));
          const known = shown.length + stored.length;
          return [rival, shown.length, stored.length, 0, facts.length - known, null];
        }),
      ];
      return [
        {
          title: `Of ${facts.length} facts of turns 1–${PLANTING.length}, known after turn ${conversation.turns.length}`,
          columns: ["method", ...WAYS, "never said, found"],
          rows,
          notes: [
            "A fact counts once, where it is found first.",
            "The other agents can read the database and recall nothing; what a model would keep in a summary is not known.",
            ...(lost.length === 0 ? [] : [`Lost: ${lost.map(({ cue }) => cue).join(", ")}.`]),
          ],
          bars: [
            { figure: "facts lost", measured: lost.length, most: 0 },
            { figure: "facts found that were never said", measured: countFound(invented), most: 0 },
          ],
        },
      ];
    } finally {
      await database.close();
    }
  },
};

const WAYS = ["in the prompt", "in the database", "by recall", "lost"] as const;
type Way = (typeof WAYS)[number];

/** The ways to a fact after the last turn. */
interface LookUps {
  readonly isShown: (fact: PlantedFact) => boolean;
  readonly isStored: (fact: PlantedFact) => boolean;
  readonly recall: (fact: PlantedFact) => Promise<boolean>;
}

async function openLookUps(
  database: BenchDatabase,
  { userId, turns, state }: RecordedConversation,
): Promise<LookUps> {
  const shown = (turns.at(-1)?.calls ?? [])
    .flatMap(({ request }) => request.messages)
    .flatMap(({ text }) => text.split("\n"));
  const tables = await readTables(database.userData, { userId, types: mealsDomain.entityTypes });
  const stored = Object.entries(tables).flatMap(([table, rows]) =>
    rows.map(({ values }) => `${table} ${JSON.stringify(values)}`),
  );
  const context = {
    services: {
      archive: createTurnArchive(database.pool),
      limits: DEFAULT_LIMITS,
      countTokens,
    },
    run: TurnContextSchema.parse(state.run),
    registry: foldRegistry(state.registry, [], mealsDomain.entityTypes),
  };
  return {
    isShown: (fact) => shown.some((line) => holdsFact(line, fact)),
    isStored: (fact) => stored.some((line) => holdsFact(line, fact)),
    async recall(fact) {
      const { text } = await recall({ ref: null, turn: null, words: fact.cue }, context);
      return text.split("\n").some((line) => holdsFact(line, fact));
    },
  };
}

async function findFacts(facts: readonly PlantedFact[], look: LookUps): Promise<readonly Way[]> {
  return Promise.all(
    facts.map(async (fact): Promise<Way> => {
      if (look.isShown(fact)) return "in the prompt";
      if (look.isStored(fact)) return "in the database";
      return (await look.recall(fact)) ? "by recall" : "lost";
    }),
  );
}

function countFound(ways: readonly Way[]): number {
  return ways.filter((way) => way !== "lost").length;
}

function holdsFact(line: string, { holds }: PlantedFact): boolean {
  return holds.every((part) => part.test(line));
}
