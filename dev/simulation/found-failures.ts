import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { z } from "zod";
import { hashJson } from "../../domain/changes/hash-changes.ts";
import { conversations, INTENT_KINDS, type MadeUpConversation } from "./intents.ts";
import { playConversation, type PlayOptions } from "./play.ts";

/** The folder of saved failures, a JSON file each. */
const FOUND = join(import.meta.dirname, "found");

/** A conversation that broke a promise, and how it was found. */
export interface FoundFailure {
  readonly conversation: MadeUpConversation;
  readonly seed: number;
  readonly path: string;
}

interface SearchOptions extends Pick<PlayOptions, "without" | "openRunner"> {
  readonly runs: number;
  readonly turns: number;
  readonly seed: number;
  /** Empty for a search from the beginning. */
  readonly path: string;
  readonly lies: boolean;
}

/** The end of a search: conversations and turns that were played, and the first failure, shortened. */
export interface SearchResult {
  readonly failure: FoundFailure | null;
  readonly conversations: number;
  readonly turns: number;
  /** The number of prompts that were to lack a section and had it. */
  readonly cuts: number;
}

/** Plays conversations until one of them breaks a promise, and shortens that one. */
export async function findShortestFailure({
  runs,
  turns,
  seed,
  path,
  lies,
  ...options
}: SearchOptions): Promise<SearchResult> {
  let [played, cuts] = [0, 0];
  const keepsPromises = fc.asyncProperty(conversations(turns, { lies }), async (conversation) => {
    const result = await playConversation(conversation, options);
    played += result.turns;
    cuts += result.cuts;
    return result.failure === null;
  });
  const result = await fc.check(keepsPromises, {
    numRuns: runs,
    seed,
    // It is enough to know that a section is needed.
    endOnFailure: (options.without ?? null) !== null,
    ...(path === "" ? {} : { path }),
  });
  const base = { conversations: result.numRuns, turns: played, cuts };
  if (!result.failed) return { ...base, failure: null };
  const [conversation] = result.counterexample ?? [];
  if (conversation === undefined) throw new Error("Cannot show the failure: it has no example");
  return { ...base, failure: { conversation, seed, path: result.counterexamplePath ?? "" } };
}

const number = z.number().int();
const ConversationSchema = z.object({
  world: z.object({ plan: number, seed: number, rows: number, isTight: z.boolean() }),
  intents: z.array(
    z.object({ kind: z.enum(INTENT_KINDS), pick: z.tuple([number, number, number]) }),
  ),
  lies: number.nullable(),
});

/** Saves a conversation for the tests and returns its file. */
export async function keepFailure(conversation: MadeUpConversation): Promise<string> {
  const stored = ConversationSchema.parse(conversation);
  const file = join(FOUND, `${hashJson(stored).slice(0, 12)}.json`);
  await mkdir(FOUND, { recursive: true });
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`);
  return file;
}

/** Returns the saved conversations by the names of their files. */
export async function readKeptFailures(): Promise<ReadonlyMap<string, MadeUpConversation>> {
  const names = (await readdir(FOUND)).filter((name) => name.endsWith(".json"));
  const read = names.toSorted().map(async (name): Promise<[string, MadeUpConversation]> => {
    const text = await readFile(join(FOUND, name), "utf8");
    return [name, ConversationSchema.parse(JSON.parse(text))];
  });
  return new Map(await Promise.all(read));
}

/** Renders a failure: its intents, what was written, the last prompt and the differences. */
export async function renderFailure(
  { conversation, seed, path }: FoundFailure,
  options: PlayOptions = {},
): Promise<string> {
  const { failure } = await playConversation(conversation, options);
  const intents = conversation.intents.map(
    ({ kind, pick }, index) => `${index + 1}. ${kind} ${pick.join(" ")}`,
  );
  const lies = conversation.lies === null ? "" : " --lies";
  const slow = options.openRunner === undefined ? "" : " --slow";
  const head = [
    `Broken; play it again with --seed ${seed} --path ${path}${lies}${slow}`,
    JSON.stringify(conversation),
    ...intents,
  ];
  if (failure === null) return head.join("\n");
  const { violations, state, prompted } = failure;
  const last = prompted.at(-1)?.request;
  const prompt = last?.messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])) ?? [];
  return [
    ...head,
    "",
    ...state.messages.map((message) => `${message.getType()}: ${message.text}`),
    "",
    `Prompt of "${last?.role ?? ""}", turn ${failure.turn}:`,
    ...prompt,
    "",
    ...violations.map(
      ({ invariant, expected, found }) =>
        `${invariant}\n  expected: ${expected}\n  found:    ${found}`,
    ),
  ].join("\n");
}
