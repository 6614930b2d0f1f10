import { readTables } from "../../../test/support/tables.ts";
import { mealsDomain } from "../../../meals/index.ts";
import { countTokens } from "../../../models/tokens.ts";
import { recall } from "../../../nodes/steps/recall.ts";
import { foldRegistry } from "../../../registry/apply-event.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { RunSchema } from "../../../state/turn.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { longConversation } from "../../../test/support/long-conversation.ts";
import {
  FACT_KINDS,
  NEVER_SAID,
  PLANTED_FACTS,
  PLANTING,
  type PlantedFact,
} from "../conversation/planted-facts.ts";
import {
  recordConversation,
  type RecordedConversation,
} from "../conversation/record-conversation.ts";
import { holdsFact, rowLines } from "../conversation/find-fact.ts";
import type { BenchDatabase, Cell, Measurement, ResultTable } from "../measurement.ts";
import { holdByAll, type HeldConversation } from "../rivals/hold-by-all.ts";

/**
 * How many facts of the first turns are still known at the end of a long conversation.
 *
 * Fifty facts are planted; then the conversation goes on about other things and ends with "thanks".
 * The same conversation is held by the agents of LangChain. For all of them a fact is known when
 * one line of the last prompt holds it, or when one call of a tool that the method's agent has finds
 * it by the words a person would use for it: a read of the database, and for this project `recall`.
 */
export const plantedFacts: Measurement = {
  name: "planted-facts",
  about: "How many of 50 facts of early turns are still in the prompt or one look-up away",
  async run({ quick, seed, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const turns = (quick ? 60 : 200) - PLANTING.length - 1;
      const conversation = await recordConversation(database, {
        messages: [...PLANTING.map(({ say }) => say), ...longConversation(turns, seed), "thanks"],
        progress,
      });
      const held = await holdByAll(conversation.turns, progress);
      return [knownTable(await knowledgeOf(database, { conversation, held }), conversation)];
    } finally {
      await database.close();
    }
  },
};

/** What is known of one fact by one method. */
type Known = "prompt" | "recall" | "database" | "lost";

interface Knowledge {
  readonly method: string;
  readonly planted: readonly { readonly fact: PlantedFact; readonly known: Known }[];
  /** Facts that were never said and are found all the same. */
  readonly invented: number;
}

async function knowledgeOf(
  database: BenchDatabase,
  found: {
    readonly conversation: RecordedConversation;
    readonly held: readonly HeldConversation[];
  },
): Promise<readonly Knowledge[]> {
  const { conversation, held } = found;
  const rows = rowLines(
    await readTables(database.userData, {
      userId: conversation.userId,
      types: mealsDomain.entityTypes,
    }),
  );
  const inDatabase = (fact: PlantedFact): boolean => rows.some((row) => holdsFact(row, fact));
  const recalls = recaller(database, conversation);
  const knowledge: Knowledge[] = [];
  for (const { method, lastPrompt } of held) {
    const own = method === "this project";
    const lines = lastPrompt.split("\n");
    const knownAs = async (fact: PlantedFact): Promise<Known> => {
      if (lines.some((line) => holdsFact(line, fact))) return "prompt";
      if (inDatabase(fact)) return "database";
      if (!own) return "lost";
      const recalled = await recalls(fact.cue);
      return recalled.split("\n").some((line) => holdsFact(line, fact)) ? "recall" : "lost";
    };
    const planted: Knowledge["planted"][number][] = [];
    for (const fact of PLANTED_FACTS) planted.push({ fact, known: await knownAs(fact) });
    let invented = 0;
    for (const fact of NEVER_SAID) if ((await knownAs(fact)) !== "lost") invented += 1;
    knowledge.push({ method, planted, invented });
  }
  return knowledge;
}

/** The tool `recall` as an agent would call it in the turn after the last. */
function recaller(
  database: BenchDatabase,
  { state }: RecordedConversation,
): (words: string) => Promise<string> {
  const facts = {
    services: {
      archive: createTurnArchive(database.pool),
      limits: DEFAULT_LIMITS,
      countTokens,
    },
    run: RunSchema.parse(state.run),
    registry: foldRegistry(state.registry, [], mealsDomain.entityTypes),
  };
  return async (words) => (await recall({ ref: null, turn: null, words }, facts)).text;
}

function knownTable(knowledge: readonly Knowledge[], { turns }: RecordedConversation): ResultTable {
  const kinds = FACT_KINDS.map((kind) => ({
    name: `${kind} (${PLANTED_FACTS.filter((fact) => fact.kind === kind).length})`,
    kind,
  }));
  return {
    title: `Of ${PLANTED_FACTS.length} facts of turns 1–${PLANTING.length}, known after turn ${turns.length}`,
    columns: [
      "method",
      "in the prompt",
      "in the database",
      "by recall",
      "known in all",
      "lost",
      ...kinds.map(({ name }) => name),
      "never said, found",
    ],
    rows: knowledge.map(({ method, planted, invented }): Cell[] => {
      const as = (...ways: readonly Known[]): number =>
        planted.filter(({ known }) => ways.includes(known)).length;
      return [
        method,
        as("prompt"),
        as("database"),
        as("recall"),
        as("prompt", "database", "recall"),
        as("lost"),
        ...kinds.map(
          ({ kind }) =>
            planted.filter(({ fact, known }) => fact.kind === kind && known !== "lost").length,
        ),
        invented,
      ];
    }),
    notes: [
      "A fact counts once, where it is found first: in one line of the last prompt, of this project in one of the last turn's; in one row of the person's tables, with the names of the rows it points at; in what `recall` gives for the words of the fact.",
      ...knowledge
        .filter(({ method }) => method === "this project")
        .map(({ planted }) => `This project has lost: ${lostOf(planted)}.`),
      `summarised: its summary is made by rule, from what was asked and how each answer began, the latest 600 tokens. What a model would keep is not known; the messages that plant the facts have ${countTokens(PLANTING.map(({ say }) => say).join("\n"))} tokens.`,
    ],
  };
}

function lostOf(planted: Knowledge["planted"]): string {
  const lost = planted.filter(({ known }) => known === "lost");
  return lost.length === 0
    ? "none"
    : lost.map(({ fact }) => `${fact.cue} (${fact.kind})`).join(", ");
}
