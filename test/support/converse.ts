import { randomUUID } from "node:crypto";
import { openModels, SIMULATED, type OpenedModels } from "../../app/open-models.ts";
import { loadPlayedModel } from "../../dev/simulation/load-played-model.ts";
import type { TurnEvent } from "../../state/event.ts";
import { mealsDomain } from "../../meals/index.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import type { Expert } from "../../state/expert.ts";
import type { TurnState } from "../../state/turn.ts";
import { DEMO_DAY, openConversation, type Stage } from "./conversation.ts";
import type { TestDatabase } from "./database.ts";
import { seedDemo } from "./fresh-kitchen.ts";
import { createFaultyUserData, type Fault } from "./fault.ts";
import { compareTables, readTables, type Tables } from "./tables.ts";

const PLAYED = process.env["CONCIERGE_CONVERSE_MODEL"] ?? SIMULATED;

/** Tells whether the simulated model answers: only then does a reply have words that a test can know. */
export const isSimulated = PLAYED === SIMULATED;

/** One turn as the person, the database and a reader of the events see it. */
export interface ConverseTurn {
  readonly events: readonly TurnEvent[];
  readonly replies: readonly string[];
  /** Null where Understand was not asked. */
  readonly lane: string | null;
  readonly phase: string;
  /** Rows that changed, in order: `created shopping_list eggs`. */
  readonly changes: readonly string[];
  /** The effects in the turn's summary: `created eggs`. */
  readonly stored: readonly string[];
  /** Labels of what is excluded after the turn, sorted. */
  readonly excluded: readonly string[];
  /** Tables that were read, one for each read that ran. */
  readonly reads: readonly string[];
  /** Experts and how each ended, in the order of their names: `cost answered`. */
  readonly experts: readonly string[];
  /** The thread's state after the turn. */
  readonly state: TurnState;
  /** Returns the prompts that a node was shown, each as one text. */
  readonly prompts: (node: string) => readonly string[];
}

/** A conversation in a fresh demo kitchen. */
export interface Converse {
  /** Sends a message and waits for the end of its turn. */
  readonly say: (text: string) => Promise<ConverseTurn>;
  /** Returns the labels of the person's rows in a table. */
  readonly rows: (table: string) => Promise<readonly string[]>;
  /** Makes the database refuse an insert from now on; null ends that. */
  readonly refuse: (fault: Fault | null) => void;
}

export interface ConverseOptions extends Pick<Stage, "limits"> {
  /** Changes the experts that are asked, one under each usual view. */
  readonly experts?: (experts: readonly Expert[]) => readonly Expert[];
  /** Changes every model. */
  readonly models?: OpenedModels["models"];
  /** Default: the demo day. */
  readonly today?: string;
}

/**
 * Holds a conversation as a new person with the demo kitchen. The simulated model answers, or the
 * one that `CONCIERGE_CONVERSE_MODEL` names: `configured`, or a model at the configured endpoint.
 */
export async function converse(
  database: TestDatabase,
  play: (conversation: Converse) => Promise<void>,
  options: ConverseOptions = {},
): Promise<void> {
  const { today = DEMO_DAY.today } = options;
  const userId = `person-${randomUUID()}`;
  await seedDemo(database, { userId, today });
  const userData = createFaultyUserData(database.userData);
  const stage = { database, domain: mealsDomain, ...(await openStage(options)) };
  const thread = openConversation(stage, { userId, threadId: randomUUID(), userData, today });
  const types = mealsDomain.entityTypes;
  const read = (): Promise<Tables> => readTables(database.userData, { userId, types });
  await play({
    async say(text) {
      const before = await read();
      const { events, failure } = await thread.send(text);
      if (failure !== null) throw new Error(`Cannot answer "${text}"`, { cause: failure });
      return describeTurn(events, await thread.state(), listChanges(before, await read()));
    },
    rows: async (table) => ((await read())[table] ?? []).map(({ values }) => label(table, values)),
    refuse: (fault) => userData.set(fault),
  });
}

async function openStage(
  options: ConverseOptions,
): Promise<Pick<Stage, "models" | "limits" | "experts">> {
  const { models: given, experts: change, limits } = options;
  const opened: OpenedModels =
    given === undefined
      ? await openModels(isSimulated ? { kind: "simulated" } : loadPlayedModel(PLAYED).config)
      : { models: given };
  const { reply, concierge = reply, expert = concierge } = opened.models;
  const usual =
    opened.experts ?? DEFAULT_LENSES.map(({ id, lens }) => ({ id, lens, model: expert }));
  return {
    models: opened.models,
    ...(limits === undefined ? {} : { limits }),
    experts: change === undefined ? usual : change(usual),
  };
}

function describeTurn(
  events: readonly TurnEvent[],
  state: TurnState,
  changes: readonly string[],
): ConverseTurn {
  const understood = events.find((event) => event.type === "understood");
  return {
    events,
    replies: events.flatMap((event) => (event.type === "reply" ? [event.text] : [])),
    lane: understood?.lane ?? null,
    phase: state.concierge.currentPhase,
    changes,
    stored: events.flatMap((event) =>
      event.type === "turn-end"
        ? event.summary.effects.map(({ action, label: stored }) => `${action} ${stored}`)
        : [],
    ),
    excluded: state.registry.entries
      .filter(({ demotion }) => demotion !== null)
      .map((entry) => entry.label)
      .toSorted(),
    reads: events.flatMap((event) =>
      event.type === "tool-end" && event.effect === "read" && event.ok && !event.suppressed
        ? [event.table]
        : [],
    ),
    experts: events
      .flatMap((event) => (event.type === "expert-end" ? [`${event.expert} ${event.outcome}`] : []))
      .toSorted(),
    state,
    prompts: (node) =>
      events.flatMap((event) =>
        event.type === "prompt" && event.node === node
          ? [event.messages.map(readText).join("\n\n")]
          : [],
      ),
  };
}

function readText(message: unknown): string {
  return (message as { readonly text: string }).text;
}

function listChanges(before: Tables, after: Tables): readonly string[] {
  return Object.entries(compareTables(before, after)).flatMap(([table, changes]) =>
    (["created", "updated", "deleted"] as const).flatMap((action) =>
      changes[action].map(({ values }) => `${action} ${table} ${label(table, values)}`),
    ),
  );
}

function label(
  table: string,
  values: Parameters<(typeof mealsDomain.entityTypes)[number]["label"]>[0],
): string {
  return mealsDomain.entityTypes.find((type) => type.table === table)?.label(values) ?? "";
}
